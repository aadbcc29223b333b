import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props = { title: string; headingLevel: 'h2' | 'h3'; children: ReactNode; className?: string }

/** Empty state of a section: an illustration and what will be published here. */
export const EmptyPanel = ({ title, headingLevel: Heading, children, className }: Props) => (
  <div
    className={clsx(
      'relative col-span-full flex min-h-72 flex-col justify-end gap-3 overflow-clip border border-rule bg-sleeve p-6 md:min-h-88 md:p-10',
      className,
    )}
  >
    <div aria-hidden="true" className="disc absolute! -top-20 -right-16 w-64 md:-top-24 md:right-10 md:w-96" />
    <Heading className="relative font-display text-2xl">{title}</Heading>
    <div className="relative grid max-w-prose justify-items-start gap-5 text-lg text-muted">{children}</div>
  </div>
)
