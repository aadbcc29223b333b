import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import type { TaxAssessor } from '../payments/provider'
import { consumeQuotas, QUOTAS, quotaUse } from '../quotas/quotas'

/**
 * The assessor within the daily quota of a network: each calculation costs money.
 * @returns an assessor that also throws AppError `rate_limited`.
 */
export function limitTaxCalculations(
  assessTax: TaxAssessor,
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { network, at }: { network: string; at: Millis },
): TaxAssessor {
  return async (request) => {
    const use = await quotaUse(secret, QUOTAS.taxCalculationsPerNetwork, network)
    if (!(await consumeQuotas({ db }, [use], at)))
      throw new AppError(
        'rate_limited',
        'The tax of too many orders was calculated for your network today. Please try again tomorrow, or from another network.',
        { retryAfterSeconds: QUOTAS.taxCalculationsPerNetwork.windowMs / SECOND_MS },
      )
    return assessTax(request)
  }
}
