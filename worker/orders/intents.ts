import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { sha256 } from '../lib/crypto'
import { type PaymentProvider, ProviderFailed, ProviderRejected, ProviderUnreachable } from '../payments/provider'
import type { OpenOrder } from './open-order'

/** An order whose payment the provider has, and what the browser confirms it with. */
export type OrderWithIntent = { order: OpenOrder & { paymentIntentId: string }; clientSecret: string }

type Deps = { db: Db; payments: PaymentProvider }

/**
 * The order's payment: made at the provider where there is none yet, read where the browser does not bring its secret.
 * An order's amount is not changed before its payment is known, so that a lost answer is asked for by the same call.
 */
export async function ensureIntent(
  { db, payments }: Deps,
  order: OpenOrder,
  givenSecret: string | undefined,
): Promise<OrderWithIntent> {
  if (order.paymentIntentId !== null) {
    const paymentIntentId = order.paymentIntentId
    const isKnownSecret = givenSecret !== undefined && (await sha256(givenSecret)) === order.clientSecretHash
    const clientSecret = isKnownSecret
      ? givenSecret
      : (await mapProviderErrors(payments.readIntent(paymentIntentId))).clientSecret
    return { order: { ...order, paymentIntentId }, clientSecret }
  }
  const { id: orderId, amountCents, providerAttempt } = order
  const { id, clientSecret } = await mapProviderErrors(
    withAttempt(db, { orderId, attempt: providerAttempt }, (attempt) =>
      payments.createIntent({ orderId, amountCents, attempt }),
    ),
  )
  const hash = await sha256(clientSecret)
  await db.$client
    .prepare(
      `UPDATE orders SET payment_intent_id = ?2, client_secret_hash = ?3, intent_revision = max(intent_revision, 1)
       WHERE id = ?1 AND client_secret_hash IS NULL`,
    )
    .bind(order.id, id, hash)
    .run()
  return {
    order: { ...order, paymentIntentId: id, clientSecretHash: hash, intentRevision: Math.max(order.intentRevision, 1) },
    clientSecret,
  }
}

/**
 * A call under the key of the order's attempt. Where the provider answers that it failed, which it would say again under
 * that key, the next call goes under another one.
 */
export async function withAttempt<T>(
  db: Db,
  { orderId, attempt }: { orderId: string; attempt: number },
  call: (attempt: number) => Promise<T>,
): Promise<T> {
  return call(attempt).catch(async (error) => {
    if (error instanceof ProviderFailed)
      await db.$client
        .prepare('UPDATE orders SET provider_attempt = ?2 + 1 WHERE id = ?1 AND provider_attempt = ?2')
        .bind(orderId, attempt)
        .run()
    throw error
  })
}

/** The provider's failure as a sentence for the buyer. @throws AppError `unavailable`, `conflict`. */
export function mapProviderErrors<T>(response: Promise<T>): Promise<T> {
  return response.catch((error) => {
    if (error instanceof ProviderUnreachable)
      throw new AppError('unavailable', 'The payment service did not answer. Nothing was charged. Please try again.', {
        cause: error,
      })
    if (error instanceof ProviderRejected)
      throw new AppError('conflict', 'The payment service did not take this order. Please refresh and try again.', {
        cause: error,
      })
    throw error
  })
}
