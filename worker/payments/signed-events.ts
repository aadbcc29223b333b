import { MINUTE, type Millis, SECOND } from '../lib/clock'
import { Refused } from '../lib/refused'
import type { ProviderEvent } from './provider'
import { inOurWords } from './stripe-events'

/** A signature is of this moment, give or take: an older one may have been caught on the way and played again. */
const TOLERANCE: Millis = 5 * MINUTE

/**
 * Reads an event that Stripe signed (`Stripe-Signature: t=...,v1=...`). The SDK takes a timestamp from the future,
 * however far; we do not.
 * @throws Refused `bad_input`.
 */
export async function readSigned(
  { payload, signature, at }: { payload: string; signature: string; at: Millis },
  secret: string,
): Promise<ProviderEvent> {
  const { default: Stripe } = await import('stripe')
  const event = await Stripe.webhooks
    .constructEventAsync(payload, signature, secret, TOLERANCE / SECOND, Stripe.createSubtleCryptoProvider(), at)
    .catch(() => null)
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]) * SECOND
  if (!event || !(signedAt <= at + TOLERANCE))
    throw new Refused('bad_input', 'That is not signed by the payment provider.')
  return inOurWords(event)
}
