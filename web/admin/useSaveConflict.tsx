import { useState } from 'react'
import { SaveConflictFields } from './SaveConflictFields'
import { type ConflictField, type FieldConflict, findConflicts, mergeRecords } from './save-conflict'

type Versioned = { version?: number | undefined }
type Options<Draft extends Versioned> = {
  fields: readonly ConflictField[]
  /** Returns the record that the form was opened with. */
  getBase: () => object
  getMine: () => Draft
  /** Shows the merged record in the form. */
  apply: (merged: Draft) => void
  /** The stored record as a draft. */
  readLatest?: () => Promise<Draft | undefined>
}
type State<Draft> = { conflicts: readonly FieldConflict[]; latest: Draft; takeTheirs: ReadonlySet<string> }

/** Resolves a save that conflicts with another admin's: shows both values of each field and merges the chosen ones. */
export function useSaveConflict<Draft extends Versioned>({
  fields,
  getBase,
  getMine,
  apply,
  readLatest,
}: Options<Draft>) {
  const [state, setState] = useState<State<Draft> | null>(null)
  const [remountKey, setRemountKey] = useState(0)

  /** Shows the conflicting fields. Returns false if the stored record is unchanged: the error has another cause. */
  async function compare(): Promise<boolean> {
    const latest = await readLatest?.().catch(() => undefined)
    const mine = getMine()
    if (!latest || latest.version === mine.version) return false
    const conflicts = findConflicts(fields, { base: getBase(), mine, theirs: latest })
    const unchanged = conflicts.filter(({ isMineChanged }) => !isMineChanged)
    setState({ conflicts, latest, takeTheirs: new Set(unchanged.map(({ name }) => name)) })
    return true
  }

  /** Applies the stored record with the chosen values to the form and returns it. Null without a conflict. */
  function resolve(): Draft | null {
    if (!state) return null
    const merged = mergeRecords(fields, { mine: getMine(), theirs: state.latest }, state.takeTheirs)
    apply(merged)
    // Remounts fields that hold their own text, such as amounts.
    setRemountKey(remountKey + 1)
    setState(null)
    return merged
  }

  function choose(name: string, takesTheirs: boolean): void {
    if (!state) return
    const takeTheirs = new Set(state.takeTheirs)
    if (takesTheirs) takeTheirs.add(name)
    else takeTheirs.delete(name)
    setState({ ...state, takeTheirs })
  }

  const panel = state && <SaveConflictFields {...state} onChoose={choose} />
  return { compare, resolve, remountKey, panel }
}
