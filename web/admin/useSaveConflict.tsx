import { useState } from 'react'
import { SaveConflictFields } from './SaveConflictFields'
import { type ConflictField, type FieldConflict, findConflicts, mergeRecords } from './save-conflict'

type Versioned = { version?: number | undefined }
type Options<Draft extends Versioned> = {
  fields: readonly ConflictField[]
  /** As the form was opened. */
  getBase: () => object
  getMine: () => Draft
  /** Shows the merged record in the form. */
  apply: (merged: Draft) => void
  /** The stored record as a draft. */
  readLatest?: () => Promise<Draft | undefined>
}
type State<Draft> = { conflicts: readonly FieldConflict[]; latest: Draft; takeTheirs: ReadonlySet<string> }

/** Resolves a save after someone else's: shows their values beside the form's and merges the chosen ones. */
export function useSaveConflict<Draft extends Versioned>({
  fields,
  getBase,
  getMine,
  apply,
  readLatest,
}: Options<Draft>) {
  const [state, setState] = useState<State<Draft> | null>(null)
  const [round, setRound] = useState(0)

  /** False if the stored record is the one that the form was opened with: then the conflict is another one. */
  async function compare(): Promise<boolean> {
    const latest = await readLatest?.().catch(() => undefined)
    const mine = getMine()
    if (!latest || latest.version === mine.version) return false
    const conflicts = findConflicts(fields, { base: getBase(), mine, theirs: latest })
    const unchanged = conflicts.filter(({ isMineChanged }) => !isMineChanged)
    setState({ conflicts, latest, takeTheirs: new Set(unchanged.map(({ name }) => name)) })
    return true
  }

  /** Puts the chosen values into the form, made from the stored version. Null without a conflict. */
  function resolve(): Draft | null {
    if (!state) return null
    const merged = mergeRecords(fields, { mine: getMine(), theirs: state.latest }, state.takeTheirs)
    apply(merged)
    // Fields with a text of their own, such as amounts, start again.
    setRound(round + 1)
    setState(null)
    return merged
  }

  function choose(name: string, takesTheirs: boolean): void {
    if (!state) return
    const takeTheirs = new Set(state.takeTheirs)
    takeTheirs[takesTheirs ? 'add' : 'delete'](name)
    setState({ ...state, takeTheirs })
  }

  const panel = state && <SaveConflictFields {...state} onChoose={choose} />
  return { compare, resolve, round, panel }
}
