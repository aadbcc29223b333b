import type { Db } from '../db/client'
import { ProviderRejected } from '../payments/provider'
import type { Billing } from './billing'

const BATCH_SIZE = 25

/**
 * Has the provider delete its customers who are gone here, which ends what they pay for at once, and then forgets them
 * and their subscriptions. Whoever the provider does not answer for is asked for again in some minutes, behind the
 * others; one that it does not know is gone already.
 */
export async function deleteErasedCustomers(db: Db, billing: Billing, at: number): Promise<void> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT user_id AS userId, customer_id AS customerId FROM billing_customers
       WHERE forget_wanted_at IS NOT NULL ORDER BY forget_wanted_at LIMIT ${BATCH_SIZE}`,
    )
    .all<{ userId: number; customerId: string }>()
  for (const { userId, customerId } of results) {
    const isDeleted = await billing.deleteCustomer(customerId).then(
      () => true,
      (error: Error) => {
        console.error(JSON.stringify({ at: 'forget-customer', error: error.constructor.name }))
        return error instanceof ProviderRejected && error.message === 'resource_missing'
      },
    )
    await d1.batch(
      isDeleted
        ? [
            d1.prepare('DELETE FROM subscriptions WHERE user_id = ?1').bind(userId),
            d1
              .prepare('DELETE FROM billing_customers WHERE user_id = ?1 AND customer_id = ?2')
              .bind(userId, customerId),
          ]
        : [d1.prepare('UPDATE billing_customers SET forget_wanted_at = ?2 WHERE user_id = ?1').bind(userId, at)],
    )
  }
}
