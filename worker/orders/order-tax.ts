import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import type { TaxAssessor } from '../payments/provider'
import { consumeQuotas, QUOTAS, quotaUse } from '../quotas/quotas'
import { loadShop, taxLocationFields } from '../shop-settings/shop-settings'
import { LACKS_TAX_LOCATION } from './orders'

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

/** Whether a test payment has to wait for the buyer's country. Test payments have no Stripe Tax. */
export async function needsTaxLocation(db: Db, orderId: string, at: Millis): Promise<boolean> {
  if (taxLocationFields(await loadShop(db, at), { hasAssessedTax: false }) === null) return false
  const order = await db.$client
    .prepare(`SELECT 1 FROM orders WHERE id = ?1 AND ${LACKS_TAX_LOCATION}`)
    .bind(orderId)
    .first()
  return order !== null
}
