import type * as z from 'zod/mini'
import type { SignUp } from '../contract/credentials'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { identityHashes } from '../lib/keyed-hashes'
import { hashPhone } from '../users/phone'
import { assignReferralCode, awardReferralSignup, eligibleReferrerSql, normalizeReferralCode } from '../users/referrals'
import { emailTakenError, isReservedUsername, rethrowTaken, usernameKey, usernameTakenError } from '../users/username'
import { rejectCommonPassword } from './change-password'
import { USER_COLUMNS, type UserRow } from './current-user'
import { createMailToken, saveMailToken, VERIFICATION_CAP } from './email-links'
import { verificationEmail } from './emails'
import { hashPassword } from './password'

const REFERRER = eligibleReferrerSql({
  referrer: '?9',
  currentUserId: '?11',
  mailbox: '?5',
  phone: '?7',
  identityHashes: '?13',
})

type Deps = { db: D1Database; secret: string; origin: string }

/**
 * Creates a user with referral code, referral points and verification email in one batch. Without an email if the
 * mailbox reached its daily limit. `currentUserId` is the user logged in to this browser, who cannot be the referrer.
 * @throws AppError `name_taken`, `email_taken`, `unknown_code`, `bad_input`.
 */
export async function signUp(
  { db, secret, origin }: Deps,
  input: z.output<typeof SignUp>,
  { currentUserId, now }: { currentUserId: number | null; now: Millis },
): Promise<UserRow> {
  const key = usernameKey(input.username)
  const emailKey = normalizeKey(input.email)
  const code = normalizeReferralCode(input.referralCode ?? '')
  const checks = await checkSignup(db, { key, emailKey, code })
  if (checks.nameTaken || isReservedUsername(input.username, checks.siteName)) throw usernameTakenError()
  if (checks.emailTaken) throw emailTakenError()
  if (code && checks.referrer === null)
    throw new AppError('unknown_code', 'We do not know that referral code. Please correct it or clear the field.')
  rejectCommonPassword(input.password, [input.username, emailKey.split('@')[0] ?? '', checks.siteName])
  const phone = input.phoneNumber ? await hashPhone(secret, input.phoneNumber) : null

  const passwordHash = await hashPassword(input.password)
  const { token, hash } = await createMailToken()
  const email = verificationEmail({ siteName: checks.siteName, origin, username: input.username, token })
  const mailbox = mailboxKey(input.email)
  const results = await db
    .batch<UserRow>([
      db
        .prepare(
          `INSERT INTO users (username, username_key, email, email_key, mailbox_key, password_hash, phone_hash, phone_last2,
             referred_by, created_at, last_active_at, age_wording, age_confirmed_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
             ${REFERRER}, ?10, ?10, ?12, iif(?12 IS NULL, NULL, ?10)`,
        )
        .bind(
          input.username,
          key,
          input.email,
          emailKey,
          mailbox,
          passwordHash,
          phone?.hash ?? null,
          phone?.last2 ?? null,
          checks.referrer,
          now,
          currentUserId,
          input.ageWording ?? null,
          await identityHashes(secret, 'referral', { mailboxKey: mailbox, phoneHash: phone?.hash ?? null }),
        ),
      assignReferralCode(db, key),
      awardReferralSignup(db, key, now),
      saveMailToken(db, { usernameKey: key }, { hash, purpose: 'verify', at: now }),
      enqueueEmail(db, { to: input.email, email, dedupeKey: `verify:${hash}`, at: now, cap: VERIFICATION_CAP }),
      db.prepare(`SELECT ${USER_COLUMNS} FROM users WHERE users.username_key = ?1`).bind(key),
    ])
    .catch(rethrowTaken)
  const user = results.at(-1)?.results[0]
  if (!user) throw new Error('The new account is not there.')
  return user
}

type SignupChecksRow = { siteName: string; nameTaken: number; emailTaken: number; referrer: number | null }

async function checkSignup(
  db: D1Database,
  { key, emailKey, code }: { key: string; emailKey: string; code: string },
): Promise<SignupChecksRow> {
  const row = await db
    .prepare(
      `SELECT coalesce((SELECT name FROM site), 'This site') AS siteName,
         EXISTS (SELECT 1 FROM users WHERE username_key = ?1) AS nameTaken,
         EXISTS (SELECT 1 FROM users WHERE email_key = ?2) AS emailTaken,
         (SELECT id FROM users WHERE referral_code = ?3 AND banned_at IS NULL AND erased_at IS NULL) AS referrer`,
    )
    .bind(key, emailKey, code)
    .first<SignupChecksRow>()
  if (!row) throw new Error('A SELECT without FROM returned nothing.')
  return row
}
