import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { usernameKey } from '../users/username'
import { attemptKey, clearAttempts, countAttempt } from './attempts'
import { USER_COLUMNS, type UserRow } from './current-user'
import { hashPassword, verifyPassword } from './password'

type Credentials = {
  /** Username or email address, as typed. */
  name: string
  password: string
  /** The client's network, see `clientIp`. */
  network: string
  /** The device id if this user has logged in from this browser before. */
  knownDevice: (userId: number) => Promise<string | null>
}

/** Attempt keys of an account (`user <id>` or `name <key>`): for this network and for all networks. */
export async function loginAttemptKeys(secret: string, account: string, network: string) {
  return {
    local: await attemptKey(secret, 'login', account, network),
    everywhere: await attemptKey(secret, 'login', account),
  }
}

/**
 * Checks a username and password. Attempts are counted before hashing: per known device, else per name and network and
 * per name. Known devices, a reset email and Google still let the owner in when others use up the limits.
 * @throws AppError `bad_credentials` for an unknown name or a wrong password; `rate_limited`; `forbidden` for the
 * correct password of a suspended account.
 */
export async function verifyCredentials(
  { db, secret }: { db: D1Database; secret: string },
  { name, password, network, knownDevice }: Credentials,
  now: Millis,
): Promise<UserRow> {
  const byEmail = name.includes('@')
  const key = byEmail ? normalizeKey(name) : usernameKey(name)
  const row = await db
    .prepare(
      `SELECT ${USER_COLUMNS}, users.password_hash AS passwordHash FROM users
       WHERE users.${byEmail ? 'email_key' : 'username_key'} = ?1 AND users.erased_at IS NULL`,
    )
    .bind(key)
    .first<UserRow & { passwordHash: string | null }>()

  const account = row ? `user ${row.id}` : `name ${key}`
  const device = row ? await knownDevice(row.id) : null
  const { local: localKey, everywhere: globalKey } = await loginAttemptKeys(secret, account, device ?? network)
  const windowMs = limits.loginAttemptWindowMinutes * MINUTE_MS
  const counts = [countAttempt(db, { key: localKey, per: windowMs, now })]
  if (!device) {
    // A network over its own limit does not count toward the name's limit.
    counts.push(
      countAttempt(db, {
        key: globalKey,
        per: windowMs,
        now,
        unlessOver: { key: localKey, max: limits.maxLoginAttemptsPerNetwork },
      }),
    )
  }
  const [localCount, globalCount] = await db.batch<{ count: number }>(counts)
  const spent =
    (localCount?.results[0]?.count ?? 0) > limits.maxLoginAttemptsPerNetwork ||
    (globalCount?.results[0]?.count ?? 0) > limits.maxLoginAttemptsPerAccount
  if (spent)
    throw new AppError(
      'rate_limited',
      'Too many tries. Please wait a few minutes, or choose a new password by e-mail.',
      {
        retryAfterSeconds: windowMs / SECOND_MS,
      },
    )

  const { matches, outdated } = await verifyPassword(password, row?.passwordHash ?? null)
  if (!row || !matches) throw new AppError('bad_credentials', 'Invalid credentials')
  const { passwordHash: _, ...user } = row
  if (user.banned) throw new AppError('forbidden', 'This account has been suspended.')

  const rehashed = outdated ? await hashPassword(password) : null
  await db.batch([
    clearAttempts(db, localKey),
    db
      .prepare(
        'UPDATE users SET last_active_at = max(last_active_at, ?2), password_hash = coalesce(?3, password_hash) WHERE id = ?1',
      )
      .bind(user.id, now, rehashed),
  ])
  return user
}
