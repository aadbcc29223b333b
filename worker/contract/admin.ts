import * as z from 'zod/mini'
import { MAX_EMAIL_CHARS } from './credential-rules'
import { currentPassword, LogIn, reauthenticationCode, secondFactorCode } from './credentials'
import { del, editors, get, listQuery, managers, owners, patch, post, TEAM_ROLES, team, visitor } from './endpoint'
import { href, line, timestamp } from './fields'
import { PointsEntry } from './points'
import { TIERS } from './site'

/** The email address is masked. */
export const AdminSupporter = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  tier: z.enum(TIERS),
  points: z.int(),
  joinedAt: timestamp,
  lastActiveAt: timestamp,
  banned: z.boolean(),
  /** The supporter's votes in open polls are excluded from the counts. */
  votesExcluded: z.boolean(),
})
export type AdminSupporter = z.infer<typeof AdminSupporter>

/** A `reversal` takes back an earlier entry, whose state is then `taken_back`; all other entries are `stands`. */
export const AdminPointsEntry = z.extend(PointsEntry, { state: z.enum(['stands', 'taken_back', 'reversal']) })
export type AdminPointsEntry = z.infer<typeof AdminPointsEntry>

export const TeamMember = z.object({
  id: z.string(),
  username: z.string(),
  /** Masked. */
  email: z.string(),
  teamRole: z.enum(TEAM_ROLES),
  since: timestamp,
})
export type TeamMember = z.infer<typeof TeamMember>

export const AuditEntry = z.object({
  id: z.string(),
  at: timestamp,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  /** The subject's current name or title; empty without one. */
  subjectName: z.string(),
  /** Reasons, previous values and the like. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Areas that the audit log can be filtered by, with the nouns of their actions (`track` of `track.removed`). */
export const AUDIT_AREAS = {
  content: [
    'track',
    'release',
    'master',
    'concert',
    'mission',
    'poll',
    'social_post',
    'tier',
    'site',
    'appearance',
    'legal_text',
    'currency',
    'shop_settings',
    'door',
  ],
  shop: ['order', 'product', 'discount', 'promotion', 'payment', 'shipping_zone', 'tax_rate', 'codes'],
  people: ['supporter', 'points', 'address', 'inquiry', 'export', 'import', 'archive'],
  community: ['post', 'challenge', 'ballots', 'submission', 'csv_link'],
  email: ['mail', 'broadcast'],
  team: ['administrator', 'session', 'second_factor', 'passkey', 'api_token', 'webhook'],
} as const

export const adminUsersApi = {
  supporters: get('/api/admin/supporters', z.array(AdminSupporter), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` finds part of a name (fewer than three characters: its start) or a whole address. Filters `tier`, `state` (active, unconfirmed, banned), `joined`; sorts `joined`, `name`, `points`, `seen`.',
    query: listQuery('tier', 'state', 'joined'),
  }),
  points: get('/api/admin/supporters/:id/points', z.array(AdminPointsEntry), {
    ...managers,
    description: "A supporter's ledger, newest first, 50 per page.",
    query: ['sort', 'cursor'],
  }),
  ban: post('/api/admin/supporters/:id/ban', z.strictObject({ reason: line(200, 'The reason') }), null, {
    ...managers,
    description: 'Ends all sessions and hides the posts; the reason is audited. 409 `conflict` for an administrator.',
  }),
  unban: post('/api/admin/supporters/:id/unban', null, null, {
    ...managers,
    description: 'Lifts the ban and counts excluded votes in open polls again.',
  }),
  excludeVotes: post('/api/admin/supporters/:id/exclude-votes', null, null, {
    ...managers,
    description: "Excludes a banned account's votes from the counts of open polls. 409 `conflict` if it is not banned.",
  }),
  includeVotes: post('/api/admin/supporters/:id/include-votes', null, null, managers),
  erase: del('/api/admin/supporters/:id', null, null, {
    ...owners,
    recentAuth: true,
    description: 'Erases the account on request by email. 409 `conflict` for an administrator.',
  }),
  audit: get('/api/admin/audit', z.array(AuditEntry), {
    ...managers,
    description: `Newest first, 50 per page; \`?q=\` searches action, user and subject. Filters \`area\` (${Object.keys(AUDIT_AREAS).join(', ')}), \`when\`.`,
    query: listQuery('area', 'when'),
  }),
}

/** Changes end the team member's sessions. */
export const teamApi = {
  members: get('/api/admin/administrators', z.array(TeamMember), managers),
  add: post(
    '/api/admin/administrators',
    z.strictObject({ account: line(MAX_EMAIL_CHARS, 'The name or address'), teamRole: z.enum(TEAM_ROLES) }),
    null,
    {
      ...owners,
      recentAuth: true,
      description:
        '`account`: username or email address, which must be confirmed. 404; 409 `conflict` for a team member.',
    },
  ),
  changeRole: patch('/api/admin/administrators/:id', z.strictObject({ teamRole: z.enum(TEAM_ROLES) }), null, {
    ...owners,
    recentAuth: true,
    description: '409 `conflict` for the last owner.',
  }),
  remove: del('/api/admin/administrators/:id', null, null, {
    ...owners,
    recentAuth: true,
    description: '409 `conflict` for the last owner.',
  }),
}

/** The email address is masked. */
export const AdminSubscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(['pending', 'confirmed', 'unsubscribed']),
  /** Empty if unknown. */
  city: z.string(),
  joinedAt: timestamp,
})
export type AdminSubscriber = z.infer<typeof AdminSubscriber>

