import { and, eq, isNull, sql } from 'drizzle-orm'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError, resetQuotaStatement } from '../quotas/quotas'
import { usernameKey } from '../users/username'
import { users } from '../users/users.table'
import { type UserRow, userColumns } from './current-user'
import { hashPassword, verifyPassword } from './password'
import { bannedError } from './sessions'

type Credentials = {
  /** Username or email address, as typed. */
  name: string
  password: string
  /** The client's network, see `clientAddress64`. */
  network: string
  /** Returns the device id if this user has logged in from this browser before, else null. */
  findKnownDevice: (userId: number) => Promise<string | null>
}

/**
 * Quotas of logins to an account (`user <id>` or `name <key>`): from one network or known device, from all networks
 * together, and from all known devices together, because someone with a former password may have added many.
 */
export const loginQuotas = async (secret: string, account: string, networkOrDevice: string) => ({
  fromNetworkOrDevice: await quotaUse(secret, QUOTAS.loginsPerNetwork, account, networkOrDevice),
  fromAllNetworks: await quotaUse(secret, QUOTAS.loginsFromNetworks, account),
  fromAllKnownDevices: await quotaUse(secret, QUOTAS.loginsFromKnownDevices, account, 'known devices'),
})

/**
 * Checks a username or email address and its password. An attempt is counted before hashing: from a known device in the
 * quotas of known devices, else in those of networks. Strangers who use up the latter lock out no known device.
 * @throws AppError `bad_credentials`; `rate_limited`; `forbidden` for the correct password of a banned account.
 */
export async function verifyCredentials(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { name, password, network, findKnownDevice }: Credentials,
  now: Millis,
): Promise<UserRow> {
  const byEmail = name.includes('@')
  const key = byEmail ? normalizeKey(name) : usernameKey(name)
  const [row] = await db
    .select({ ...userColumns, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(byEmail ? users.emailKey : users.usernameKey, key), isNull(users.erasedAt)))

  const account = row ? `user ${row.id}` : `name ${key}`
  const device = row ? await findKnownDevice(row.id) : null
  const quotas = await loginQuotas(secret, account, device ?? network)
  const totalQuota = device ? quotas.fromAllKnownDevices : quotas.fromAllNetworks
  // Attempts over the first quota do not count toward the total.
  if (!(await consumeQuotas({ db }, [quotas.fromNetworkOrDevice, totalQuota], now)))
    throw rateLimitedError(
      'Too many attempts. Please wait a few minutes, or reset your password by email.',
      QUOTAS.loginsPerNetwork,
    )

  const { matches, isOutdated } = await verifyPassword(password, row?.passwordHash ?? null)
  if (!row || !matches) throw new AppError('bad_credentials', 'Invalid credentials')
  const { passwordHash: _, ...user } = row
  if (user.banned) throw bannedError()

  const update = db
    .update(users)
    .set({
      lastActiveAt: sql`max(last_active_at, ${now})`,
      ...(isOutdated && { passwordHash: await hashPassword(password) }),
    })
    .where(eq(users.id, user.id))
  await db.$client.batch([resetQuotaStatement(db, quotas.fromNetworkOrDevice), prepare(db, update.getSQL())])
  return user
}
