import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { clientNetwork, clientPrefix48 } from '../http/rate-limit'
import { AppError } from '../lib/app-error'
import { SECOND_MS } from '../lib/clock'
import { consumeQuotas, QUOTAS, type QuotaUse, quotaKey, releaseQuotas } from '../quotas/quotas'
import { hasCheckInSignupsLeft } from './check-in-cookie'

/**
 * Creates an account within the quotas of the client's network. A browser with a check-in cookie has the quota of its
 * code instead: a whole venue signs up from one network.
 * @throws AppError `rate_limited`, and the errors of `create`, which count nothing.
 */
export async function withSignupQuota<T>(c: Context<AppEnv>, create: () => Promise<T>): Promise<T> {
  const uses = (await hasCheckInSignupsLeft(c)) ? [] : await signupQuotaUses(c)
  if (!(await consumeQuotas(c.var, uses, c.var.now())))
    throw new AppError(
      'rate_limited',
      'Many accounts were made from this network today. Please try again tomorrow, or from another network.',
      { retryAfterSeconds: QUOTAS.signupsPerNetwork.windowMs / SECOND_MS },
    )
  return create().catch(async (error: unknown) => {
    await releaseQuotas(c.var, uses)
    throw error
  })
}

async function signupQuotaUses(c: Context<AppEnv>): Promise<QuotaUse[]> {
  const { signingSecret, signupsPerNetwork } = c.var.config
  // Local runs and tests raise the network's quota, and that of the /48 in proportion.
  const factor = signupsPerNetwork / QUOTAS.signupsPerNetwork.max
  const use = async (quota: typeof QUOTAS.signupsPerNetwork | typeof QUOTAS.signupsPerPrefix48, prefix: string) => ({
    quota: { ...quota, max: quota.max * factor },
    key: await quotaKey(signingSecret, quota, prefix),
  })
  const prefix48 = clientPrefix48(c)
  return [
    await use(QUOTAS.signupsPerNetwork, clientNetwork(c)),
    ...(prefix48 === null ? [] : [await use(QUOTAS.signupsPerPrefix48, prefix48)]),
  ]
}
