import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'
import { consumeQuotas, QUOTAS, type Quota, quotaUse, rateLimitedError, releaseQuotas } from '../quotas/quotas'

/** The client's networks; `prefix48` is null for IPv4. `maxPerNetwork` is the configured quota of `network64`. */
export type SignupNetworks = { network64: string; prefix48: string | null; maxPerNetwork: number }

/**
 * Creates an account within the quotas of the client's networks; without a quota if `networks` is null.
 * @throws AppError `rate_limited`; the errors of `create`, after which the sign-up is not counted.
 */
export async function withSignupQuota<T>(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  networks: SignupNetworks | null,
  now: Millis,
  create: () => Promise<T>,
): Promise<T> {
  const uses = networks ? await signupUses(secret, networks) : []
  if (!(await consumeQuotas({ db }, uses, now)))
    throw rateLimitedError(
      'Too many accounts were created from this network today. Please try again tomorrow, or from another network.',
      QUOTAS.signupsPerNetwork,
    )
  return create().catch(async (error: unknown) => {
    await releaseQuotas({ db }, uses)
    throw error
  })
}

function signupUses(secret: string, { network64, prefix48, maxPerNetwork }: SignupNetworks) {
  // SIGNUPS_PER_NETWORK_PER_DAY may replace the quota of the network; that of the /48 changes in proportion.
  const factor = maxPerNetwork / QUOTAS.signupsPerNetwork.max
  const use = (quota: Quota, prefix: string) => quotaUse(secret, { ...quota, max: quota.max * factor }, prefix)
  return Promise.all([
    use(QUOTAS.signupsPerNetwork, network64),
    ...(prefix48 === null ? [] : [use(QUOTAS.signupsPerPrefix48, prefix48)]),
  ])
}
