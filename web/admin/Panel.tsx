import type { ReactNode } from 'react'
import { useId } from 'react'

type Props = { title: string; note?: ReactNode; children: ReactNode; className?: string }

/** A part of a tab: a rule, a title, what it holds. */
export function Panel({ title, note, children, className }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <header className="mb-5 border-t border-rule pt-4">
        <h2 id={id} className="font-display text-lg">
          {title}
        </h2>
        {note && <p className="mt-1 max-w-prose text-sm text-muted">{note}</p>}
      </header>
      {children}
    </section>
  )
}
