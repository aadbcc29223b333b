import { doorTeam, editors, managers, owners, pathPattern, type TeamRole, team } from './endpoint'

/** Groups of the dashboard's sidebar. */
export const SCREEN_GROUPS = ['Home', 'Content', 'Shop', 'Audience', 'Settings'] as const
type ScreenGroup = (typeof SCREEN_GROUPS)[number]

type ScreenDefinition = {
  id: string
  /** Group in the sidebar. A screen outside the sidebar has the id of the screen above it as `parent` instead. */
  group?: ScreenGroup
  parent?: string
  /** Heading, sidebar entry and start of the document title. */
  label: string
  /** Starts with `/admin`; may contain `:params`. */
  path: string
  /** The team roles that see it. The server checks the role of every request. */
  roles: readonly TeamRole[]
}

/**
 * The dashboard's screens in the order of the sidebar. A new screen needs only an entry here and its component in
 * `web/admin/screens.ts`.
 */
export const ADMIN_SCREENS = [
  { id: 'home', group: 'Home', label: 'Overview', path: '/admin', ...team },
  { id: 'door', group: 'Home', label: 'Door', path: '/admin/door', ...doorTeam },
  { id: 'music', group: 'Content', label: 'Music', path: '/admin/music', ...editors },
  { id: 'release', parent: 'music', label: 'Release', path: '/admin/releases/:id', ...editors },
  { id: 'track', parent: 'music', label: 'Track', path: '/admin/tracks/:id', ...editors },
  { id: 'concerts', group: 'Content', label: 'Concerts', path: '/admin/concerts', ...editors },
  { id: 'posts', group: 'Content', label: 'Posts', path: '/admin/posts', ...editors },
  { id: 'polls', group: 'Content', label: 'Polls', path: '/admin/polls', ...editors },
  { id: 'missions', group: 'Content', label: 'Missions', path: '/admin/missions', ...editors },
  { id: 'challenge', group: 'Content', label: 'Verse Challenge', path: '/admin/challenge', ...managers },
  { id: 'challengeSteps', parent: 'challenge', label: 'Challenge', path: '/admin/challenge/:id', ...managers },
  { id: 'listening', parent: 'challenge', label: 'Listening', path: '/admin/challenge/:id/listen', ...managers },
  { id: 'finalists', parent: 'challenge', label: 'Finalists', path: '/admin/challenge/:id/finalists', ...managers },
  { id: 'orders', group: 'Shop', label: 'Orders', path: '/admin/orders', ...managers },
  { id: 'sales', group: 'Shop', label: 'Sales', path: '/admin/sales', ...managers },
  { id: 'order', parent: 'orders', label: 'Order', path: '/admin/orders/:id', ...managers },
  { id: 'packing', parent: 'orders', label: 'Packing', path: '/admin/packing', ...managers },
  { id: 'packing-slips', parent: 'orders', label: 'Packing slips', path: '/admin/packing-slips', ...managers },
  { id: 'labels', parent: 'orders', label: 'Address labels', path: '/admin/labels', ...managers },
  { id: 'customer', parent: 'orders', label: 'Customer', path: '/admin/customers/:orderId', ...managers },
  { id: 'merch', group: 'Shop', label: 'Merchandise', path: '/admin/merch', ...editors },
  { id: 'discounts', group: 'Shop', label: 'Discounts', path: '/admin/discounts', ...managers },
  { id: 'codes', group: 'Shop', label: 'Download codes', path: '/admin/download-codes', ...managers },
  { id: 'shipping', group: 'Shop', label: 'Shipping and tax', path: '/admin/shipping', ...managers },
  { id: 'supporters', group: 'Audience', label: 'Supporters', path: '/admin/supporters', ...managers },
  { id: 'supporter', parent: 'supporters', label: 'Supporter', path: '/admin/supporters/:id', ...managers },
  { id: 'community', group: 'Audience', label: 'Community', path: '/admin/community', ...editors },
  { id: 'newsletter', group: 'Audience', label: 'Newsletter', path: '/admin/newsletter', ...managers },
  { id: 'imports', group: 'Audience', label: 'Imports', path: '/admin/imports', ...managers },
  { id: 'import', parent: 'imports', label: 'Import', path: '/admin/imports/:id', ...managers },
  { id: 'contacts', parent: 'imports', label: 'Contacts', path: '/admin/contacts', ...managers },
  { id: 'email', group: 'Audience', label: 'Email', path: '/admin/email', ...managers },
  { id: 'broadcast', parent: 'email', label: 'Broadcast', path: '/admin/broadcasts/:id', ...managers },
  { id: 'privacy', group: 'Audience', label: 'Privacy', path: '/admin/privacy', ...managers },
  { id: 'inquiry', parent: 'privacy', label: 'Privacy inquiry', path: '/admin/privacy/:id', ...managers },
  { id: 'site', group: 'Settings', label: 'Site', path: '/admin/site', ...editors },
  { id: 'theme', group: 'Settings', label: 'Theme and home page', path: '/admin/theme', ...editors },
  { id: 'team', group: 'Settings', label: 'Team', path: '/admin/team', ...managers },
  { id: 'exports', group: 'Settings', label: 'Exports', path: '/admin/exports', ...managers },
  { id: 'developers', group: 'Settings', label: 'Developers', path: '/admin/developers', ...owners },
  { id: 'webhook', parent: 'developers', label: 'Webhook', path: '/admin/webhooks/:id', ...owners },
  { id: 'system', group: 'Settings', label: 'System', path: '/admin/system', ...managers },
  { id: 'audit', group: 'Settings', label: 'Audit log', path: '/admin/audit', ...managers },
  { id: 'security', group: 'Settings', label: 'Security', path: '/admin/security', ...team },
] as const satisfies readonly ScreenDefinition[]

export type ScreenId = (typeof ADMIN_SCREENS)[number]['id']
export type ScreenPath = (typeof ADMIN_SCREENS)[number]['path']
type AdminScreen = ScreenDefinition & { id: ScreenId; path: ScreenPath }

const SCREENS: readonly AdminScreen[] = ADMIN_SCREENS

export const ADMIN_SCREEN_PATHS: readonly ScreenPath[] = SCREENS.map(({ path }) => path)

export const screenById = (id: ScreenId): AdminScreen => SCREENS.find((screen) => screen.id === id) as AdminScreen

const patterns = SCREENS.map((screen) => ({
  screen,
  names: [...screen.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
  pattern: pathPattern(screen.path, '([^/]+)'),
}))

/** The screen at exactly this path with the path's parameters, or null. */
export function findScreen(path: string): { screen: AdminScreen; params: Readonly<Record<string, string>> } | null {
  for (const { screen, names, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return { screen, params: Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? ''])) }
  }
  return null
}

/** The screens that a team role may open, in the order of the sidebar; none for null. */
export const screensOf = (role: TeamRole | null): readonly AdminScreen[] =>
  SCREENS.filter(({ roles }) => role !== null && roles.includes(role))

/** Former `?tab=` values that differ from the screen's id; old emails and bookmarks still use them. */
const FORMER_TABS: Readonly<Record<string, ScreenId>> = {
  overview: 'home',
  verse: 'challenge',
  mail: 'email',
  administrators: 'team',
}

/** The screen's path for a former `?tab=` value; null for an unknown one. */
export function pathOfFormerTab(tab: string): ScreenPath | null {
  const id = FORMER_TABS[tab] ?? tab
  return SCREENS.find((screen) => screen.id === id && !screen.path.includes(':'))?.path ?? null
}

/** Query parameter of a screen whose form is open: the id of the record, or `new`. */
export const OPEN_PARAM = 'edit'
