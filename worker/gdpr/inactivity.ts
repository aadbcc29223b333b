import { INACTIVITY_WARNING_DAYS, RETENTION } from '../contract/retention'
import type { BatchResult } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { addMonths, DAY_MS, dueCutoff, HOUR_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { orderUnderWaySql } from '../orders/retention'
import { GRANTING_STATUSES_SQL } from '../subscriptions/subscription-events'
import { inactivityWarningEmail } from './emails'
import { eraseUser } from './erase-user'
import { formatDay } from './inquiries'

const WARNING_LEAD_MS: Millis = INACTIVITY_WARNING_DAYS * DAY_MS
/** An undelivered warning is sent again after this time, until the mailbox has rejected `MAX_WARNINGS`. */
const WARNING_RETRY_MS: Millis = 7 * DAY_MS
const MAX_WARNINGS = 3
const WARNING_BATCH_SIZE = 100
/** Accounts per step of the job; each is erased in one D1 batch. */
const ERASURE_BATCH_SIZE = 5
/** A failed erasure is repeated after this time: by the next day's job, not in a later step of the same one. */
const ERASURE_RETRY_MS: Millis = 20 * HOUR_MS

const erasureDueAt = (lastActiveAt: Millis) => addMonths(lastActiveAt, RETENTION.inactiveAccountMonths)

type InactiveUser = {
  id: number
  username: string | null
  email: string | null
  lastActiveAt: Millis
  siteName: string
}

/**
 * SQL over `users`, with the current time as ?3: accounts that may be erased. Excludes demo log-ins, the team's last
 * owner, and users who pay for a tier or wait for a shipment or a refund.
 */
const IS_ELIGIBLE = `erased_at IS NULL AND is_demo_login = 0 AND tier = 'bronze'
  AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE user_id = users.id AND status IN ${GRANTING_STATUSES_SQL})
  AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = users.id AND ${orderUnderWaySql('?3')})
  AND (NOT EXISTS (SELECT 1 FROM team_members WHERE user_id = users.id AND role = 'owner') OR EXISTS (
    SELECT 1 FROM team_members JOIN users other ON other.id = team_members.user_id
    WHERE team_members.role = 'owner' AND other.id <> users.id
      AND other.erased_at IS NULL AND other.banned_at IS NULL))`

/**
 * FROM clause: the warnings enqueued for a user since they were last active. `+` prevents the use of the index on
 * `kind`: the index on the address is more selective.
 */
const CURRENT_WARNINGS = `FROM outbox warning WHERE lower(warning.recipient) = lower(users.email)
  AND +warning.kind = 'inactive' AND warning.created_at > users.last_active_at`
/**
 * SQL condition: the mailbox rejected the warning, or may have. A warning that used up its attempts does not count,
 * because the provider may have been down.
 */
const WARNING_FAILED = `(warning.state = 'unknown'
  OR (warning.state = 'failed' AND warning.attempts < ${limits.maxEmailAttempts}))`
const NO_WARNING_PENDING_OR_SENT = `NOT EXISTS (SELECT 1 ${CURRENT_WARNINGS} AND warning.state IN ('waiting', 'sent'))`
const ALL_WARNINGS_FAILED = `(SELECT count(*) ${CURRENT_WARNINGS} AND ${WARNING_FAILED}) >= ${MAX_WARNINGS}
  AND ${NO_WARNING_PENDING_OR_SENT}`

/**
 * Warns users whose erasure is due within `WARNING_LEAD_MS`, until one warning is sent or the mailbox has rejected
 * `MAX_WARNINGS`.
 */
export async function warnInactiveUsers({ db, origin }: Pick<Deps, 'db' | 'origin'>, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, iif(email_verified_at IS NULL, NULL, username) AS username, email, last_active_at AS lastActiveAt,
         coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE ${IS_ELIGIBLE} AND email IS NOT NULL AND last_active_at <= ?1
         AND (inactivity_warned_at IS NULL OR inactivity_warned_at < last_active_at
           OR (inactivity_warned_at <= ?2 AND NOT (${ALL_WARNINGS_FAILED}) AND ${NO_WARNING_PENDING_OR_SENT}))
       ORDER BY last_active_at LIMIT ${WARNING_BATCH_SIZE}`,
    )
    .bind(dueCutoff(at + WARNING_LEAD_MS, RETENTION.inactiveAccountMonths), at - WARNING_RETRY_MS, at)
    .all<InactiveUser>()
  const due = results.filter(({ lastActiveAt }) => erasureDueAt(lastActiveAt) - WARNING_LEAD_MS <= at)
  if (!due.length) return { affected: 0, more: false }
  await d1.batch(
    due.flatMap(({ id, username, email, lastActiveAt, siteName }) => {
      const endDay = formatDay(Math.max(erasureDueAt(lastActiveAt), at + WARNING_LEAD_MS))
      return [
        d1
          .prepare('UPDATE users SET inactivity_warned_at = ?2 WHERE id = ?1 AND last_active_at = ?3')
          .bind(id, at, lastActiveAt),
        enqueueEmail(d1, {
          to: email ?? '',
          email: inactivityWarningEmail({ siteName, origin, username, endDay }),
          // At most one warning a day, however often the job runs.
          dedupeKey: `inactive:${id}:${lastActiveAt}:${Math.floor(at / DAY_MS)}`,
          at,
        }),
      ]
    }),
  )
  return { affected: due.length, more: due.length === WARNING_BATCH_SIZE }
}

/**
 * SQL over `users`: a warning was sent at or before ?2, or none can be: the account has no address, or all its warnings
 * failed while an email created after ?2 was sent.
 */
const IS_WARNED = `(email IS NULL OR (inactivity_warned_at >= last_active_at AND inactivity_warned_at <= ?2 AND (
  EXISTS (SELECT 1 ${CURRENT_WARNINGS} AND warning.state = 'sent' AND warning.sent_at <= ?2)
  OR (${ALL_WARNINGS_FAILED} AND EXISTS (SELECT 1 FROM outbox WHERE state = 'sent' AND created_at > ?2)))))`

/**
 * Erases accounts inactive for `RETENTION.inactiveAccountMonths` that were warned at least `WARNING_LEAD_MS` ago, or
 * that no warning can reach (`IS_WARNED`).
 */
export async function eraseInactiveUsers(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  at: Millis,
): Promise<BatchResult> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, last_active_at AS lastActiveAt FROM users WHERE ${IS_ELIGIBLE} AND last_active_at <= ?1 AND ${IS_WARNED}
         AND (erase_failed_at IS NULL OR erase_failed_at <= ?3 - ${ERASURE_RETRY_MS})
       ORDER BY last_active_at LIMIT ${ERASURE_BATCH_SIZE}`,
    )
    .bind(dueCutoff(at, RETENTION.inactiveAccountMonths), at - WARNING_LEAD_MS, at)
    .all<Pick<InactiveUser, 'id' | 'lastActiveAt'>>()
  // `dueCutoff` also selects accounts up to three days early. They come last, and must not prolong the job.
  const due = results.filter(({ lastActiveAt }) => erasureDueAt(lastActiveAt) <= at)
  for (const { id: userId, lastActiveAt } of due)
    await eraseOrRecordFailure({ db, secret }, { userId, byUserRequest: false, inactiveSince: lastActiveAt }, at)
  const more = due.length === ERASURE_BATCH_SIZE
  if (!more) await throwIfErasuresFailed(d1, 'Inactive', at)
  return { affected: due.length, more }
}

