import type { Caller } from '../auth/current-user'
import { passwordChangedEmail } from '../auth/emails'
import { hashPassword } from '../auth/password'
import { REAUTHENTICATION_TTL_MS, reauthenticate, requireRecentAuthentication } from '../auth/reauthentication'
import { rejectCommonPassword, rethrowTaken, usernameTakenError } from '../auth/signup'
import type { Account } from '../contract/auth'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { hashPhone } from './phone'
import { isReservedUsername, usernameKey } from './username'

type Deps = { db: D1Database; secret: string; origin: string }

/** What the account page shows to this session. */
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
 * Changes the name, the phone number or the place on the leaderboard.
 * @throws AppError `name_taken`; `bad_input` for a number that cannot be dialled.
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

/**
 * Sets a new password and ends every session of the account. Returns the new epoch, for a fresh session here. An account
 * without a password proves itself by a fresh log-in instead of the current one.
 * @throws AppError `bad_credentials`, `confirm_required`, `rate_limited`, `bad_input`.
 */
export async function changePassword(
  { db, secret, origin }: Deps,
  caller: Caller,
  { current, password }: { current?: string; password: string },
  now: Millis,
): Promise<{ epoch: number }> {
  const user = await db
    .prepare(
      "SELECT password_hash IS NOT NULL AS hasPassword, coalesce((SELECT name FROM site), 'This site') AS siteName FROM users WHERE id = ?1",
    )
    .bind(caller.userId)
    .first<{ hasPassword: number; siteName: string }>()
  if (!user) throw new Error('The caller has no row.')
  if (user.hasPassword) await reauthenticate({ db, secret }, caller, { password: current ?? '' }, now)
  else requireRecentAuthentication(caller.session, now)
  rejectCommonPassword(password, [caller.username, caller.email.split('@')[0] ?? '', user.siteName])
  const email = passwordChangedEmail({ siteName: user.siteName, origin, username: caller.username })
  const epoch = await revokeAllSessions(db, caller, now, await hashPassword(password), [
    db
      .prepare("UPDATE mail_tokens SET used_at = ?2 WHERE user_id = ?1 AND purpose = 'reset' AND used_at IS NULL")
      .bind(caller.userId, now),
    ...(caller.email
      ? [
          enqueueEmail(db, {
            to: caller.email,
            email,
            dedupeKey: `changed:${caller.session.sid}:${now}`,
            at: now,
          }),
        ]
      : []),
  ])
  return { epoch }
}

/**
 * Ends every session of the account at once, setting a new password in the same statement if there is one. Returns the
 * new epoch. Of two such requests at once the first ends the session that the second came with.
 */
export async function revokeAllSessions(
  db: D1Database,
  { userId, session }: Caller,
  now: Millis,
  passwordHash: string | null = null,
  statements: D1PreparedStatement[] = [],
): Promise<number> {
  const [row] = await db.batch<{ epoch: number }>([
    db
      .prepare(
        `UPDATE users SET session_epoch = session_epoch + 1, last_active_at = ?3, password_hash = coalesce(?4, password_hash)
         WHERE id = ?1 AND session_epoch = ?2 RETURNING session_epoch AS epoch`,
      )
      .bind(userId, session.epoch, now, passwordHash),
    ...statements,
  ])
  const epoch = row?.results[0]?.epoch
  if (epoch === undefined) throw new AppError('signed_out', 'Please log in first.')
  return epoch
}
