import type { AdminSupporter } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListParams, type Page, paginate, parseNumericCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'

/** SQL: neither administrators nor erased accounts. */
const IS_SUPPORTER = `role = 'supporter' AND erased_at IS NULL`

type SupporterRow = {
  id: number
  username: string
  email: string
  emailVerified: number
  tier: AdminSupporter['tier']
  points: number
  at: Millis
  banned: number
  votesExcluded: number
}
const COLUMNS = `users.id, users.username, coalesce(users.email, '') AS email, email_verified_at IS NOT NULL AS emailVerified,
  tier, points, created_at AS at, banned_at IS NOT NULL AS banned,
  banned_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM poll_votes WHERE user_id = users.id AND excluded_at IS NOT NULL) AS votesExcluded`
const LIMIT = `LIMIT ${limits.adminPageSize + 1}`

// Raw SQL for the full-text index. ?1 is the last id of the previous page: ids ascend with the time of sign-up.
const ALL_SUPPORTERS = `SELECT ${COLUMNS} FROM users WHERE users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC ${LIMIT}`
/** Three or more characters match anywhere in username or email, by trigrams. */
export const SUPPORTERS_BY_TRIGRAM = `SELECT ${COLUMNS} FROM supporter_search JOIN users ON users.id = supporter_search.rowid
  WHERE supporter_search MATCH ?2 AND supporter_search.rowid < ?1 AND ${IS_SUPPORTER}
  ORDER BY supporter_search.rowid DESC ${LIMIT}`
/** One or two characters match the start of the username. */
const SUPPORTERS_BY_PREFIX = `SELECT ${COLUMNS} FROM users WHERE username_key >= ?2 AND username_key < ?2 || char(1114111)
  AND users.id < ?1 AND ${IS_SUPPORTER} ORDER BY users.id DESC ${LIMIT}`

/** A page of supporters, newest first, emails masked. @throws AppError `bad_input`. */
export async function listSupporters(db: Db, { q, cursor }: ListParams): Promise<Page<AdminSupporter>> {
  const { id: beforeId } = parseNumericCursor(cursor)
  const d1 = db.$client
  const length = [...q].length
  const query =
    length === 0
      ? d1.prepare(ALL_SUPPORTERS).bind(beforeId)
      : length < 3
        ? d1.prepare(SUPPORTERS_BY_PREFIX).bind(beforeId, normalizeKey(q))
        : d1.prepare(SUPPORTERS_BY_TRIGRAM).bind(beforeId, `"${q.replaceAll('"', '""')}"`)
  const { rows, next } = paginate((await query.all<SupporterRow>()).results, limits.adminPageSize)
  return {
    rows: rows.map(({ id, at, email, emailVerified, banned, votesExcluded, ...row }) => ({
      ...row,
      id: String(id),
      email: maskEmail(email),
      emailVerified: emailVerified === 1,
      joinedAt: new Date(at).toISOString(),
      banned: banned === 1,
      votesExcluded: votesExcluded === 1,
    })),
    next,
  }
}

export const unknownUserError = () => new AppError('not_found', 'That account does not exist.')
