import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props = {
  id: string
  /** '01' to '05' */
  number?: string
  title: string
  /** Shown beside the number. */
  note?: string
  children: ReactNode
  className?: string
}

/** A section of the home page. */
export function Section({ id, number, title, note, children, className }: Props) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className={clsx('page-grid py-16 md:py-28', className)}
    >
      <SectionHeader number={number} note={note}>
        <h2 id={`${id}-title`} className="font-display text-title">
          {title}
        </h2>
      </SectionHeader>
      {children}
    </section>
  )
}

/** `children` is the heading. */
export function SectionHeader({ number, note, children }: Pick<Props, 'number' | 'note' | 'children'>) {
  return (
    <header className="col-span-full mb-8 md:mb-14">
      {number && (
        <p className="mb-4 flex items-baseline justify-between border-t border-rule pt-4 font-label text-muted">
          <span className="tabular-figures text-gold">{number}</span>
          {note && <span className="tabular-figures">{note}</span>}
        </p>
      )}
      {children}
    </header>
  )
}
