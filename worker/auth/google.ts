import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { identityHashes } from '../lib/keyed-hashes'
import {
  assignReferralCode,
  awardReferralSignup,
  awardReferrer,
  eligibleReferrerSql,
  normalizeReferralCode,
  type ReferralInput,
} from '../users/referrals'
import { isReservedUsername, usernameKey } from '../users/username'
import { USER_COLUMNS, type UserRow } from './current-user'
import type { Identity } from './id-token'

const PROVIDER = 'google'
export const googleLoginError = () => new AppError('bad_credentials', 'Google sign-in failed')

type Deps = { db: D1Database; secret: string }

/** `ageWording` is the version of the age notice that was shown, if any. */
type GoogleSignup = ReferralInput & { ageWording: string | null }

/**
 * Finds the user by subject, else by address, else creates one with a username derived from the identity.
 * @throws AppError `bad_credentials` if Google has not verified the address; `forbidden` for a suspended account.
 */
export async function findOrCreateGoogleUser(
  { db, secret }: Deps,
  identity: Identity,
  signup: GoogleSignup,
  now: Millis,
): Promise<UserRow> {
  const existing = await findBySubject(db, identity.subject)
  if (existing) return requireNotBanned(existing)
  if (!identity.emailVerified) throw googleLoginError()
  const emailKey = normalizeKey(identity.email)
  const account = await db
    .prepare(
      'SELECT id, email_verified_at IS NOT NULL AS verified FROM users WHERE email_key = ?1 AND erased_at IS NULL',
    )
    .bind(emailKey)
    .first<{ id: number; verified: number }>()
  await (account
    ? linkAccount(db, account, identity, now)
    : createAccount({ db, secret }, identity, emailKey, signup, now))
  const user = await findBySubject(db, identity.subject)
  if (!user) throw new Error('The Google account was not stored.')
  return requireNotBanned(user)
}

function requireNotBanned(user: UserRow): UserRow {
  if (user.banned) throw new AppError('forbidden', 'This account has been suspended.')
  return user
}

function findBySubject(db: D1Database, subject: string): Promise<UserRow | null> {
  return db
    .prepare(
      `SELECT ${USER_COLUMNS} FROM identities JOIN users ON users.id = identities.user_id
       WHERE identities.provider = '${PROVIDER}' AND identities.subject = ?1 AND users.erased_at IS NULL`,
    )
    .bind(subject)
    .first<UserRow>()
}

const insertIdentity = (
  db: D1Database,
  { subject }: Identity,
  column: 'id' | 'username_key',
  value: number | string,
  now: Millis,
) =>
  db
    .prepare(
      `INSERT INTO identities (provider, subject, user_id, created_at)
       SELECT '${PROVIDER}', ?1, id, ?2 FROM users WHERE ${column} = ?3 AND erased_at IS NULL ON CONFLICT DO NOTHING`,
    )
    .bind(subject, now, value)

/**
 * Links Google to the account of this address. If the address is unverified, the password, sessions and emailed tokens
 * end, to prevent account pre-hijacking.
 */
async function linkAccount(
  db: D1Database,
  account: { id: number; verified: number },
  identity: Identity,
  now: Millis,
): Promise<void> {
  const claimUnverified = account.verified
    ? []
    : [
        db
          .prepare(
            `UPDATE users SET email_verified_at = ?2, password_hash = NULL, phone_hash = NULL, phone_last2 = NULL,
               session_epoch = session_epoch + 1 WHERE id = ?1 AND email_verified_at IS NULL AND erased_at IS NULL`,
          )
          .bind(account.id, now),
        db.prepare('DELETE FROM mail_tokens WHERE user_id = ?1').bind(account.id),
        awardReferrer(db, { id: account.id }, now),
      ]
  await db.batch([...claimUnverified, insertIdentity(db, identity, 'id', account.id, now)])
}

const REFERRER = eligibleReferrerSql({ referrer: '?7', currentUserId: '?8', mailbox: '?6', identityHashes: '?10' })

async function createAccount(
  { db, secret }: Deps,
  identity: Identity,
  emailKey: string,
  signup: GoogleSignup,
  now: Millis,
): Promise<void> {
  const code = normalizeReferralCode(signup.code)
  const site = await db
    .prepare(
      `SELECT coalesce((SELECT name FROM site), '') AS name,
         (SELECT id FROM users WHERE referral_code = ?1 AND banned_at IS NULL AND erased_at IS NULL) AS referrer`,
    )
    .bind(code)
    .first<{ name: string; referrer: number | null }>()
  const mailbox = mailboxKey(identity.email)
  const identityHashList = await identityHashes(secret, 'referral', { mailboxKey: mailbox, phoneHash: null })
  for (const username of usernameCandidates(identity, site?.name ?? '')) {
    const key = usernameKey(username)
    const taken = await db
      .batch([
        db
          .prepare(
            `INSERT INTO users (username, username_key, email, email_key, email_verified_at, mailbox_key, referred_by,
               created_at, last_active_at, age_wording, age_confirmed_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ${REFERRER}, ?5, ?5, ?9, iif(?9 IS NULL, NULL, ?5)`,
          )
          .bind(
            username,
            key,
            identity.email,
            emailKey,
            now,
            mailbox,
            site?.referrer ?? null,
            signup.currentUserId,
            signup.ageWording,
            identityHashList,
          ),
        assignReferralCode(db, key),
        awardReferralSignup(db, key, now),
        insertIdentity(db, identity, 'username_key', key, now),
        awardReferrer(db, { usernameKey: key }, now),
      ])
      .then(
        () => false,
        (error: Error) => {
          if (error.message.includes('users.username_key')) return true
          // A concurrent sign-in created the account.
          if (error.message.includes('users.email_key')) return false
          throw error
        },
      )
    if (taken) continue
    return
  }
  throw new AppError('conflict', 'We found no free name for you. Please sign up with your address instead.')
}

/** Username candidates: the name, the mailbox name, then both with a number. */
function usernameCandidates({ name, email }: Identity, siteName: string): string[] {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]/g, '')
      .slice(0, 24)
  const bases = [plain(name.replace(/\s+/g, '.')), plain(email.split('@')[0] ?? ''), 'supporter'].filter(
    (base) => base.length >= 3 && /[A-Za-z0-9]/.test(base),
  )
  const numbered = Array.from({ length: 8 }, () => `${bases[0]}${crypto.getRandomValues(new Uint16Array(1))[0]}`)
  return [...bases, ...numbered].filter((username) => !isReservedUsername(username, siteName))
}
