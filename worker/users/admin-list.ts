import { type SQL, sql } from 'drizzle-orm'
import type { AdminSupporter } from '../contract/admin'
import { TIERS } from '../contract/site'
import {
  columnFilter,
  conditionFilter,
  daysFilter,
  type ListDefinition,
  matchesSearch,
  startsWith,
  trigramPhrase,
} from '../db/list'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'

export type SupporterRow = {
  id: number
  username: string
  email: string
  emailVerified: number
  tier: AdminSupporter['tier']
  points: number
  createdAt: Millis
  lastActiveAt: Millis
  banned: number
  votesExcluded: number
}

const id = sql`users.id`
/** Three or more characters match anywhere in the username, fewer at its start. An email address must be complete. */
function searchSupporters(q: string): { where: SQL; from?: SQL; id?: SQL } {
  if (q.includes('@')) return { where: matchesSearch({ emails: [sql`users.email_key`] }, q) }
  if ([...q].length < 3) return { where: startsWith(sql`users.username_key`, normalizeKey(q)) }
  return {
    from: sql`supporter_search JOIN users ON users.id = supporter_search.rowid`,
    id: sql`supporter_search.rowid`,
    where: sql`supporter_search MATCH ${`username : ${trigramPhrase(q)}`}`,
  }
}

/** Supporters with masked emails: neither administrators nor erased accounts. Ids ascend with the time of sign-up. */
export const supporterList: ListDefinition<SupporterRow, AdminSupporter> = {
  select: sql`users.id, users.username, coalesce(users.email, '') AS email, email_verified_at IS NOT NULL AS emailVerified,
    tier, points, created_at AS createdAt, last_active_at AS lastActiveAt, banned_at IS NOT NULL AS banned,
    banned_at IS NOT NULL AND EXISTS (
      SELECT 1 FROM poll_votes WHERE user_id = users.id AND excluded_at IS NOT NULL) AS votesExcluded`,
  from: sql`users`,
  where: sql`role = 'supporter' AND erased_at IS NULL`,
  id,
  sorts: { joined: id, name: sql`username_key`, points: sql`points`, seen: sql`last_active_at` },
  defaultSort: '-joined',
  filters: {
    tier: columnFilter(sql`tier`, TIERS),
    state: conditionFilter({
      active: sql`(banned_at IS NULL AND (email IS NULL OR email_verified_at IS NOT NULL))`,
      unconfirmed: sql`(banned_at IS NULL AND email IS NOT NULL AND email_verified_at IS NULL)`,
      banned: sql`banned_at IS NOT NULL`,
    }),
    joined: daysFilter(sql`created_at`),
  },
  search: searchSupporters,
  toItem: ({ id, createdAt, lastActiveAt, email, emailVerified, banned, votesExcluded, ...row }) => ({
    ...row,
    id: String(id),
    email: maskEmail(email),
    emailVerified: emailVerified === 1,
    joinedAt: toIso(createdAt),
    lastActiveAt: toIso(lastActiveAt),
    banned: banned === 1,
    votesExcluded: votesExcluded === 1,
  }),
}

export const unknownUserError = () => new AppError('not_found', 'That account does not exist.')
