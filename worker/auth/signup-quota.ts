import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { consumeQuotas, QUOTAS, type Quota, quotaUse, releaseQuotas } from '../quotas/quotas'

/** The client's networks, and the configured quota of the narrower one. */
export type SignupNetworks = { network64: string; prefix48: string | null; maxPerNetwork: number }

/**
 * Creates an account within the quotas of the client's networks; null counts none.
 * @throws AppError `rate_limited`, and the errors of `create`, which count nothing.
 */
export async function withSignupQuota<T>(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  networks: SignupNetworks | null,
  now: Millis,
  create: () => Promise<T>,
): Promise<T> {
  const uses = networks ? await signupUses(secret, networks) : []
  if (!(await consumeQuotas({ db }, uses, now)))
    throw new AppError(
      'rate_limited',
      'Too many accounts were created from this network today. Please try again tomorrow, or from another network.',
      { retryAfterSeconds: QUOTAS.signupsPerNetwork.windowMs / SECOND_MS },
    )
  return create().catch(async (error: unknown) => {
    await releaseQuotas({ db }, uses)
    throw error
  })
}

function signupUses(secret: string, { network64, prefix48, maxPerNetwork }: SignupNetworks) {
  // Local runs and tests raise the network's quota, and that of the /48 in proportion.
  const factor = maxPerNetwork / QUOTAS.signupsPerNetwork.max
  const use = (quota: Quota, prefix: string) => quotaUse(secret, { ...quota, max: quota.max * factor }, prefix)
  return Promise.all([
    use(QUOTAS.signupsPerNetwork, network64),
    ...(prefix48 === null ? [] : [use(QUOTAS.signupsPerPrefix48, prefix48)]),
  ])
}
