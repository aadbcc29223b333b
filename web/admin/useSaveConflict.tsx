import { useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { SaveConflictFields } from './SaveConflictFields'
import { type FieldConflict, findConflicts, mergeRecords } from './save-conflict'

type Options<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  fields: readonly { name: string; label: string; kind?: string }[]
  /** As the form was opened. */
  base: DefaultValues<In>
  readLatest?: () => Promise<In | undefined>
}
type State<In> = { conflicts: readonly FieldConflict[]; latest: In; takeTheirs: ReadonlySet<string> }

/** Resolves a save after someone else's: shows their values beside the form's and merges the chosen ones. */
export function useSaveConflict<In extends FieldValues, Out>({ form, fields, base, readLatest }: Options<In, Out>) {
  const [state, setState] = useState<State<In> | null>(null)
  const [round, setRound] = useState(0)

  /** False if the stored record is the one that the form was opened with: then the conflict is another one. */
  async function compare(): Promise<boolean> {
    const latest = await readLatest?.().catch(() => undefined)
    const mine = form.getValues()
    if (!latest || latest.version === mine.version) return false
    const conflicts = findConflicts(fields, { base, mine, theirs: latest })
    const unchanged = conflicts.filter(({ isMineChanged }) => !isMineChanged)
    setState({ conflicts, latest, takeTheirs: new Set(unchanged.map(({ name }) => name)) })
    return true
  }

  /** Puts the chosen values into the form, made from the stored version. */
  function resolve(): void {
    if (!state) return
    const merged = mergeRecords(fields, { mine: form.getValues(), theirs: state.latest }, state.takeTheirs)
    form.reset(merged, { keepDefaultValues: true })
    // Fields with a text of their own, such as amounts, start again.
    setRound(round + 1)
    setState(null)
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