export const CityRequestCount = z.object({ city: z.string(), people: z.int() })
export type CityRequestCount = z.infer<typeof CityRequestCount>

/** A poll with its number of votes, also while open. */
export const AdminPoll = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  options: z.array(z.string()),
  /** Created by the artist: editable. */
  official: z.boolean(),
  /** Username of the creator; empty without an account. */
  by: z.string(),
  votes: z.int(),
  state: z.enum(['open', 'closed', 'hidden']),
  createdAt: timestamp,
  endDate: timestamp,
  /** Last open day in the artist's time zone. */
  lastDay: z.string(),
  version: z.int(),
})
export type AdminPoll = z.infer<typeof AdminPoll>

export const adminListsApi = {
  newsletter: get('/api/admin/newsletter', z.array(AdminSubscriber), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` finds a whole address. Filters `state`, `city` (given, none), `joined`.',
    query: listQuery('state', 'city', 'joined'),
  }),
  cityDemand: get('/api/admin/city-demand', z.array(CityRequestCount), {
    ...editors,
    description: "Most requested first, 50 per page; `?q=` matches any part of a city's name. Sorts `people`, `city`.",
    query: listQuery(),
  }),
  polls: get('/api/admin/polls', z.array(AdminPoll), {
    ...editors,
    description:
      'Newest first, 50 per page; `?q=` finds titles by any three characters, shorter queries by prefix. Filters `state`, `by` (artist, supporters), `ends`; sorts `created`, `title`, `ends`.',
    query: listQuery('id', 'state', 'by', 'ends'),
  }),
}

/** A metric of the last 30 days, and of the 30 days before. */
const periodChange = z.object({ last30: z.int(), before30: z.int() })

/** Dashboard metrics, computed on request. */
export const Overview = z.object({
  /** Number of supporter accounts, excluding administrators, demo logins and erased accounts. */
  supporters: z.int(),
  streams: z.int(),
  /** Paid orders less refunds, integer cents. */
  revenueCents: z.int(),
  /** Growth of supporters over 30 days, percent with one decimal; null if there were none before. */
  growthPercent: z.nullable(z.number()),
  /** Whole percent, summing to 100; all 0 without supporters. */
  tiers: z.object({ bronze: z.int(), silver: z.int(), gold: z.int() }),
  /** Days are in the artist's time zone; the last one is today. `/api/admin/metrics` has those of each day. */
  changes: z.object({ supporters: periodChange, streams: periodChange, revenueCents: periodChange }),
  /** Most requested cities, at most ten. */
  cities: z.array(z.object({ city: z.string(), people: z.int() })),
  /** Most played, at most five. */
  topTracks: z.array(
    z.object({ id: z.int(), title: z.string(), artist: z.string(), plays: z.int(), likes: z.int(), coverUrl: href }),
  ),
})
export type Overview = z.infer<typeof Overview>

export const adminOverviewApi = {
  overview: get('/api/admin/overview', Overview, managers),
}

/**
 * Valid 24 hours from login, regardless of activity. `secondsLeft` is by the server's clock, for devices whose clock
 * is wrong.
 */
export const AdminSession = z.object({
  userId: z.int(),
  username: z.string(),
  /** Null if the role was just taken away. */
  teamRole: z.nullable(z.enum(TEAM_ROLES)),
  expiresAt: timestamp,
  secondsLeft: z.int(),
  hasPassword: z.boolean(),
  /** The account can re-authenticate with Google. */
  google: z.boolean(),
  /** The account has no password, Google, passkey or second factor: an emailed code re-authenticates. */
  emailedCode: z.boolean(),
})
export type AdminSession = z.infer<typeof AdminSession>

export const adminSessionApi = {
  login: post('/api/admin/login', LogIn, AdminSession, visitor),
  google: post('/api/admin/login/google', z.strictObject({ code: z.optional(secondFactorCode) }), AdminSession, {
    ...visitor,
    description:
      "Redeems this browser's sign-in with Google for the dashboard (`/api/auth/google?for=admin`), valid for five minutes. 400 `bad_token` without one.",
  }),
  logout: post('/api/admin/logout', null, null, visitor),
  session: get('/api/admin/session', AdminSession, team),
  reauthenticate: post(
    '/api/admin/confirm',
    z.union(
      [
        z.strictObject({ password: currentPassword, code: z.optional(secondFactorCode) }),
        z.strictObject({ emailedCode: reauthenticationCode }),
      ],
      'Please enter your password or the code we emailed.',
    ),
    AdminSession,
    { ...team, description: 'Authenticates again, for endpoints that need it; starts a new session.' },
  ),
  sendReauthenticationCode: post('/api/admin/confirm/code', null, null, {
    ...team,
    description:
      'Emails the `emailedCode` to the confirmed address of an admin without other credentials; else 409 `conflict`.',
    status: 202,
  }),
  secondFactor: get('/api/admin/second-factor', z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }), team),
  enrollSecondFactor: post(
    '/api/admin/second-factor/begin',
    null,
    z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    { ...team, recentAuth: true, description: 'The secret as text, `otpauth:` URL and QR code (SVG).' },
  ),
  confirmSecondFactor: post(
    '/api/admin/second-factor/confirm',
    z.strictObject({ code: secondFactorCode }),
    z.object({ recoveryCodes: z.array(z.string()) }),
    { ...team, recentAuth: true, description: 'Returns the recovery codes once.' },
  ),
  disableSecondFactor: post('/api/admin/second-factor/end', z.strictObject({ code: secondFactorCode }), null, {
    ...team,
    recentAuth: true,
  }),
}
