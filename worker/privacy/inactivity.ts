import { eraseAccount } from '../auth/erasure'
import { RETENTION, WARNED_BEFORE_DAYS } from '../contract/retention'
import type { Step } from '../db/portions'
import { DAY, HOUR, type Millis } from '../lib/clock'
import { monthsAfter, youngestDue } from '../lib/months'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { posted } from '../mail/outbox'
import { outstanding } from '../orders/outstanding'
import { GRANTING } from '../subscriptions/take-in'
import { dayOf } from './inquiries'
import type { House } from './job-runs'
import { inactiveLetter } from './letters'

const WARNED_BEFORE: Millis = WARNED_BEFORE_DAYS * DAY
/** A warning that did not go out is written again after so long, and a mailbox that refuses it is asked so often. */
const WARNED_AGAIN: Millis = 7 * DAY
const WARNINGS = 3
/** Warnings that one step writes; accounts that one step erases, each in a batch of its own. */
const WARNED_AT_ONCE = 100
const ERASED_AT_ONCE = 5
/** One that could not be erased is tried again the next day; until then it is in nobody's way. */
const TRIED_AGAIN: Millis = 20 * HOUR

/** When an account that nobody has used since `lastActiveAt` ends. */
const endOf = (lastActiveAt: Millis) => monthsAfter(lastActiveAt, RETENTION.inactiveAccountMonths)

type Row = { id: number; username: string; email: string | null; lastActiveAt: Millis; siteName: string }

/**
 * Whose account can end; ?3 now. A demo's log-ins are printed for whoever starts it; the accounts of a deployment are all alike,
 * but the last administrator stays: somebody must be able to open the desk. Who pays for a tier, or waits for a parcel or
 * money, is no stranger however long they did not log in (decision 0017).
 */
const STANDING = `erased_at IS NULL AND is_demo_login = 0 AND tier = 'bronze'
  AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE user_id = users.id AND status IN ${GRANTING})
  AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = users.id AND ${outstanding('?3')})
  AND NOT (role = 'administrator' AND NOT EXISTS (
  SELECT 1 FROM users other WHERE other.role = 'administrator' AND other.id <> users.id
    AND other.erased_at IS NULL AND other.banned_at IS NULL))`

/** The warnings of this silence: their keys begin with the person and the day they fell silent. */
const WARNINGS_OF_THIS = `FROM outbox w WHERE w.dedupe_key > 'inactive:' || users.id || ':' || last_active_at || ':'
  AND w.dedupe_key < 'inactive:' || users.id || ':' || last_active_at || ';'`
/** Never will be delivered, or nobody knows; what was given up after many tries says nothing of the mailbox. */
const UNDELIVERED = `(w.state = 'unknown' OR (w.state = 'failed' AND w.attempts < ${limits.mailTries}))`
const REFUSED = `(SELECT count(*) ${WARNINGS_OF_THIS} AND ${UNDELIVERED}) >= ${WARNINGS}
  AND NOT EXISTS (SELECT 1 ${WARNINGS_OF_THIS} AND w.state IN ('waiting', 'sent'))`

/** Warns accounts that end within `WARNED_BEFORE_DAYS`: until one warning is sent, or the mailbox has refused several. */
export async function warnInactive({ db, origin }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, username, email, last_active_at AS lastActiveAt, coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE ${STANDING} AND email IS NOT NULL AND last_active_at <= ?1
         AND (inactivity_warned_at IS NULL OR inactivity_warned_at < last_active_at
           OR (inactivity_warned_at <= ?2 AND NOT (${REFUSED})
             AND NOT EXISTS (SELECT 1 ${WARNINGS_OF_THIS} AND w.state IN ('waiting', 'sent'))))
       ORDER BY last_active_at LIMIT ${WARNED_AT_ONCE}`,
    )
    .bind(youngestDue(at + WARNED_BEFORE, RETENTION.inactiveAccountMonths), at - WARNED_AGAIN, at)
    .all<Row>()
  const due = results.filter(({ lastActiveAt }) => endOf(lastActiveAt) - WARNED_BEFORE <= at)
  if (!due.length) return { affected: 0, more: false }
  await d1.batch(
    due.flatMap(({ id, username, email, lastActiveAt, siteName }) => {
      const ends = dayOf(Math.max(endOf(lastActiveAt), at + WARNED_BEFORE))
      return [
        d1
          .prepare('UPDATE users SET inactivity_warned_at = ?2 WHERE id = ?1 AND last_active_at = ?3')
          .bind(id, at, lastActiveAt),
        posted(d1, {
          to: email ?? '',
          letter: inactiveLetter({ siteName, origin, username, ends }),
          // Two runs on one day write one.
          dedupeKey: `inactive:${id}:${lastActiveAt}:${Math.floor(at / DAY)}`,
          at,
        }),
      ]
    }),
  )
  return { affected: due.length, more: results.length === WARNED_AT_ONCE }
}

/**
 * ?2 thirty days ago: a warning went out by then. Accounts without an address cannot be warned; nor can one whose
 * mailbox has refused every warning, where other mail of ours does go out.
 */
const WARNED = `(email IS NULL OR (inactivity_warned_at >= last_active_at AND inactivity_warned_at <= ?2 AND (
  EXISTS (SELECT 1 ${WARNINGS_OF_THIS} AND w.state = 'sent' AND w.sent_at <= ?2)
  OR (${REFUSED} AND EXISTS (SELECT 1 FROM outbox WHERE state = 'sent' AND created_at > ?2)))))`

/** Erases accounts that nobody has used for the policy's span and that were warned `WARNED_BEFORE_DAYS` ago. */
export async function eraseInactive({ db, secret }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, last_active_at AS lastActiveAt FROM users WHERE ${STANDING} AND last_active_at <= ?1 AND ${WARNED}
         AND (erase_failed_at IS NULL OR erase_failed_at <= ?3 - ${TRIED_AGAIN})
       ORDER BY last_active_at LIMIT ${ERASED_AT_ONCE}`,
    )
    .bind(youngestDue(at, RETENTION.inactiveAccountMonths), at - WARNED_BEFORE, at)
    .all<Pick<Row, 'id' | 'lastActiveAt'>>()
  const due = results.filter(({ lastActiveAt }) => endOf(lastActiveAt) <= at)
  for (const { id, lastActiveAt } of due) {
    try {
      await eraseAccount({ db: d1, secret }, { userId: id, asked: false, silentSince: lastActiveAt }, at)
    } catch (error) {
      // The other administrator went a moment ago, or the person came back; or this one fails, and the next may not.
      if (error instanceof Refused) continue
      await d1.prepare('UPDATE users SET erase_failed_at = ?2 WHERE id = ?1').bind(id, at).run()
    }
  }
  const more = results.length === ERASED_AT_ONCE
  if (!more) await complain(d1, at)
  return { affected: due.length, more }
}

/** Said once, when nobody is left but those that fail. @throws where there are any. */
async function complain(d1: D1Database, at: Millis): Promise<void> {
  const stuck = await d1
    .prepare('SELECT count(*) AS n FROM users WHERE erased_at IS NULL AND erase_failed_at > ?1 - ?2')
    .bind(at, TRIED_AGAIN)
    .first<number>('n')
  if (stuck) throw new Error(`Silent accounts that could not be erased: ${stuck}.`)
}
