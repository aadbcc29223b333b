import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Account } from '../contract/auth'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { type Millis, toIso } from '../lib/clock'
import { hashPhone } from './phone'
import { isReservedUsername, rethrowTaken, usernameKey, usernameTakenError } from './username'
import { users } from './users.table'

/** SQL: an emailed code re-authenticates, as the account has no password, Google login, passkey or second factor. */
export const usesEmailedCode = sql`(users.password_hash IS NULL
  AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM authenticators WHERE authenticators.user_id = users.id
    AND authenticators.confirmed_at IS NOT NULL))`.mapWith(Boolean)

/** Data of the account page. `provenUntil` is when the last re-authentication expires. */
export async function getAccount(
  db: Db,
  userId: number,
  { provenUntil, now }: { provenUntil: Millis; now: Millis },
): Promise<Account> {
  const [row] = await db
    .select({
      username: users.username,
      email: sql<string>`coalesce(email, '')`,
      emailVerified: isNotNull(users.emailVerifiedAt).mapWith(Boolean),
      pendingEmail: sql<string | null>`(SELECT new_email FROM email_changes
        WHERE user_id = users.id AND confirmed_at IS NULL AND expires_at > ${now})`,
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
      google: sql`EXISTS (SELECT 1 FROM identities WHERE user_id = users.id)`.mapWith(Boolean),
      emailedCode: usesEmailedCode,
      phoneEnds: users.phoneLast2,
      leaderboardOptOut: users.leaderboardOptOut,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!row) throw new Error('The caller has no row.')
  return {
    ...row,
    createdAt: toIso(row.createdAt),
    provenUntil: toIso(provenUntil),
  }
}

/**
 * Changes username, phone number or leaderboard visibility.
 * @throws AppError `name_taken`; `bad_input` for an invalid number.
 */
export async function updateAccountSettings(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  userId: number,
  settings: { username?: string; leaderboardOptOut?: boolean; phoneNumber?: string },
): Promise<void> {
  const { username, leaderboardOptOut, phoneNumber } = settings
  const phone = phoneNumber === undefined ? undefined : await hashPhone(secret, phoneNumber)
  if (username !== undefined) {
    const site = await db.get<{ name: string } | undefined>(sql`SELECT name FROM site`)
    if (isReservedUsername(username, site?.name ?? '')) throw usernameTakenError()
  }
  const changes = {
    ...(username !== undefined && { username, usernameKey: usernameKey(username) }),
    ...(leaderboardOptOut !== undefined && { leaderboardOptOut }),
    ...(phone && { phoneHash: phone.hash, phoneLast2: phone.last2 }),
  }
  // Drizzle rejects an empty update.
  if (Object.keys(changes).length === 0) return
  await db
    .update(users)
    .set(changes)
    .where(and(eq(users.id, userId), isNull(users.erasedAt)))
    .catch(rethrowTaken)
}
