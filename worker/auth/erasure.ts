import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { postedIfChanged } from '../mail/outbox'
import { ERASED, erasedLetter } from './letters'

/**
 * Erases a person (ruling 28): the row stays without a name, so that votes and the ledger stay counted; everything that
 * tells who it was is gone, and every session with it. A feature that stores something about people adds its statement
 * here and to own-data.ts.
 * A keyed hash of the address is kept so that nothing is ever sent there again; the receipt is the last mail, and says
 * whether the person asked.
 * @throws Refused `conflict` for the last administrator: somebody must be able to open the desk.
 */
export async function eraseAccount(
  { db, secret }: { db: D1Database; secret: string },
  { userId, asked, silentSince }: { userId: number; asked: boolean; silentSince?: Millis },
  now: Millis,
): Promise<void> {
  const person = await db
    .prepare(
      `SELECT email, email_verified_at IS NOT NULL AS isTheirs, coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE id = ?1`,
    )
    .bind(userId)
    .first<{ email: string | null; isTheirs: number; siteName: string }>()
  const suppressed = person?.email && person.isTheirs ? await suppressionHash(secret, fold(person.email)) : null
  // What is found by an address is theirs only if the address is: anybody may sign up with anybody's.
  const before = 'SELECT email_key FROM users WHERE id = ?1 AND email_verified_at IS NOT NULL'
  // Who came back while the list of the silent was being worked off stays.
  const silent = silentSince === undefined ? '' : ` AND last_active_at <= ${Number(silentSince)}`
  const mayGo = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND erased_at IS NULL${silent} AND (role <> 'administrator' OR EXISTS (
    SELECT 1 FROM users WHERE role = 'administrator' AND id <> ?1 AND erased_at IS NULL AND banned_at IS NULL)))`
  // The row goes after all that is found by its address; the receipt is written if it went.
  const results = await db.batch(
    [
      `DELETE FROM subscribers WHERE email_key = (${before}) AND ${mayGo}`,
      `DELETE FROM show_alerts WHERE email_key = (${before}) AND ${mayGo}`,
      `DELETE FROM outbox WHERE lower(recipient) = (SELECT email_key FROM users WHERE id = ?1)
       AND (kind IN ('verify', 'reset', 'confirm', 'password_changed') OR lower(recipient) = (${before})) AND ${mayGo}`,
      `DELETE FROM privacy_inquiries WHERE email_key = (${before}) AND ${mayGo}`,
      // A transaction is kept without who it was (ruling 28). Seven years later the row goes, too: orders/retention.ts.
      `UPDATE orders SET email = NULL, shipping_address = NULL
       WHERE (user_id = ?1 OR lower(email) = (${before})) AND ${mayGo}`,
      `UPDATE verse_submissions SET name = 'Deleted', email = 'deleted', phone_number = ''
       WHERE lower(email) = (${before}) AND ${mayGo}`,
      // Files that may hold the person: not to be had from now on, and gone from R2 with the day's sweep.
      `UPDATE exports SET expires_at = ?2 WHERE state = 'ready' AND kind <> 'golden-verse-votes' AND expires_at > ?2
       AND ${mayGo}`,
      `DELETE FROM mail_tokens WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM identities WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM authenticators WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM recovery_codes WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM show_goers WHERE user_id = ?1 AND ${mayGo}`,
      // The points of a post stay with the ledger; its words go.
      `UPDATE posts SET text = '', title = '' WHERE author_id = ?1 AND ${mayGo}`,
      `UPDATE post_reports SET reason = '' WHERE user_id = ?1 AND ${mayGo}`,
      // The desk is left with it, which is an act like any other there.
      `INSERT INTO audit_log (at, actor_id, action, subject, detail)
       SELECT ?2, ?1, 'administrator.left', 'user:' || ?1, '{}' FROM users
       WHERE id = ?1 AND role = 'administrator' AND ${mayGo}`,
    ]
      .map((statement) => db.prepare(statement).bind(...(statement.includes('?2') ? [userId, now] : [userId])))
      .concat(
        // Nothing tells any more who it was, and yet nothing is to be sent there.
        db
          .prepare(
            `INSERT INTO suppressions (hash, created_at) SELECT ?2, ?3 WHERE ?2 IS NOT NULL AND ${mayGo} ON CONFLICT DO NOTHING`,
          )
          .bind(userId, suppressed, now),
        db
          .prepare(
            `UPDATE users SET username = 'deleted-' || id, username_key = 'deleted:' || id, email = NULL, email_key = NULL,
               mailbox_key = NULL, email_verified_at = NULL, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
               referral_code = NULL, leaderboard_opt_out = 1, role = 'supporter', session_epoch = session_epoch + 1,
               erased_at = ?2
             WHERE id = ?1 AND ${mayGo} RETURNING id`,
          )
          .bind(userId, now),
        person?.email ? [receipt(db, { ...person, email: person.email, userId, asked, at: now })] : [],
      ),
  )
  if (!results.some(({ results: rows }) => rows.length > 0))
    throw new Refused('conflict', 'You are the last administrator. Please make somebody else one first.')
}

/** The last mail to the address, if the account is gone; a daily job forgets it once it has been sent. */
function receipt(
  db: D1Database,
  {
    email,
    siteName,
    userId,
    asked,
    at,
  }: { email: string; siteName: string; userId: number; asked: boolean; at: Millis },
): D1PreparedStatement {
  const letter = erasedLetter({ siteName, at: new Date(at).toISOString(), asked })
  const post = { to: email, letter, dedupeKey: `${ERASED}:${userId}`, at }
  return postedIfChanged(db, post)
}
