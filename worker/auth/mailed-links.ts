import { DAY, type Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { Refused } from '../lib/refused'
import { sha256 } from '../lib/secret'
import { limits } from '../limits'
import { postedToNewcomer } from '../mail/caps'
import { posted } from '../mail/outbox'
import { allowed, attemptKey, forgiveTries } from './attempts'
import { changedLetter, resetLetter, verifyLetter } from './letters'
import { triesKeys } from './login'
import { keepToken, newMailToken, type Purpose } from './mail-tokens'
import { hashPassword } from './password'
import { payReferrer } from './referrals'
import { refuseCommon } from './signup'

type House = { db: D1Database; secret: string; origin: string }
type Holder = { userId: number; username: string; email: string; siteName: string; used: number; verified: number }

const deadLink = () => new Refused('bad_token', 'This link does not work any more. Please ask for a new one.')

/** Whom a mailed secret belongs to while it is young and the account still has the address it was mailed to. */
async function holderOf(db: D1Database, hash: string, purpose: Purpose, now: Millis): Promise<Holder | null> {
  return db
    .prepare(
      `SELECT users.id AS userId, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName,
         used_at IS NOT NULL AS used, email_verified_at IS NOT NULL AS verified
       FROM mail_tokens JOIN users ON users.id = mail_tokens.user_id AND users.email_key = mail_tokens.email_key
       WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3 AND banned_at IS NULL AND erased_at IS NULL`,
    )
    .bind(hash, purpose, now)
    .first<Holder>()
}

/**
 * Verifies an address by its mailed secret, and pays the referrer. Pressing the same button twice is no error.
 * @throws Refused `bad_token`.
 */
export async function verifyEmail({ db }: House, token: string, now: Millis): Promise<void> {
  const hash = await sha256(token)
  const holder = await holderOf(db, hash, 'verify', now)
  if (!holder || (holder.used && !holder.verified)) throw deadLink()
  await db.batch([
    db
      .prepare(
        'UPDATE users SET email_verified_at = ?2 WHERE id = ?1 AND email_verified_at IS NULL AND erased_at IS NULL',
      )
      .bind(holder.userId, now),
    payReferrer(db, { id: holder.userId }, now),
    db.prepare('UPDATE mail_tokens SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL').bind(hash, now),
  ])
}

/** Mails a fresh link to verify an address; nothing for one that is verified. At most a few a day. */
export async function mailVerification(house: House, userId: number, now: Millis): Promise<void> {
  await mailLink(house, 'verify', 'users.id = ?1 AND users.email_verified_at IS NULL', userId, now)
}

/**
 * Mails a link to choose a new password, if there is an account with this address. Whoever asks learns nothing: call it
 * after the answer. A device that the account knows has mails of its own, which no stranger can use up.
 */
export async function mailReset(
  house: House,
  { email, knownDevice }: { email: string; knownDevice: (userId: number) => Promise<string | null> },
  now: Millis,
): Promise<void> {
  await mailLink(house, 'reset', 'users.email_key = ?1', fold(email), now, knownDevice)
}

async function mailLink(
  { db, secret, origin }: House,
  purpose: 'verify' | 'reset',
  where: string,
  value: number | string,
  now: Millis,
  knownDevice: (userId: number) => Promise<string | null> = async () => null,
) {
  const person = await db
    .prepare(
      `SELECT id, username, email, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users
       WHERE ${where} AND email IS NOT NULL AND banned_at IS NULL AND erased_at IS NULL`,
    )
    .bind(value)
    .first<{ id: number; username: string; email: string; siteName: string }>()
  if (!person) return
  const key = await attemptKey(secret, `mail-${purpose}`, String(person.id), (await knownDevice(person.id)) ?? '')
  if (!(await allowed(db, key, { max: limits.mailsPerAddressADay, per: DAY }, now))) return
  const { token, hash } = await newMailToken()
  const letter = (purpose === 'verify' ? verifyLetter : resetLetter)({ ...person, origin, token })
  await db.batch([
    keepToken(db, { id: person.id }, { hash, purpose, at: now }),
    (purpose === 'verify' ? postedToNewcomer : posted)(db, {
      to: person.email,
      letter,
      dedupeKey: `${purpose}:${hash}`,
      at: now,
    }),
  ])
}

/**
 * Sets a new password by a mailed secret, once, and answers whose it is. Every session of the account ends; the mailbox
 * is proven by the way, and the tries that others (or a forgetful owner on this `network`) have used up are forgiven.
 * @throws Refused `bad_token`; `bad_input` for a common password (the link stays good).
 */
export async function resetPassword(
  { db, secret, origin }: House,
  { token, password, network }: { token: string; password: string; network: string },
  now: Millis,
): Promise<number> {
  const hash = await sha256(token)
  const holder = await holderOf(db, hash, 'reset', now)
  if (!holder || holder.used) throw deadLink()
  const { userId, username, email, siteName } = holder
  refuseCommon(password, [username, email.split('@')[0] ?? '', siteName])
  const passwordHash = await hashPassword(password)
  const tries = await triesKeys(secret, `user ${userId}`, network)
  const [changed] = await db.batch([
    db
      .prepare(
        `UPDATE users SET password_hash = ?2, session_epoch = session_epoch + 1, email_verified_at = coalesce(email_verified_at, ?3)
         WHERE id = ?1 AND erased_at IS NULL AND EXISTS (SELECT 1 FROM mail_tokens WHERE hash = ?4 AND used_at IS NULL) RETURNING id`,
      )
      .bind(userId, passwordHash, now, hash),
    // All links of this account, so that an older one in a forgotten mail is dead as well.
    db
      .prepare("UPDATE mail_tokens SET used_at = ?2 WHERE user_id = ?1 AND purpose = 'reset' AND used_at IS NULL")
      .bind(userId, now),
    payReferrer(db, { id: userId }, now),
    ...Object.values(tries).map((key) => forgiveTries(db, key)),
    posted(db, {
      to: email,
      letter: changedLetter({ siteName, origin, username }),
      dedupeKey: `changed:${hash}`,
      at: now,
    }),
  ])
  if (!changed?.results.length) throw deadLink()
  return userId
}
