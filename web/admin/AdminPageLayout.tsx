import '../styles/admin.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/Button'
import { adminSession, useAdminSessionExpiry } from './admin-session'

type Props = {
  title: string
  note?: string
  /** The dashboard's tab that the link back opens. */
  tab: string
  children: ReactNode
}

/** Layout of an admin page outside the dashboard's tabs. */
export function AdminPageLayout({ title, note, tab, children }: Props) {
  const { data: session } = useQuery(adminSession)
  useAdminSessionExpiry(session)
  return (
    <main id="content" className="page-grid pt-8 pb-16 md:pt-12">
      <header className="col-span-full mb-8 md:mb-12">
        <Link to="/admin" search={{ tab }} className={buttonClass('text', '-ml-3')}>
          <ArrowLeft size={18} aria-hidden />
          Dashboard
        </Link>
        <h1 className="mt-2 font-display text-2xl wrap-anywhere">{title}</h1>
        {note && <p className="mt-3 max-w-prose text-muted">{note}</p>}
      </header>
      <div className="col-span-full min-w-0">{children}</div>
    </main>
  )
}
