import { lazyRouteComponent } from '@tanstack/react-router'

/** One tab of the desk: its name in the address (`?tab=`), its label, its screen, fetched when it is opened. */
export type AdminTab = { id: string; label: string; Screen: ReturnType<typeof lazyRouteComponent> }

/** The desk from left to right. A new tab is one line here. */
export const ADMIN_TABS: readonly AdminTab[] = [
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

/** The tab that an address names; the first for one that names none of ours. */
export const adminTab = (id: string | undefined): AdminTab =>
  ADMIN_TABS.find((tab) => tab.id === id) ?? (ADMIN_TABS[0] as AdminTab)
