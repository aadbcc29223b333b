import { recordedIfChanged } from '../audit/audit'
import { requesterKey } from '../concerts/wishes'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { personHashes } from '../lib/person-hashes'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { postedIfChanged } from '../mail/outbox'
import { trialHashes } from '../subscriptions/trials'
import { FORGOTTEN } from './forgotten'
import { ERASED, erasedLetter } from './letters'

type Person = {
  email: string | null
  isTheirs: number
  mailboxKey: string | null
  phoneHash: string | null
  siteName: string
}

/**
 * Erases a person (ruling 28): the row stays without a name, so that votes and the ledger stay counted; everything that
 * tells who it was is gone, and every session with it. A feature that stores something about people adds its statement
 * to forgotten.ts and its query to own-data.ts; what is found by an address, to by-address.ts.
 * A keyed hash of the address is kept so that nothing is ever sent there again; the receipt is the last mail, and says
 * whether the person asked. `by` is the administrator who does it for them, which is written down with it.
 * @throws Refused `conflict` for the last administrator: somebody must be able to open the desk.
 */
export async function eraseAccount(
  { db, secret }: { db: D1Database; secret: string },
  { userId, asked, silentSince, by }: { userId: number; asked: boolean; silentSince?: Millis; by?: number },
  now: Millis,
): Promise<void> {
  const person = await db
    .prepare(
      `SELECT email, email_verified_at IS NOT NULL AS isTheirs, mailbox_key AS mailboxKey, phone_hash AS phoneHash,
         coalesce((SELECT name FROM site), 'This site') AS siteName
       FROM users WHERE id = ?1`,
    )
    .bind(userId)
    .first<Person>()
  const suppressed = person?.email && person.isTheirs ? await suppressionHash(secret, fold(person.email)) : null
  const binds = [
    userId,
    now,
    await requesterKey(secret, { userId, address: '', at: now }),
    await trialHashes(secret, person ?? { mailboxKey: null, phoneHash: null }),
    await personHashes(secret, 'referral', person ?? { mailboxKey: null, phoneHash: null }),
  ]
  // Who came back while the list of the silent was being worked off stays.
  const silent = silentSince === undefined ? '' : ` AND last_active_at <= ${Number(silentSince)}`
  const mayGo = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND erased_at IS NULL${silent} AND (role <> 'administrator' OR EXISTS (
    SELECT 1 FROM users WHERE role = 'administrator' AND id <> ?1 AND erased_at IS NULL AND banned_at IS NULL)))`
  // The row goes after all that is found by its address; the receipt is written if it went.
  const results = await db.batch([
    ...forgetting(db, FORGOTTEN, { binds, mayGo }),
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
           age_confirmed_at = NULL, age_wording = NULL, inactivity_warned_at = NULL, erased_at = ?2
         WHERE id = ?1 AND ${mayGo} RETURNING id`,
      )
      .bind(userId, now),
    ...(by === undefined
      ? []
      : [recordedIfChanged(db, { actorId: by, action: 'supporter.erased', subject: `user:${userId}`, at: now })]),
    ...(person?.email ? [receipt(db, { ...person, email: person.email, userId, asked, at: now })] : []),
  ])
  if (!results.some(({ results: rows }) => rows.length > 0))
    throw new Refused('conflict', 'You are the last administrator. Please make somebody else one first.')
}

/** The statements that forget, each where `mayGo` (SQL) holds and with as many of `binds` as it names. */
export function forgetting(
  db: D1Database,
  statements: readonly string[],
  { binds, mayGo }: { binds: readonly (string | number)[]; mayGo: string },
): D1PreparedStatement[] {
  return statements.map((what) => {
    const sql = `${what} AND ${mayGo}${what.startsWith('INSERT') ? ' ON CONFLICT DO NOTHING' : ''}`
    const highest = Math.max(...[...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place)))
    return db.prepare(sql).bind(...binds.slice(0, highest))
  })
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
