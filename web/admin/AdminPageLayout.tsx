import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ScreenId, screenById } from '../../worker/contract/admin-screens'
import { buttonClass } from '../ui/Button'
import { ScreenLink } from './ScreenLink'

type Props = {
  title: string
  note?: string
  /** The screen that the page belongs to. */
  back: ScreenId
  children: ReactNode
}

/** Layout of a page below a screen of the dashboard, with a link back to the screen. */
export function AdminPageLayout({ title, note, back, children }: Props) {
  return (
    <main id="content" tabIndex={-1} className="admin-main">
      <header className="mb-8">
        <ScreenLink screen={back} className={buttonClass('text', '-ml-3')}>
          <ArrowLeft size={18} aria-hidden />
          Back to {screenById(back).label}
        </ScreenLink>
        <h1 className="mt-2 font-display text-xl wrap-anywhere sm:text-2xl">{title}</h1>
        {note && <p className="mt-3 max-w-prose text-muted">{note}</p>}
      </header>
      {children}
    </main>
  )
}
