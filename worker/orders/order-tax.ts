import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'
import { hashTaxRequest, type TaxCalculator } from '../payments/provider'
import { consumeQuotas, hasQuotasLeft, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { orders } from './orders.table'

/** The calculator of an order, given the hash of its last calculation's input. It throws AppError `rate_limited`. */
export type OrderTaxCalculator = (lastInputHash: string | null) => TaxCalculator

/**
 * Limits a calculator to the quotas of the buyer and the network, because each new calculation costs money. Repeating
 * the order's last calculation is not counted. `buyer` is an account or a device.
 */
export function limitTaxCalculations(
  calculateTax: TaxCalculator,
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { buyer, network, at }: { buyer: string; network: string; at: Millis },
): OrderTaxCalculator {
  const countedHashes = new Set<string>()
  return (lastInputHash) => async (request) => {
    const hash = await hashTaxRequest(request)
    if (hash !== lastInputHash && !countedHashes.has(hash)) {
      const buyerUse = await quotaUse(secret, QUOTAS.taxCalculationsPerBuyer, buyer)
      const networkUse = await quotaUse(secret, QUOTAS.taxCalculationsPerNetwork, network)
      if (!(await consumeQuotas({ db }, [buyerUse, networkUse], at)))
        throw (await hasQuotasLeft({ db }, [buyerUse], at)) ? networkLimitError() : buyerLimitError()
      countedHashes.add(hash)
    }
    return calculateTax(request)
  }
}

const buyerLimitError = () =>
  rateLimitedError(
    'You have changed your orders very often. Please wait a quarter of an hour.',
    QUOTAS.taxCalculationsPerBuyer,
  )

const networkLimitError = () =>
  rateLimitedError(
    'Many orders are being placed from your network. Please try again in an hour, or from another network.',
    QUOTAS.taxCalculationsPerNetwork,
  )

/** Whether the order was priced without the buyer's country, which may raise its total. */
export async function needsTaxLocation(db: Db, orderId: string): Promise<boolean> {
  const [order] = await db.select({ missing: orders.missing }).from(orders).where(eq(orders.id, orderId))
  return order?.missing === 'tax_location'
}
