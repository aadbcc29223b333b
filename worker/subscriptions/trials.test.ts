import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { openDb } from '../db/client'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, SECOND_MS } from '../lib/clock'
import { emailsTo } from '../testing/emails'
import { db } from '../testing/fixtures'
import { sendEvent, stripeEvent } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { addVerifiedUser } from '../testing/users'
import { getSubscriptionStatus } from './subscriptions'

beforeAll(() => seedSite(env.DB))

test('grants one trial, also after erasure', async () => {
  const secret = 'x'.repeat(32)
  const supporters = await Promise.all(
    ['first', 'other'].map((name) =>
      addVerifiedUser(name, {
        mailboxKey: `${name}@week.example`,
        email: `${name}@week.example`,
        phoneHash: `phone-${name}`,
      }),
    ),
  )
  const free = async (row: { id: number }) =>
    (await getSubscriptionStatus({ db: openDb(env.DB), secret }, { userId: row.id, email: '', tier: 'bronze' }))
      .trialAvailable
  await env.DB.prepare("INSERT INTO billing_customers (user_id, customer_id, trial_used_at) VALUES (?, 'cus_2', 1)")
    .bind(supporters[0]!.id)
    .run()
  for (const { id } of supporters) await eraseUser({ db, secret }, { userId: id, byUserRequest: true }, NOON)
  expect([
    await free(await addVerifiedUser('back1', { mailboxKey: 'first@week.example' })),
    await free(await addVerifiedUser('back2', { phoneHash: 'phone-first' })),
    await free(await addVerifiedUser('back3', { mailboxKey: 'other@week.example', phoneHash: 'phone-other' })),
  ]).toEqual([false, false, true])
})

test('emails once before a trial ends', async () => {
  const { id } = await addVerifiedUser('trial', { email: 'trial@week.example', mailboxKey: 'trial@week.example' })
  const ends = (NOON + 3 * DAY_MS) / SECOND_MS
  const subscription = {
    ...{ id: 'sub_trial', object: 'subscription', customer: 'cus_trial', status: 'trialing', trial_end: ends },
    ...{ cancel_at_period_end: false, cancel_at: null, metadata: { user_id: String(id) } },
    items: { data: [{ price: { id: 'price_gold' }, current_period_end: ends }] },
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(subscription))
  const soldTier = { SUBSCRIPTIONS: 'on', STRIPE_PRICE_SILVER: 'price_silver', STRIPE_PRICE_GOLD: 'price_gold' }
  const emails = async () => (await emailsTo('trial@week.example')).map(({ kind }) => kind)
  for (const [type, kinds] of [
    ['customer.subscription.created', []],
    ['customer.subscription.trial_will_end', ['trial_ending']],
    ['customer.subscription.trial_will_end', ['trial_ending']],
  ] as const) {
    expect((await sendEvent(stripeEvent(type, subscription), { env: soldTier })).status).toBe(200)
    expect(await emails()).toEqual(kinds)
  }
})
