import type { Caller } from '../auth/current-user'
import { REAUTHENTICATION_TTL_MS } from '../auth/reauthentication'
import type { Account } from '../contract/auth'
import { hashPhone } from './phone'
import { isReservedUsername, rethrowTaken, usernameKey, usernameTakenError } from './username'

export type Deps = { db: D1Database; secret: string; origin: string }

/** Data of the account page. */
export async function getAccount(db: D1Database, { userId, session }: Caller): Promise<Account> {
  const row = await db
    .prepare(
      `SELECT username, coalesce(email, '') AS email, email_verified_at IS NOT NULL AS emailVerified,
         password_hash IS NOT NULL AS hasPassword, phone_last2 AS phoneEnds, leaderboard_opt_out AS leaderboardOptOut,
         created_at AS createdAt, EXISTS (SELECT 1 FROM identities WHERE user_id = users.id) AS google
       FROM users WHERE id = ?1`,
    )
    .bind(userId)
    .first<
      Record<'emailVerified' | 'hasPassword' | 'google' | 'leaderboardOptOut' | 'createdAt', number> & {
        username: string
        email: string
        phoneEnds: string | null
      }
    >()
  if (!row) throw new Error('The caller has no row.')
  return {
    ...row,
    emailVerified: row.emailVerified === 1,
    hasPassword: row.hasPassword === 1,
    google: row.google === 1,
    leaderboardOptOut: row.leaderboardOptOut === 1,
    createdAt: new Date(row.createdAt).toISOString(),
    provenUntil: new Date(session.provenAt + REAUTHENTICATION_TTL_MS).toISOString(),
  }
}

/**
 * Changes username, phone number or leaderboard visibility.
 * @throws AppError `name_taken`; `bad_input` for an invalid number.
 */
export async function updateSettings(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  userId: number,
  {
    username,
    leaderboardOptOut,
    phoneNumber,
  }: { username?: string; leaderboardOptOut?: boolean; phoneNumber?: string },
): Promise<void> {
  const phone = phoneNumber === undefined ? null : await hashPhone(secret, phoneNumber)
  if (username !== undefined) {
    const site = await db.prepare('SELECT name FROM site').first<{ name: string }>()
    if (isReservedUsername(username, site?.name ?? '')) throw usernameTakenError()
  }
  await db
    .prepare(
      `UPDATE users SET username = coalesce(?2, username), username_key = coalesce(?3, username_key),
         leaderboard_opt_out = coalesce(?4, leaderboard_opt_out), phone_hash = coalesce(?5, phone_hash),
         phone_last2 = coalesce(?6, phone_last2) WHERE id = ?1 AND erased_at IS NULL`,
    )
    .bind(
      userId,
      username ?? null,
      username === undefined ? null : usernameKey(username),
      leaderboardOptOut === undefined ? null : Number(leaderboardOptOut),
      phone?.hash ?? null,
      phone?.last2 ?? null,
    )
    .run()
    .catch(rethrowTaken)
}
