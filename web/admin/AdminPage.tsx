import { lazyRouteComponent } from '@tanstack/react-router'
import { formatDateTime } from '../lib/format'
import '../styles/admin.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Suspense } from 'react'
import { Button } from '../ui/Button'
import { Skeleton } from '../ui/Skeleton'
import { toastError } from '../ui/toast'
import { AdminTabList } from './AdminTabList'
import { adminSession, useAdminLogOut, useAdminSessionExpiry } from './admin-session'

export function AdminPage() {
  const { data: session } = useQuery(adminSession)
  const { tab } = useSearch({ from: '/admin' })
  const logOut = useAdminLogOut()
  const navigate = useNavigate()
  const openTab = adminTab(tab)
  useAdminSessionExpiry(session)

  return (
    <main id="content" className="page-grid pt-8 pb-16 md:pt-12">
      <header className="col-span-full mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 md:mb-10">
        <div>
          <h1 className="font-display text-2xl">Admin</h1>
          {session && (
            <p className="mt-2 text-sm text-muted">
              Logged in as <span className="text-ivory">{session.username}</span> until{' '}
              <time dateTime={session.expiresAt} className="figures text-ivory">
                {formatDateTime(session.expiresAt)}
              </time>
            </p>
          )}
        </div>
        <Button
          aria-disabled={logOut.isPending}
          onClick={() =>
            logOut.mutate(undefined, {
              onError: toastError('Log out failed'),
            })
          }
        >
          Logout
        </Button>
      </header>
      <Tabs.Root
        value={openTab.id}
        onValueChange={(next) => void navigate({ to: '/admin', search: { tab: next }, resetScroll: false })}
        activationMode="manual"
        className="admin-layout col-span-full"
      >
        <AdminTabList label="The desk" tabs={ADMIN_TABS} openId={openTab.id} className="" />
        <Tabs.Content value={openTab.id} className="min-w-0">
          <Suspense fallback={<Skeleton label={`Opening ${openTab.label}`} className="h-96" />}>
            <openTab.Screen />
          </Suspense>
        </Tabs.Content>
      </Tabs.Root>
    </main>
  )
}

/** A dashboard tab: its `?tab=` value, its label and its lazily loaded screen. */
type AdminTab = { id: string; label: string; Screen: ReturnType<typeof lazyRouteComponent> }

const ADMIN_TABS: readonly AdminTab[] = [
  { id: 'overview', label: 'Overview', Screen: lazyRouteComponent(() => import('./OverviewTab'), 'OverviewTab') },
  { id: 'music', label: 'Music', Screen: lazyRouteComponent(() => import('./MusicTab'), 'MusicTab') },
  { id: 'merch', label: 'Merchandise', Screen: lazyRouteComponent(() => import('./MerchTab'), 'MerchTab') },
  { id: 'concerts', label: 'Concerts', Screen: lazyRouteComponent(() => import('./ConcertsTab'), 'ConcertsTab') },
  {
    id: 'supporters',
    label: 'Supporters',
    Screen: lazyRouteComponent(() => import('./SupportersTab'), 'SupportersTab'),
  },
  {
    id: 'verse',
    label: 'Verse Challenge',
    Screen: lazyRouteComponent(() => import('../challenge/VerseTab'), 'VerseTab'),
  },
  { id: 'orders', label: 'Orders', Screen: lazyRouteComponent(() => import('../orders/OrdersTab'), 'OrdersTab') },
  { id: 'polls', label: 'Polls', Screen: lazyRouteComponent(() => import('./PollsTab'), 'PollsTab') },
  { id: 'missions', label: 'Missions', Screen: lazyRouteComponent(() => import('./MissionsTab'), 'MissionsTab') },
  {
    id: 'newsletter',
    label: 'Newsletter',
    Screen: lazyRouteComponent(() => import('./NewsletterTab'), 'NewsletterTab'),
  },
  { id: 'site', label: 'Site', Screen: lazyRouteComponent(() => import('./SiteTab'), 'SiteTab') },
  { id: 'exports', label: 'Exports', Screen: lazyRouteComponent(() => import('../exports/ExportsTab'), 'ExportsTab') },
  {
    id: 'community',
    label: 'Community',
    Screen: lazyRouteComponent(() => import('../community/CommunityTab'), 'CommunityTab'),
  },
  { id: 'mail', label: 'Mail', Screen: lazyRouteComponent(() => import('../email/EmailTab'), 'EmailTab') },
  { id: 'privacy', label: 'Privacy', Screen: lazyRouteComponent(() => import('../privacy/PrivacyTab'), 'PrivacyTab') },
  {
    id: 'administrators',
    label: 'Administrators',
    Screen: lazyRouteComponent(() => import('./AdministratorsTab'), 'AdministratorsTab'),
  },
  { id: 'audit', label: 'Audit', Screen: lazyRouteComponent(() => import('./AuditTab'), 'AuditTab') },
  { id: 'security', label: 'Security', Screen: lazyRouteComponent(() => import('./SecurityTab'), 'SecurityTab') },
]

/** The tab for a `?tab=` value; the first tab if unknown. */
export const adminTab = (id: string | undefined): AdminTab =>
  ADMIN_TABS.find((tab) => tab.id === id) ?? (ADMIN_TABS[0] as AdminTab)
