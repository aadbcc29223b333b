import { clsx } from 'clsx'
import { createContext, type ReactNode, useContext } from 'react'

type Props = {
  id: string
  /** Shows the section's number on the page. */
  isNumbered?: boolean
  title: string
  /** Shown beside the number. */
  note?: string
  children: ReactNode
  className?: string
}

const SectionNumberContext = createContext(0)

/** Provides a section with its number on the home page, from 1. */
export const SectionNumberProvider = SectionNumberContext.Provider

/** A section of the home page. */
export function Section({ id, isNumbered = false, title, note, children, className }: Props) {
  const sectionNumber = useContext(SectionNumberContext)
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className={clsx('page-grid py-16 md:py-28', className)}
    >
      <SectionHeader number={isNumbered ? String(sectionNumber).padStart(2, '0') : undefined} note={note}>
        <h2 id={`${id}-title`} className="font-display text-title">
          {title}
        </h2>
      </SectionHeader>
      {children}
    </section>
  )
}

type HeaderProps = { number?: string } & Pick<Props, 'note' | 'children'>

/** @param children the heading */
export function SectionHeader({ number, note, children }: HeaderProps) {
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
