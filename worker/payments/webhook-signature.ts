import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import type { ProviderEvent } from './provider'
import { parseStripeEvent } from './stripe-events'

/** A signature is of this moment, give or take: an older one may have been caught on the way and played again. */
const TIMESTAMP_TOLERANCE_MS: Millis = 5 * MINUTE_MS

/**
 * Reads an event that Stripe signed (`Stripe-Signature: t=...,v1=...`). The SDK takes a timestamp from the future,
 * however far; we do not.
 * @throws AppError `bad_input`.
 */
export async function readSignedEvent(
  { payload, signature, at }: { payload: string; signature: string; at: Millis },
  secret: string,
): Promise<ProviderEvent> {
  const { default: Stripe } = await import('stripe')
  const event = await Stripe.webhooks
    .constructEventAsync(
      payload,
      signature,
      secret,
      TIMESTAMP_TOLERANCE_MS / SECOND_MS,
      Stripe.createSubtleCryptoProvider(),
      at,
    )
    .catch(() => null)
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) * SECOND_MS
  if (!event || !(signedAt <= at + TIMESTAMP_TOLERANCE_MS))
    throw new AppError('bad_input', 'That is not signed by the payment provider.')
  return parseStripeEvent(event)
}
