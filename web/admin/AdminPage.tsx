import '../styles/admin.css'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Suspense } from 'react'
import { doorTeam, editors, managers, type TeamRole, team } from '../../worker/contract/endpoint'
import { formatDateTime } from '../lib/format'
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
  const openTab = adminTab(tab, session?.teamRole)
  useAdminSessionExpiry(session)

  return (
    <main id="content" className="page-grid pt-8 pb-16 md:pt-12">
      <header className="col-span-full mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 md:mb-10">
        <div>
          <h1 className="font-display text-2xl">Admin</h1>
          {session && (
            <p className="mt-2 text-sm text-muted">
              Logged in as <span className="text-ivory">{session.username}</span> until{' '}
              <time dateTime={session.expiresAt} className="tabular-figures text-ivory">
                {formatDateTime(session.expiresAt)}
              </time>
            </p>
          )}
        </div>
        <Button
          aria-disabled={logOut.isPending}
          onClick={() => logOut.mutate(undefined, { onError: toastError('Log out failed') })}
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
        <AdminTabList label="Dashboard" tabs={tabsOf(session?.teamRole)} openId={openTab.id} className="" />
        <Tabs.Content value={openTab.id} className="min-w-0">
          <Suspense fallback={<Skeleton label={`Opening ${openTab.label}`} className="h-96" />}>
            <openTab.Screen />
          </Suspense>
        </Tabs.Content>
      </Tabs.Root>
    </main>
  )
}

/** A dashboard tab: its `?tab=` value, its label, the team roles that see it and its lazily loaded screen. */
type AdminTab = { id: string; label: string; roles: readonly TeamRole[]; Screen: ReturnType<typeof lazyRouteComponent> }

const ADMIN_TABS: readonly AdminTab[] = [
  {
    id: 'overview',
    label: 'Overview',
    ...managers,
    Screen: lazyRouteComponent(() => import('./OverviewTab'), 'OverviewTab'),
  },
  { id: 'music', label: 'Music', ...editors, Screen: lazyRouteComponent(() => import('./MusicTab'), 'MusicTab') },
  { id: 'merch', label: 'Merchandise', ...editors, Screen: lazyRouteComponent(() => import('./MerchTab'), 'MerchTab') },
  {
    id: 'concerts',
    label: 'Concerts',
    ...editors,
    Screen: lazyRouteComponent(() => import('./ConcertsTab'), 'ConcertsTab'),
  },
  { id: 'door', label: 'Door', ...doorTeam, Screen: lazyRouteComponent(() => import('./DoorTab'), 'DoorTab') },
  {
    id: 'supporters',
    label: 'Supporters',
    ...managers,
    Screen: lazyRouteComponent(() => import('./SupportersTab'), 'SupportersTab'),
  },
  {
    id: 'verse',
    label: 'Verse Challenge',
    ...managers,
    Screen: lazyRouteComponent(() => import('../challenge/VerseTab'), 'VerseTab'),
  },
  {
    id: 'orders',
    label: 'Orders',
    ...managers,
    Screen: lazyRouteComponent(() => import('../orders/OrdersTab'), 'OrdersTab'),
  },
  { id: 'polls', label: 'Polls', ...editors, Screen: lazyRouteComponent(() => import('./PollsTab'), 'PollsTab') },
  {
    id: 'missions',
    label: 'Missions',
    ...editors,
    Screen: lazyRouteComponent(() => import('./MissionsTab'), 'MissionsTab'),
  },
  {
    id: 'newsletter',
    label: 'Newsletter',
    ...managers,
    Screen: lazyRouteComponent(() => import('./NewsletterTab'), 'NewsletterTab'),
  },
  { id: 'site', label: 'Site', ...editors, Screen: lazyRouteComponent(() => import('./SiteTab'), 'SiteTab') },
  {
    id: 'exports',
    label: 'Exports',
    ...managers,
    Screen: lazyRouteComponent(() => import('../exports/ExportsTab'), 'ExportsTab'),
  },
  {
    id: 'community',
    label: 'Community',
    ...editors,
    Screen: lazyRouteComponent(() => import('../community/CommunityTab'), 'CommunityTab'),
  },
  {
    id: 'mail',
    label: 'Email',
    ...managers,
    Screen: lazyRouteComponent(() => import('../email/EmailTab'), 'EmailTab'),
  },
  {
    id: 'privacy',
    label: 'Privacy',
    ...managers,
    Screen: lazyRouteComponent(() => import('../privacy/PrivacyTab'), 'PrivacyTab'),
  },
  {
    id: 'administrators',
    label: 'Team',
    ...managers,
    Screen: lazyRouteComponent(() => import('./TeamTab'), 'TeamTab'),
  },
  { id: 'audit', label: 'Audit', ...managers, Screen: lazyRouteComponent(() => import('./AuditTab'), 'AuditTab') },
  {
    id: 'security',
    label: 'Security',
    ...team,
    Screen: lazyRouteComponent(() => import('./SecurityTab'), 'SecurityTab'),
  },
]

/** The tabs of a role; all while it is unknown. The server checks the role of every request. */
const tabsOf = (role: TeamRole | null | undefined) =>
  role ? ADMIN_TABS.filter(({ roles }) => roles.includes(role)) : ADMIN_TABS

/** The tab for a `?tab=` value; the role's first tab if unknown. */
export const adminTab = (id: string | undefined, role?: TeamRole | null): AdminTab =>
  tabsOf(role).find((tab) => tab.id === id) ?? (tabsOf(role)[0] as AdminTab)
