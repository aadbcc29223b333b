import { useEffect, useId, useRef, useState } from 'react'
import { type ComparedField, conflictText, type FieldConflict, findConflicts, mergeRecords } from './save-conflict'

type Versioned = { version?: number | undefined }
type Options<Draft extends Versioned> = {
  fields: readonly ComparedField[]
  /** Returns the record that the form was opened with. */
  getBase: () => object
  getMine: () => Draft
  /** Shows the merged record in the form. */
  apply: (merged: Draft) => void
  /** Reads the stored record as a draft. */
  readLatest?: () => Promise<Draft | undefined>
}
type ConflictState<Draft> = {
  conflicts: readonly FieldConflict[]
  latest: Draft
  fieldsFromTheirs: ReadonlySet<string>
}

/**
 * Resolves a save that conflicts with another admin's: `panel` shows both values of each field, `resolve` merges the
 * chosen ones. `remountKey` changes when fields that hold their own text must be remounted.
 */
export function useSaveConflict<Draft extends Versioned>({
  fields,
  getBase,
  getMine,
  apply,
  readLatest,
}: Options<Draft>) {
  const [conflict, setConflict] = useState<ConflictState<Draft> | null>(null)
  const [remountKey, setRemountKey] = useState(0)

  /** Shows the conflicts. False if the stored record can't be read, or is unchanged and the error has another cause. */
  async function showConflicts(): Promise<boolean> {
    const latest = await readLatest?.().catch(() => undefined)
    const mine = getMine()
    if (!latest || latest.version === mine.version) return false
    const conflicts = findConflicts(fields, { base: getBase(), mine, theirs: latest })
    const changedOnlyByThem = conflicts.filter(({ isMineChanged }) => !isMineChanged)
    setConflict({ conflicts, latest, fieldsFromTheirs: new Set(changedOnlyByThem.map(({ name }) => name)) })
    return true
  }

  /** Applies the stored record with the chosen values to the form and returns it. Null without a conflict. */
  function resolve(): Draft | null {
    if (!conflict) return null
    const merged = mergeRecords(fields, { mine: getMine(), theirs: conflict.latest }, conflict.fieldsFromTheirs)
    apply(merged)
    // Remounts fields that hold their own text, such as amounts.
    setRemountKey(remountKey + 1)
    setConflict(null)
    return merged
  }

  function choose(name: string, isTheirs: boolean): void {
    if (!conflict) return
    const fieldsFromTheirs = new Set(conflict.fieldsFromTheirs)
    if (isTheirs) fieldsFromTheirs.add(name)
    else fieldsFromTheirs.delete(name)
    setConflict({ ...conflict, fieldsFromTheirs })
  }

  const panel = conflict && <SaveConflictFields {...conflict} onChoose={choose} />
  return { showConflicts, resolve, remountKey, panel }
}

type FieldsProps = {
  conflicts: readonly FieldConflict[]
  fieldsFromTheirs: ReadonlySet<string>
  onChoose: (name: string, isTheirs: boolean) => void
}

/** Fields that another admin has changed in the meantime; the user chooses which value to save. */
function SaveConflictFields({ conflicts, fieldsFromTheirs, onChoose }: FieldsProps) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <section ref={panel} aria-labelledby={id} className="grid gap-4 border border-gold p-4 sm:col-span-2">
      <div>
        <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold text-gold-bright">
          Someone else saved this while you were editing
        </h3>
        <p className="mt-1 text-sm text-muted">
          Nothing you typed is lost. {conflicts.length > 0 ? 'Choose what to keep, then save again.' : 'Save again.'}
        </p>
      </div>
      {conflicts.map(({ name, label, kind, describe, mine, theirs }) => (
        <fieldset key={name} className="min-w-0">
          <legend className="text-sm font-semibold">{label}</legend>
          {[
            { isTheirs: false, text: `Yours: ${describe ? describe(mine) : conflictText(mine, kind)}` },
            { isTheirs: true, text: `Theirs: ${describe ? describe(theirs) : conflictText(theirs, kind)}` },
          ].map(({ isTheirs, text }) => (
            <label key={text} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name={`${id}-${name}`}
                checked={fieldsFromTheirs.has(name) === isTheirs}
                onChange={() => onChoose(name, isTheirs)}
                className="size-5 shrink-0 accent-gold"
              />
              <span className="line-clamp-3 min-w-0 wrap-anywhere">{text}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  )
}
