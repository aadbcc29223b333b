import * as z from 'zod/mini'
import { administrator, del, get, post } from './endpoint'
import { PointsEntry } from './points'
import { TIERS } from './site'
import { emailAddress, line, timestamp } from './text'

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
