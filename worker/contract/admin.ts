import * as z from 'zod/mini'
import { currentPassword } from './credentials'
import { administrator, del, get, post } from './endpoint'
import { emailAddress, href, line, timestamp } from './fields'
import { PointsEntry } from './points'
import { TIERS } from './site'

/** A supporter as the desk lists them; the address is masked (ruling 8). */
export const AdminSupporter = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  tier: z.enum(TIERS),
  points: z.int(),
  joinedAt: timestamp,
  banned: z.boolean(),
})
export type AdminSupporter = z.infer<typeof AdminSupporter>

/** A line of a supporter's ledger as the desk reads it: `stands`, was `taken_back`, or is the `reversal` that did it. */
export const AdminPointsEntry = z.extend(PointsEntry, { state: z.enum(['stands', 'taken_back', 'reversal']) })
export type AdminPointsEntry = z.infer<typeof AdminPointsEntry>

export const Administrator = z.object({ id: z.string(), username: z.string(), email: z.string(), since: timestamp })
export type Administrator = z.infer<typeof Administrator>

/** One line of what administrators did. */
export const AuditEntry = z.object({
  id: z.string(),
  at: timestamp,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  /** What else was written down: reasons that were given, what it was before. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const adminUsersApi = {
  /** Newest first, 50 a page; `?q=` finds any three letters of a name or address. */
  supporters: get('/api/admin/supporters', z.array(AdminSupporter), administrator),
  /** A supporter's ledger, newest first, 50 a page. An entry that stands can be taken back: `pointsApi.void`. */
  points: get('/api/admin/supporters/:id/points', z.array(AdminPointsEntry), administrator),
  /** Logs them out everywhere at once, and their posts are out of sight; the reason is for the audit log. 409 `conflict` for an administrator. */
  ban: post('/api/admin/supporters/:id/ban', z.strictObject({ reason: line(200, 'The reason') }), null, administrator),
  unban: post('/api/admin/supporters/:id/unban', null, null, administrator),
  /** Erases the account as its owner could, for who asks by mail: for good. Within 15 minutes of the log-in. 409 `conflict` for an administrator. */
  erase: del('/api/admin/supporters/:id', null, null, administrator),
  administrators: get('/api/admin/administrators', z.array(Administrator), administrator),
  /** Makes the account with this confirmed address an administrator. Within 15 minutes of the log-in. */
  appoint: post('/api/admin/administrators', z.strictObject({ email: emailAddress }), null, administrator),
  /** 409 `conflict` for the last one. Within 15 minutes of the log-in. */
  revoke: del('/api/admin/administrators/:id', null, null, administrator),
  /** Newest first, 50 a page; `?q=` looks for an act or a person. */
  audit: get('/api/admin/audit', z.array(AuditEntry), administrator),
}

/** An address of the newsletter as the desk lists it, masked (ruling 8). */
export const AdminSubscriber = z.object({
  id: z.string(),
  email: z.string(),
  state: z.enum(['pending', 'confirmed', 'unsubscribed']),
  /** Empty where the reader has not said. */
  city: z.string(),
  joinedAt: timestamp,
})
export type AdminSubscriber = z.infer<typeof AdminSubscriber>

/** How many people have asked for a show in a city. */
export const CityRequestCount = z.object({ city: z.string(), people: z.int() })
export type CityRequestCount = z.infer<typeof CityRequestCount>

/** A poll as the desk sees it: with its counts, also while it takes votes. */
export const AdminPoll = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  options: z.array(z.string()),
  /** The artist's: its words can be changed at the desk. */
  official: z.boolean(),
  /** Who made it; empty for one that nobody's account made. */
  by: z.string(),
  votes: z.int(),
  state: z.enum(['open', 'closed', 'hidden']),
  createdAt: timestamp,
  endDate: timestamp,
  /** The last day that it is open, on the artist's calendar. */
  lastDay: z.string(),
})
export type AdminPoll = z.infer<typeof AdminPoll>

