import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { hashTaxRequest, type TaxAssessor } from '../payments/provider'
import { consumeQuotas, hasQuotasLeft, QUOTAS, quotaUse } from '../quotas/quotas'
import { orders } from './orders.table'

/** The assessor for an order, given the hash of its last calculation; also throws AppError `rate_limited`. */
export type OrderTaxAssessor = (calculatedHash: string | null) => TaxAssessor

/**
 * The assessor within the quotas of the buyer and the network: each new calculation costs money. A repetition of the
 * order's last calculation is not counted. `buyer` is an account or a device.
 */
export function limitTaxCalculations(
  assessTax: TaxAssessor,
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { buyer, network, at }: { buyer: string; network: string; at: Millis },
): OrderTaxAssessor {
  const counted = new Set<string>()
  return (calculatedHash) => async (request) => {
    const hash = await hashTaxRequest(request)
    if (hash !== calculatedHash && !counted.has(hash)) {
      const own = await quotaUse(secret, QUOTAS.taxCalculationsPerBuyer, buyer)
      const shared = await quotaUse(secret, QUOTAS.taxCalculationsPerNetwork, network)
      if (!(await consumeQuotas({ db }, [own, shared], at)))
        throw (await hasQuotasLeft({ db }, [own], at)) ? networkLimitError() : buyerLimitError()
      counted.add(hash)
    }
    return assessTax(request)
  }
}

const buyerLimitError = () =>
  new AppError('rate_limited', 'You have changed your orders very often. Please wait a quarter of an hour.', {
    retryAfterSeconds: QUOTAS.taxCalculationsPerBuyer.windowMs / SECOND_MS,
  })

const networkLimitError = () =>
  new AppError(
    'rate_limited',
    'Very many orders are being made in your network. Please try again in an hour, or from another network.',
    { retryAfterSeconds: QUOTAS.taxCalculationsPerNetwork.windowMs / SECOND_MS },
  )

/** Whether the order was priced without the buyer's country, which may raise its total. */
export async function needsTaxLocation(db: Db, orderId: string): Promise<boolean> {
  const [order] = await db.select({ missing: orders.missing }).from(orders).where(eq(orders.id, orderId))
  return order?.missing === 'tax_location'
}
