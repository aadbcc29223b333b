import type { TestCard, TestPaymentOutcome } from '../contract/products'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { newId, sign } from '../lib/crypto'
import { type ClosedIntentPayment, type PaymentProvider, ProviderRejected } from './provider'
import { readSignedEvent } from './webhook-signature'

/** A delivery to the webhook, exactly as it would come over the network. */
export type WebhookDelivery = { payload: string; signature: string; at: Millis }

type Row = {
  id: string
  order_id: string
  amount_cents: number
  status: 'open' | 'succeeded' | 'canceled'
  succeeded_at: Millis | null
}
type Deps = { d1: D1Database; secret: string; now: () => Millis; deliver: (delivery: WebhookDelivery) => Promise<void> }
type Attempt = { orderId: string; card: TestCard; secondStep?: 'approve' | 'refuse' }

export type TestPaymentProvider = PaymentProvider & {
  /** What a buyer's browser would do with the provider's form. */
  confirm(attempt: Attempt): Promise<TestPaymentOutcome>
}

/**
 * The demo's provider (ruling 25): no card, no money, and otherwise a provider. It keeps its own books, has one intent
 * for each idempotency key, takes no money for what was called off, and tells what happened by a signed webhook alone.
 */
export function testPayments({ d1, secret, now, deliver }: Deps): TestPaymentProvider {
  const webhookSecret = sign(secret, 'test-payments', 'webhook')
  const find = async (id: string) => {
    const row = await d1.prepare('SELECT * FROM test_intents WHERE id = ?1').bind(id).first<Row>()
    if (!row) throw new ProviderRejected('resource_missing')
    return row
  }
  const intentOf = async ({ id }: { id: string }) => ({
    id,
    clientSecret: `${id}_secret_${await sign(secret, 'test-payments', id)}`,
  })
  /** Moves an open payment, and says whether it was this call that did. */
  const transition = async (id: string, status: Row['status']) =>
    (await d1
      .prepare(
        `UPDATE test_intents SET status = ?2, succeeded_at = iif(?2 = 'succeeded', ?3, NULL)
         WHERE id = ?1 AND status = 'open' RETURNING id`,
      )
      .bind(id, status, now())
      .first()) !== null

  async function deliverEvent(type: string, object: Record<string, unknown>): Promise<void> {
    const { default: Stripe } = await import('stripe')
    const at = now()
    const created = Math.floor(at / SECOND_MS)
    const event = { id: newId('evt_test'), object: 'event', type, created, livemode: false, data: { object } }
    const payload = JSON.stringify(event)
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: await webhookSecret,
      timestamp: created,
      cryptoProvider: Stripe.createSubtleCryptoProvider(),
    })
    await deliver({ payload, signature, at })
  }
  const intentObject = ({ id, order_id, amount_cents }: Row) => ({
    id,
    object: 'payment_intent',
    amount_received: amount_cents,
    currency: 'usd',
    metadata: { order_id },
  })

  return {
    provider: 'test',
    live: false,

    async createIntent({ orderId, amountCents }) {
      const id = `pi_test_${orderId}`
      await d1
        .prepare(
          `INSERT INTO test_intents (id, idempotency_key, order_id, amount_cents, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
           ON CONFLICT DO NOTHING`,
        )
        .bind(id, `order:${orderId}:v1`, orderId, amountCents, now())
        .run()
      return intentOf(await find(id))
    },

    async changeIntent({ intentId, amountCents }) {
      const updated = await d1
        .prepare(`UPDATE test_intents SET amount_cents = ?2 WHERE id = ?1 AND status = 'open' RETURNING id`)
        .bind(intentId, amountCents)
        .first()
      if (!updated) throw new ProviderRejected('payment_intent_unexpected_state')
      return intentOf({ id: intentId })
    },

    readIntent: async (intentId) => intentOf(await find(intentId)),

    async closeIntent({ intentId }): Promise<ClosedIntentPayment> {
      await transition(intentId, 'canceled')
      const { status, amount_cents: amountCents, succeeded_at: at } = await find(intentId)
      return status === 'succeeded' ? { amountCents, currency: 'usd', at: at ?? now() } : null
    },

    async refund({ intentId }) {
      const refunded = await d1
        .prepare(
          `UPDATE test_intents SET refunded_cents = amount_cents WHERE id = ?1 AND status = 'succeeded' RETURNING *`,
        )
        .bind(intentId)
        .first<Row>()
      if (!refunded) throw new ProviderRejected('charge_not_found')
      // Told again when asked again: a delivery that was lost comes once more.
      await deliverEvent('charge.refunded', {
        id: `ch_${intentId}`,
        payment_intent: intentId,
        amount_refunded: refunded.amount_cents,
        metadata: { order_id: refunded.order_id },
      })
    },

    readEvent: async (delivery) => readSignedEvent(delivery, await webhookSecret),

    async confirm({ orderId, card, secondStep }) {
      const id = `pi_test_${orderId}`
      const intent = await find(id)
      if (intent.status === 'canceled') throw orderClosed()
      if (intent.status === 'succeeded') {
        // Its delivery may have been lost; a provider sends it until it is taken.
        await deliverEvent('payment_intent.succeeded', intentObject(intent))
        throw orderPaid()
      }
      if (card === 'second_step' && secondStep === undefined) return { outcome: 'needs_second_step', message: null }
      if (card === 'declined' || secondStep === 'refuse') {
        await deliverEvent('payment_intent.payment_failed', intentObject(intent))
        const message =
          card === 'declined'
            ? 'Your card was declined. Please try another card.'
            : 'We could not confirm that it is you. Please try again, or use another card.'
        return { outcome: 'declined', message }
      }
      if (await transition(id, 'succeeded'))
        await deliverEvent('payment_intent.succeeded', intentObject(await find(id)))
      return { outcome: 'succeeded', message: null }
    },
  }
}

const orderPaid = () => new AppError('order_paid', 'This order has been paid already.')
const orderClosed = () => new AppError('closed', 'The time for this order is over. Please start again.')
