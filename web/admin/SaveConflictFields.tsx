import { useEffect, useId, useRef } from 'react'
import { conflictText, type FieldConflict } from './save-conflict'

type Props = {
  conflicts: readonly FieldConflict[]
  takeTheirs: ReadonlySet<string>
  onChoose: (name: string, takesTheirs: boolean) => void
}

/** Fields that another admin has changed meanwhile; the user chooses which value to save. */
export function SaveConflictFields({ conflicts, takeTheirs, onChoose }: Props) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="grid gap-4 border border-gold p-4 sm:col-span-2">
      <div>
        <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold text-gold-bright">
          Someone else saved this while you were editing
        </h3>
        <p className="mt-1 text-sm text-muted">Nothing you typed is lost. Choose what to keep, then save again.</p>
      </div>
      {conflicts.map(({ name, label, kind, describe, mine, theirs }) => (
        <fieldset key={name} className="min-w-0">
          <legend className="text-sm font-semibold">{label}</legend>
          {[
            { takesTheirs: false, text: `Yours: ${describe ? describe(mine) : conflictText(mine, kind)}` },
            { takesTheirs: true, text: `Theirs: ${describe ? describe(theirs) : conflictText(theirs, kind)}` },
          ].map(({ takesTheirs, text }) => (
            <label key={text} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name={`${id}-${name}`}
                checked={takeTheirs.has(name) === takesTheirs}
                onChange={() => onChoose(name, takesTheirs)}
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
