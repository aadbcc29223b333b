import { POINTS } from '../contract/points'
import type { Millis } from '../lib/clock'

const CODE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The three random characters A-Z 0-9 at a referral code's end. */
export function randomCodeSuffix(): string {
  // 252 is the largest multiple of 36 in a byte: what is above it would favour some letters.
  const bytes: number[] = []
  while (bytes.length < 3) bytes.push(...crypto.getRandomValues(new Uint8Array(4)).filter((byte) => byte < 252))
  return bytes
    .slice(0, 3)
    .map((byte) => CODE_ALPHABET[byte % 36])
    .join('')
}

/** The code as it is stored: people type it in any case, with spaces, from a screenshot. */
export function normalizeReferralCode(input: string): string {
  return input.normalize('NFKC').replace(/\s/g, '').toUpperCase()
}

/**
 * SQL: who referred a newcomer, where that counts (ruling 19); else null. The referrer must still be there when the row
 * is written, is not the person whose session the newcomer's browser holds (`here`), no account has this mailbox or
 * phone yet, and nobody who is gone came by a code with it (`had`, a JSON array of `personHashes`). The arguments are SQL.
 */
export const eligibleReferrerSql = ({
  referrer,
  currentUserId,
  mailbox,
  phone = 'NULL',
  identityHashes,
}: Record<'referrer' | 'currentUserId' | 'mailbox' | 'identityHashes', string> & { phone?: string }) => `(
  SELECT r.id FROM users r WHERE r.id = ${referrer} AND r.id IS NOT ${currentUserId}
  AND r.banned_at IS NULL AND r.erased_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM users known WHERE known.mailbox_key = ${mailbox} OR known.phone_hash = ${phone})
  AND NOT EXISTS (SELECT 1 FROM referrals_had WHERE hash IN (SELECT value FROM json_each(${identityHashes}))))`

/** A code as it was typed, and who was logged in to the browser that it came from: null for nobody. */
export type ReferralInput = { code: string; currentUserId: number | null }

/**
 * The statement that makes the newcomer's own code: brand prefix, user id, three random characters. Two people's codes
 * differ by their ids, so it cannot collide.
 */
export function assignReferralCode(db: D1Database, usernameKey: string): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE users SET referral_code = coalesce((SELECT referral_prefix FROM site), 'FAN') || id || ?2
       WHERE username_key = ?1 AND referral_code IS NULL`,
    )
    .bind(usernameKey, randomCodeSuffix())
}

/** The statement that pays the newcomer for a code that counts (`referred_by` is set only then). */
export function awardReferralSignup(db: D1Database, usernameKey: string, at: Millis): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO ledger (user_id, action, key, description, points, created_at)
       SELECT id, 'referral_signup', 'referral_signup:' || id, 'Joined with a referral code', ?2, ?3
       FROM users WHERE username_key = ?1 AND referred_by IS NOT NULL ON CONFLICT DO NOTHING`,
    )
    .bind(usernameKey, POINTS.referral_signup, at)
}

/**
 * The statement that pays the referrer once this person has verified their address: at most three times in all, which
 * the statement itself counts, and never for a person who is gone (ruling 19).
 */
export function awardReferrer(
  db: D1Database,
  newcomer: { id: number } | { usernameKey: string },
  at: Millis,
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO ledger (user_id, action, key, description, points, created_at)
       SELECT referrer.id, 'referral_bonus', 'referral_bonus:' || newcomer.id, 'A friend joined with your code', ?2, ?3
       FROM users newcomer JOIN users referrer ON referrer.id = newcomer.referred_by
       WHERE newcomer.${'id' in newcomer ? 'id' : 'username_key'} = ?1 AND newcomer.email_verified_at IS NOT NULL AND newcomer.banned_at IS NULL AND newcomer.erased_at IS NULL
         AND referrer.banned_at IS NULL AND referrer.erased_at IS NULL
         AND (SELECT count(*) FROM ledger WHERE user_id = referrer.id AND action = 'referral_bonus' AND points > 0) < ${MAX_PAID_REFERRALS}
       ON CONFLICT DO NOTHING`,
    )
    .bind('id' in newcomer ? newcomer.id : newcomer.usernameKey, POINTS.referral_bonus, at)
}
/** At most so many referrals earn a bonus (ruling 19). */

export const MAX_PAID_REFERRALS = 3
