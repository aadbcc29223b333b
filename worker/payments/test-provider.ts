import { and, eq, sql } from 'drizzle-orm'
import type { TestCard, TestPaymentOutcome } from '../contract/checkout'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { newId, sign } from '../lib/crypto'
import { testIntents, testRefunds } from './payments.table'
import { type PaymentProvider, ProviderRejected, type WebhookDelivery } from './provider'
import { readSignedEvent } from './stripe'

type TestIntent = typeof testIntents.$inferSelect
type ConfirmAttempt = { orderId: string; card: TestCard; secondStep?: 'approve' | 'refuse' }

export type TestPaymentProvider = PaymentProvider & {
  /** Confirms a payment as a real provider's form in the browser would. @throws AppError `closed`, `order_paid`. */
  confirm(attempt: ConfirmAttempt): Promise<TestPaymentOutcome>
}

type TestPaymentsOptions = {
  db: Db
  secret: string
  now: () => Millis
  deliver: (delivery: WebhookDelivery) => Promise<void>
}

/** The demo's provider: moves no money, but stores intents and refunds, is idempotent and signs its webhooks. */
export function createTestPayments({ db, secret, now, deliver }: TestPaymentsOptions): TestPaymentProvider {
  const webhookSecret = sign(secret, 'test-payments', 'webhook')
  const isOpen = (id: string) => and(eq(testIntents.id, id), eq(testIntents.status, 'open'))
  const findIntent = async (id: string): Promise<TestIntent> => {
    const [row] = await db.select().from(testIntents).where(eq(testIntents.id, id))
    if (!row) throw new ProviderRejected('resource_missing')
    return row
  }
  const intentOf = async ({ id }: { id: string }) => ({
    id,
    clientSecret: `${id}_secret_${await sign(secret, 'test-payments', id)}`,
  })
  /** Closes an open intent; returns whether this call did. */
  const close = async (id: string, change: Pick<TestIntent, 'status' | 'succeededAt'>): Promise<boolean> =>
    (await db.update(testIntents).set(change).where(isOpen(id)).returning({ id: testIntents.id })).length === 1

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
  const siteCurrency = async () =>
    ((await db.$client.prepare('SELECT currency FROM site').first<string>('currency')) ?? 'USD').toLowerCase()
  const intentObject = async ({ id, orderId, amountCents }: TestIntent) => ({
    id,
    object: 'payment_intent',
    amount_received: amountCents,
    currency: await siteCurrency(),
    metadata: { order_id: orderId },
  })

  return {
    provider: 'test',
    isLive: false,

    async createIntent({ orderId, amountCents }) {
      const id = `pi_test_${orderId}`
      await db
        .insert(testIntents)
        .values({ id, idempotencyKey: `order:${orderId}:v1`, orderId, amountCents, createdAt: now() })
        .onConflictDoNothing()
      return intentOf(await findIntent(id))
    },

    async changeIntent({ intentId, amountCents }) {
      const [updated] = await db.update(testIntents).set({ amountCents }).where(isOpen(intentId)).returning()
      if (!updated) throw new ProviderRejected('payment_intent_unexpected_state')
      return intentOf(updated)
    },

    readIntent: async (intentId) => intentOf(await findIntent(intentId)),

    async closeIntent({ intentId }) {
      await close(intentId, { status: 'canceled', succeededAt: null })
      const { status, amountCents, succeededAt } = await findIntent(intentId)
      return status === 'succeeded' ? { amountCents, currency: await siteCurrency(), at: succeededAt ?? now() } : null
    },

    async refund({ intentId, part }) {
      if (part)
        await db
          .insert(testRefunds)
          .values({ id: part.refundId, intentId, amountCents: part.amountCents })
          .onConflictDoNothing()
      const refundedCents = part
        ? sql`(SELECT sum(amount_cents) FROM test_refunds WHERE intent_id = ${intentId})`
        : testIntents.amountCents
      const [refunded] = await db
        .update(testIntents)
        .set({ refundedCents })
        .where(
          and(
            eq(testIntents.id, intentId),
            eq(testIntents.status, 'succeeded'),
            sql`${refundedCents} BETWEEN ${testIntents.refundedCents} AND ${testIntents.amountCents}`,
          ),
        )
        .returning()
      if (!refunded) throw new ProviderRejected('charge_not_found')
      // A repeated refund delivers its event again, in case the first delivery was lost.
      await deliverEvent('charge.refunded', {
        id: `ch_${intentId}`,
        payment_intent: intentId,
        amount_refunded: refunded.refundedCents,
        metadata: { order_id: refunded.orderId },
      })
    },

    readEvent: async (delivery) => readSignedEvent(delivery, await webhookSecret),

    async confirm({ orderId, card, secondStep }) {
      const id = `pi_test_${orderId}`
      const intent = await findIntent(id)
      if (intent.status === 'canceled') throw new AppError('closed', 'This order has expired. Please start again.')
      if (intent.status === 'succeeded') {
        // Delivers again, as a provider does until the webhook succeeds.
        await deliverEvent('payment_intent.succeeded', await intentObject(intent))
        throw new AppError('order_paid', 'This order has already been paid.')
      }
      if (card === 'second_step' && secondStep === undefined) return { outcome: 'needs_second_step', message: null }
      if (card === 'declined' || secondStep === 'refuse') {
        await deliverEvent('payment_intent.payment_failed', await intentObject(intent))
        const message =
          card === 'declined'
            ? 'Your card was declined. Please try another card.'
            : 'We could not confirm that it is you. Please try again, or use another card.'
        return { outcome: 'declined', message }
      }
      if (await close(id, { status: 'succeeded', succeededAt: now() }))
        await deliverEvent('payment_intent.succeeded', await intentObject(await findIntent(id)))
      return { outcome: 'succeeded', message: null }
    },
  }
}