/** What the polls can be sorted by, `?sort=ends` or `?sort=-ends`. */
export const POLL_COLUMNS = ['title', 'ends'] as const
export type PollColumn = (typeof POLL_COLUMNS)[number]

export const adminListsApi = {
  /** Newest first, 50 a page; `?q=` finds addresses by how they begin. */
  newsletter: get('/api/admin/newsletter', z.array(AdminSubscriber), administrator),
  /** Most wanted first, 50 a page; `?q=` finds cities by any part of their names. */
  cityDemand: get('/api/admin/city-demand', z.array(CityRequestCount), administrator),
  /**
   * Newest first or by `?sort=`, 50 a page; `?q=` finds polls by any three letters of their titles, fewer by how a title
   * begins. 400 `bad_input` for another order.
   */
  polls: get('/api/admin/polls', z.array(AdminPoll), administrator),
}

/** What came in the last 30 days, and in the 30 before them. */
const periodChange = z.object({ last30: z.int(), before30: z.int() })

/** The desk's figures, each computed from the rows at the moment of asking (ruling 3). */
export const Overview = z.object({
  /** Accounts of supporters, without administrators, demo log-ins and erased ones. */
  supporters: z.int(),
  /** Plays of all tracks. */
  streams: z.int(),
  /** Paid orders, integer cents. */
  revenueCents: z.int(),
  /** Supporters now against 30 days ago, in per cent with one decimal; null when there were none then. */
  growthPercent: z.nullable(z.number()),
  /** In whole per cent, adding up to 100; all 0 without supporters. */
  tiers: z.object({ bronze: z.int(), silver: z.int(), gold: z.int() }),
  changes: z.object({ supporters: periodChange, streams: periodChange, revenueCents: periodChange }),
  /** The last 30 days (UTC), today included: supporters at its end, plays and paid cents of the day. */
  trend: z.array(z.object({ day: z.string(), supporters: z.int(), streams: z.int(), revenueCents: z.int() })),
  /** Where people want a show, most wanted first; at most ten. */
  cities: z.array(z.object({ city: z.string(), people: z.int() })),
  /** At most five, most played first. */
  topTracks: z.array(
    z.object({ id: z.int(), title: z.string(), artist: z.string(), plays: z.int(), likes: z.int(), coverUrl: href }),
  ),
})
export type Overview = z.infer<typeof Overview>

export const adminOverviewApi = {
  overview: get('/api/admin/overview', Overview, { role: 'administrator' }),
}

/**
 * An administrator's session: 24 hours from log-in, whatever is done meanwhile (ruling 7). `secondsLeft` is what is left
 * of them by the server's clock: a device whose own clock is wrong counts these down.
 */
export const AdminSession = z.object({ username: z.string(), expiresAt: timestamp, secondsLeft: z.int() })
export type AdminSession = z.infer<typeof AdminSession>

/** Six digits of the authenticator app, or a recovery code. */
const code = line(20, 'The code')

/** `code` is asked for with `second_factor_required` where the account has a second factor. */
export const AdminLogIn = z.strictObject({
  username: line(254, 'The username'),
  password: currentPassword,
  code: z.optional(code),
})

export const adminSessionApi = {
  login: post('/api/admin/login', AdminLogIn, AdminSession),
  logout: post('/api/admin/logout', null, null),
  session: get('/api/admin/session', AdminSession, administrator),
  secondFactor: get(
    '/api/admin/second-factor',
    z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
    administrator,
  ),
  /** The secret for the app, as text, as `otpauth:` address and as a QR code (SVG). Within 15 minutes of the log-in. */
  beginSecondFactor: post(
    '/api/admin/second-factor/begin',
    null,
    z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    administrator,
  ),
  /** The recovery codes are answered this once. */
  confirmSecondFactor: post(
    '/api/admin/second-factor/confirm',
    z.strictObject({ code }),
    z.object({ recoveryCodes: z.array(z.string()) }),
    administrator,
  ),
  endSecondFactor: post('/api/admin/second-factor/end', z.strictObject({ code }), null, administrator),
}