/**
 * Erases accounts with an unconfirmed address after `RETENTION.unconfirmedAccountDays` without a visit, except those
 * with a paid order or a redeemed download code. A day is added, because a session records visits once a day.
 */
export async function eraseUnconfirmedUsers(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  at: Millis,
): Promise<BatchResult> {
  const inactiveSince = at - (RETENTION.unconfirmedAccountDays + 1) * DAY_MS
  const { results } = await db.$client
    .prepare(
      `SELECT id FROM users WHERE ${IS_ELIGIBLE} AND ${IS_UNCONFIRMED} AND last_active_at <= ?1
         AND (erase_failed_at IS NULL OR erase_failed_at <= ?3 - ?2)
         AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = users.id AND paid_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM download_codes WHERE user_id = users.id)
       ORDER BY last_active_at LIMIT ${ERASURE_BATCH_SIZE}`,
    )
    .bind(inactiveSince, ERASURE_RETRY_MS, at)
    .all<{ id: number }>()
  for (const { id: userId } of results)
    await eraseOrRecordFailure(
      { db, secret },
      { userId, byUserRequest: false, inactiveSince, onlyUnconfirmed: true },
      at,
    )
  const more = results.length === ERASURE_BATCH_SIZE
  if (!more) await throwIfErasuresFailed(db.$client, 'Unconfirmed', at)
  return { affected: results.length, more }
}

/** SQL over `users`. */
const IS_UNCONFIRMED = '(email_verified_at IS NULL AND email IS NOT NULL)'

async function eraseOrRecordFailure(
  deps: Pick<Deps, 'db' | 'secret'>,
  input: Parameters<typeof eraseUser>[1],
  at: Millis,
): Promise<void> {
  try {
    await eraseUser(deps, input, at)
  } catch {
    await deps.db.$client.prepare('UPDATE users SET erase_failed_at = ?2 WHERE id = ?1').bind(input.userId, at).run()
  }
}

/** Called after the last batch, so that a failure does not stop the erasure of others. @throws if erasures failed. */
async function throwIfErasuresFailed(d1: D1Database, accounts: 'Inactive' | 'Unconfirmed', at: Millis): Promise<void> {
  const failedCount = await d1
    .prepare(
      `SELECT count(*) AS failed FROM users WHERE erased_at IS NULL AND erase_failed_at > ?1 - ?2
         AND ${IS_UNCONFIRMED} = ${accounts === 'Unconfirmed'}`,
    )
    .bind(at, ERASURE_RETRY_MS)
    .first<number>('failed')
  if (failedCount) throw new Error(`${accounts} accounts that could not be erased: ${failedCount}.`)
}
