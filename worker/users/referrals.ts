import { type SQL, sql } from 'drizzle-orm'
import { POINTS } from '../contract/points'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'
import { identityHashes } from '../lib/keyed-hashes'

const CODE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Three random characters A-Z 0-9, the end of a referral code. */
function randomCodeSuffix(): string {
  // Bytes from 252, the largest multiple of 36, are discarded, because they would favor some characters.
  const bytes: number[] = []
  while (bytes.length < 3) bytes.push(...crypto.getRandomValues(new Uint8Array(4)).filter((byte) => byte < 252))
  return bytes
    .slice(0, 3)
    .map((byte) => CODE_ALPHABET[byte % 36])
    .join('')
}

/** A typed code in upper case, without spaces. */
export function normalizeReferralCode(input: string): string {
  return input.normalize('NFKC').replace(/\s/g, '').toUpperCase()
}

type ReferralCheck = {
  referrerId: number | null
  /** Users of this browser, see `ReferralInput`. */
  browserUserIds: readonly number[]
  mailboxKey: string
  phoneHash: string | null
  /** JSON array of the newcomer's keyed hashes. */
  identityHashes: string
}

/**
 * SQL subquery of the referrer's id; null unless the referrer is active and has not used this browser, and this mailbox
 * and phone are new: no account has them, and no erased user with a referrer had them.
 */
export const eligibleReferrer = (check: ReferralCheck): SQL => sql`(
  SELECT referrer.id FROM users referrer
  WHERE referrer.id = ${check.referrerId}
  AND referrer.id NOT IN (SELECT value FROM json_each(${JSON.stringify(check.browserUserIds)}))
  AND referrer.banned_at IS NULL AND referrer.erased_at IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM users known WHERE known.mailbox_key = ${check.mailboxKey} OR known.phone_hash = ${check.phoneHash})
  AND NOT EXISTS (
    SELECT 1 FROM referrals_had WHERE hash IN (SELECT value FROM json_each(${check.identityHashes}))))`

/**
 * The typed code, and the users who are or were logged in to the browser. The referrer and the new user must not share
 * a browser.
 */
export type ReferralInput = { referralCode: string; browserUserIds: readonly number[] }

/** Records that users logged in with one browser: a referral between them is not rewarded from now on. */
export async function disqualifyReferrals(db: Db, browserUserIds: readonly number[], now: Millis): Promise<void> {
  if (browserUserIds.length < 2) return
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(browserUserIds)}))`
  await db.run(sql`UPDATE users SET referral_disqualified_at = ${now}
    WHERE id IN ${ids} AND referred_by IN ${ids} AND referral_disqualified_at IS NULL`)
}

/**
 * Statement to run before the owner of a mailbox takes over an unconfirmed account: the stranger who created it may
 * have entered a referral code of their own.
 */
export const disqualifyTakenOverReferral = (db: Db, userId: number, condition: SQL, now: Millis) =>
  prepare(
    db,
    sql`UPDATE users SET referral_disqualified_at = ${now} WHERE id = ${userId} AND referred_by IS NOT NULL
      AND email_verified_at IS NULL AND referral_disqualified_at IS NULL AND ${condition}`,
  )

/**
 * Statement that assigns a new user's referral code: prefix, user id, three random characters. The id makes it unique.
 */
export function assignReferralCode(db: Db, usernameKey: string): D1PreparedStatement {
  return prepare(
    db,
    sql`UPDATE users SET referral_code = coalesce((SELECT referral_prefix FROM site), 'FAN') || id || ${randomCodeSuffix()}
      WHERE username_key = ${usernameKey} AND referral_code IS NULL`,
  )
}

/** Statement that rewards the new user; `referred_by` is set only for an eligible code. */
export function awardReferralSignup(db: Db, usernameKey: string, at: Millis): D1PreparedStatement {
  return prepare(
    db,
    sql`INSERT INTO ledger (user_id, action, key, description, points, created_at)
      SELECT id, 'referral_signup', 'referral_signup:' || id, 'Joined with a referral code', ${POINTS.referral_signup}, ${at}
      FROM users WHERE username_key = ${usernameKey} AND referred_by IS NOT NULL ON CONFLICT DO NOTHING`,
  )
}

/** Referrals for which one referrer is rewarded. */
export const MAX_REWARDED_REFERRALS = 3

/** Hashes that the newcomer's mailbox and phone would have in `referrals_had`, as a JSON array. */
export async function referralHashes(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { userId, mailboxKey }: { userId: number; mailboxKey: string },
): Promise<string> {
  const row = await db.get<{ phoneHash: string | null } | undefined>(
    sql`SELECT phone_hash AS phoneHash FROM users WHERE id = ${userId}`,
  )
  return identityHashes(secret, 'referral', { mailboxKey, phoneHash: row?.phoneHash ?? null })
}

/**
 * Statement that rewards the referrer of a user with a confirmed address. Mailbox and phone may have changed since the
 * sign-up, so they are checked again: no other account and no erased user with a referrer (`hashes`) may have them.
 */
export function awardReferrer(
  db: Db,
  referredUser: { id: number } | { usernameKey: string },
  at: Millis,
  hashes = '[]',
): D1PreparedStatement {
  const isNewcomer =
    'id' in referredUser
      ? sql`newcomer.id = ${referredUser.id}`
      : sql`newcomer.username_key = ${referredUser.usernameKey}`
  return prepare(
    db,
    sql`INSERT INTO ledger (user_id, action, key, description, points, created_at)
      SELECT referrer.id, 'referral_bonus', 'referral_bonus:' || newcomer.id, 'A friend joined with your code',
        ${POINTS.referral_bonus}, ${at}
      FROM users newcomer JOIN users referrer ON referrer.id = newcomer.referred_by
      WHERE ${isNewcomer} AND newcomer.email_verified_at IS NOT NULL
        AND newcomer.banned_at IS NULL AND newcomer.erased_at IS NULL AND newcomer.referral_disqualified_at IS NULL
        AND referrer.banned_at IS NULL AND referrer.erased_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM users known WHERE known.id <> newcomer.id
          AND (known.mailbox_key = newcomer.mailbox_key OR known.phone_hash = newcomer.phone_hash))
        AND NOT EXISTS (SELECT 1 FROM referrals_had WHERE hash IN (SELECT value FROM json_each(${hashes})))
        AND (SELECT count(*) FROM ledger WHERE user_id = referrer.id AND action = 'referral_bonus' AND points > 0)
          < ${MAX_REWARDED_REFERRALS}
      ON CONFLICT DO NOTHING`,
  )
}
