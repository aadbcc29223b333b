import { eraseAccount } from '../auth/erasure'
import { RETENTION } from '../contract/retention'
import { DAY, type Millis } from '../lib/clock'
import { monthsAfter, youngestDue } from '../lib/months'
import { Refused } from '../lib/refused'
import { posted } from '../mail/outbox'
import { dayOf } from './inquiries'
import type { House, Step } from './job-runs'
import { inactiveLetter } from './letters'

/** An account is warned so long before it ends; it never ends sooner after its warning than this. */
export const WARNED_BEFORE: Millis = 30 * DAY
const AT_ONCE = 100

/** When an account that nobody has used since `lastActiveAt` ends. */
const endOf = (lastActiveAt: Millis) => monthsAfter(lastActiveAt, RETENTION.inactiveAccountMonths)

type Row = { id: number; username: string; email: string | null; lastActiveAt: Millis; siteName: string }

// A demo's log-ins are printed for whoever starts it; the accounts of a deployment are all alike.
const STANDING = 'erased_at IS NULL AND is_demo_login = 0'

/** Warns accounts that end within `WARNED_BEFORE`, once for each time that they have fallen silent. */
export async function warnInactive({ db, origin }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, username, email, last_active_at AS lastActiveAt, coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE ${STANDING} AND email IS NOT NULL AND last_active_at <= ?1
         AND (inactivity_warned_at IS NULL OR inactivity_warned_at < last_active_at)
       ORDER BY last_active_at LIMIT ?2`,
    )
    .bind(youngestDue(at + WARNED_BEFORE, RETENTION.inactiveAccountMonths), AT_ONCE)
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
          dedupeKey: `inactive:${id}:${lastActiveAt}`,
          at,
        }),
      ]
    }),
  )
  return { affected: due.length, more: results.length === AT_ONCE }
}

/**
 * Erases accounts that nobody has used for the policy's span and that were warned `WARNED_BEFORE` ago; accounts without
 * an address cannot be warned. The last administrator stays: somebody must be able to open the desk.
 */
export async function eraseInactive({ db, secret }: House, at: Millis): Promise<Step> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, last_active_at AS lastActiveAt FROM users
       WHERE ${STANDING} AND last_active_at <= ?1
         AND (email IS NULL OR (inactivity_warned_at >= last_active_at AND inactivity_warned_at <= ?2))
         AND NOT (role = 'administrator' AND NOT EXISTS (
           SELECT 1 FROM users other WHERE other.role = 'administrator' AND other.id <> users.id
             AND other.erased_at IS NULL AND other.banned_at IS NULL))
       ORDER BY last_active_at LIMIT ?3`,
    )
    .bind(youngestDue(at, RETENTION.inactiveAccountMonths), at - WARNED_BEFORE, AT_ONCE)
    .all<Pick<Row, 'id' | 'lastActiveAt'>>()
  const due = results.filter(({ lastActiveAt }) => endOf(lastActiveAt) <= at)
  let affected = 0
  for (const { id, lastActiveAt } of due) {
    try {
      await eraseAccount({ db: d1, secret }, { userId: id, asked: false, silentSince: lastActiveAt }, at)
      affected++
    } catch (error) {
      // The other administrator went a moment ago, or the person came back.
      if (!(error instanceof Refused)) throw error
    }
  }
  return { affected, more: affected > 0 && results.length === AT_ONCE }
}
