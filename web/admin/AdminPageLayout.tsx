import type { ReactNode } from 'react'
import type { ScreenId } from '../../worker/contract/admin-screens'
import { RecordHeader } from './RecordHeader'

type Props = {
  title: string
  note?: string
  /** The screen that the page belongs to. */
  back: ScreenId
  children: ReactNode
}

/** Layout of a page outside `/admin` that belongs to a screen of the dashboard. */
export function AdminPageLayout({ title, note, back, children }: Props) {
  return (
    <main id="content" tabIndex={-1} className="admin-main">
      <RecordHeader back={back} title={title} />
      {note && <p className="-mt-5 mb-8 max-w-prose text-muted">{note}</p>}
      {children}
    </main>
  )
}
