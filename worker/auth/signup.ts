import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { SignUp } from '../contract/credentials'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueWithinQuotas, strangerEmailQuotas } from '../email/email-quotas'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { identityHashes } from '../lib/keyed-hashes'
import { siteNameColumn } from '../site/site'
import { hashPhone } from '../users/phone'
import { assignReferralCode, awardReferralSignup, eligibleReferrer, normalizeReferralCode } from '../users/referrals'
import { emailTakenError, isReservedUsername, rethrowTaken, usernameKey, usernameTakenError } from '../users/username'
import { users } from '../users/users.table'
import { rejectCommonPassword } from './change-password'
import { findUserWhere, type UserRow } from './current-user'
import { isAddressTaken } from './email-change'
import { createEmailToken, saveEmailToken } from './email-links'
import { verificationEmail } from './emails'
import { hashPassword } from './password'

/**
 * Creates a user with referral code, referral points and verification email in one batch.
 * @param browserUserIds users of this browser, who cannot be the referrer.
 * @returns `emailSent` is false if sign-ups have used up the mailbox's daily quota of emails.
 * @throws AppError `name_taken`, `email_taken`, `unknown_code`, `bad_input`.
 */
export async function signUp(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  input: z.output<typeof SignUp>,
  { browserUserIds, now }: { browserUserIds: readonly number[]; now: Millis },
): Promise<{ user: UserRow; emailSent: boolean }> {
  const key = usernameKey(input.username)
  const emailKey = normalizeKey(input.email)
  const code = normalizeReferralCode(input.referralCode ?? '')
  const checks = await checkSignup(db, { key, emailKey, code, now })
  if (checks.isNameTaken || isReservedUsername(input.username, checks.siteName)) throw usernameTakenError()
  if (checks.isEmailTaken) throw emailTakenError()
  if (code && checks.referrerId === null)
    throw new AppError('unknown_code', 'We do not know that referral code. Please correct it or clear the field.')
  rejectCommonPassword(input.password, [input.username, emailKey.split('@')[0] ?? '', checks.siteName])
  const phone = input.phoneNumber ? await hashPhone(secret, input.phoneNumber) : null

  const passwordHash = await hashPassword(input.password)
  const { token, hash } = await createEmailToken()
  const email = verificationEmail({ siteName: checks.siteName, origin, token })
  const identity = { mailboxKey: mailboxKey(input.email), phoneHash: phone?.hash ?? null }
  const referredBy = eligibleReferrer({
    ...identity,
    referrerId: checks.referrerId,
    browserUserIds,
    identityHashes: await identityHashes(secret, 'referral', identity),
  })
  const userCondition = sql`username_key = ${key}`
  const ageWording = input.ageWording ?? null
  const results = await db.$client
    .batch([
      prepare(
        db,
        sql`INSERT INTO users (username, username_key, email, email_key, mailbox_key, password_hash, phone_hash,
            phone_last2, referred_by, created_at, last_active_at, age_wording, age_confirmed_at)
          SELECT ${input.username}, ${key}, ${input.email}, ${emailKey}, ${identity.mailboxKey}, ${passwordHash},
            ${identity.phoneHash}, ${phone?.last2 ?? null}, ${referredBy}, ${now}, ${now}, ${ageWording},
            ${ageWording && now}`,
      ),
      assignReferralCode(db, key),
      awardReferralSignup(db, key, now),
      saveEmailToken(db, userCondition, { hash, purpose: 'verify', at: now }),
      ...enqueueWithinQuotas(db, {
        to: input.email,
        email,
        dedupeKey: `verify:${hash}`,
        at: now,
        quotas: await strangerEmailQuotas(secret, input.email),
      }),
    ])
    .catch(rethrowTaken)
  const created = await findUserWhere(db, eq(users.usernameKey, key))
  if (!created) throw new Error('The created account was not found.')
  // The last two statements enqueue the email and count it.
  return { user: created, emailSent: results.at(-2)?.meta.changes === 1 }
}

/** Reads in one query whether username and email are taken, and the referrer. */
const checkSignup = (
  db: Db,
  { key, emailKey, code, now }: { key: string; emailKey: string; code: string; now: Millis },
) =>
  db.get<{ siteName: string; isNameTaken: number; isEmailTaken: number; referrerId: number | null }>(sql`
    SELECT ${siteNameColumn} AS siteName,
      EXISTS (SELECT 1 FROM users WHERE username_key = ${key}) AS isNameTaken,
      ${isAddressTaken(emailKey, now)} AS isEmailTaken,
      (SELECT id FROM users WHERE referral_code = ${code} AND banned_at IS NULL AND erased_at IS NULL) AS referrerId`)
