import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { useScreenTitle } from './screen-title'

type Props = { title: string; note?: ReactNode; children: ReactNode; className?: string }

/** The heading is visually hidden if the screen's heading has the same text. */
export function Panel({ title, note, children, className }: Props) {
  const id = useId()
  const isScreenTitle = useScreenTitle() === title
  return (
    <section aria-labelledby={id} className={clsx('min-w-0', className)}>
      <header className={clsx('mb-5', !isScreenTitle && 'border-t border-rule pt-4')}>
        <h2 id={id} className={isScreenTitle ? 'sr-only' : 'font-display text-lg'}>
          {title}
        </h2>
        {note && <p className="mt-1 max-w-prose text-sm text-muted">{note}</p>}
      </header>
      {children}
    </section>
  )
}
