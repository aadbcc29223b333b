import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import type { Caller } from './people'

/**
 * Erases a person (ruling 28): the row stays without a name, so that votes and the ledger stay counted; everything that
 * tells who it was is gone, and every session with it. A feature that stores something about people adds its statement
 * here and to own-data.ts.
 * `suppressed` (lib/suppression) is kept so that nothing is ever sent there again.
 * @throws Refused `conflict` for the last administrator: somebody must be able to open the desk.
 */
export async function eraseAccount(
  db: D1Database,
  { userId }: Pick<Caller, 'userId'>,
  now: Millis,
  suppressed: string | null = null,
): Promise<void> {
  const before = 'SELECT email_key FROM users WHERE id = ?1'
  const mayGo = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND erased_at IS NULL AND (role <> 'administrator' OR EXISTS (
    SELECT 1 FROM users WHERE role = 'administrator' AND id <> ?1 AND erased_at IS NULL AND banned_at IS NULL)))`
  // The row goes last: the statements before it find by its address what else there is.
  const results = await db.batch(
    [
      `DELETE FROM subscribers WHERE email_key = (${before}) AND ${mayGo}`,
      `DELETE FROM show_alerts WHERE email_key = (${before}) AND ${mayGo}`,
      `DELETE FROM outbox WHERE recipient = (SELECT email FROM users WHERE id = ?1) AND ${mayGo}`,
      `DELETE FROM privacy_inquiries WHERE email_key = (${before}) AND ${mayGo}`,
      `DELETE FROM mail_tokens WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM identities WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM authenticators WHERE user_id = ?1 AND ${mayGo}`,
      `DELETE FROM recovery_codes WHERE user_id = ?1 AND ${mayGo}`,
    ]
      .map((statement) => db.prepare(statement).bind(userId))
      .concat(
        // Nothing tells any more who it was, and yet nothing is to be sent there.
        db
          .prepare(
            `INSERT INTO suppressions (hash, created_at) SELECT ?2, ?3 WHERE ?2 IS NOT NULL AND ${mayGo} ON CONFLICT DO NOTHING`,
          )
          .bind(userId, suppressed, now),
        db
          .prepare(
            `UPDATE users SET username = 'deleted-' || id, username_key = 'deleted-' || id, email = NULL, email_key = NULL,
               mailbox_key = NULL, email_verified_at = NULL, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
               referral_code = NULL, leaderboard_opt_out = 1, role = 'supporter', session_epoch = session_epoch + 1,
               erased_at = ?2
             WHERE id = ?1 AND ${mayGo} RETURNING id`,
          )
          .bind(userId, now),
      ),
  )
  if (!results.at(-1)?.results.length)
    throw new Refused('conflict', 'You are the last administrator. Please make somebody else one first.')
}
