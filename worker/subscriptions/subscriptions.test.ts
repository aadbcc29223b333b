import { env } from 'cloudflare:test'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDb } from '../db/client'
import type { Env } from '../env'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, SECOND_MS } from '../lib/clock'
import type { ProviderSubscription } from '../payments/billing'
import { errorOf, send } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addUser, db } from '../testing/fixtures'
import { STRIPE_ENV, sendEvent, stripeEvent } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, sessionFor } from '../testing/users'
import { saveSubscription } from './subscription-events'
import { getSubscriptionStatus } from './subscriptions'
import { billingCustomers, subscriptions } from './subscriptions.table'

beforeAll(() => seedSite(env.DB))
afterEach(() => void vi.restoreAllMocks())

/** Configuration in which tiers are no longer sold, while existing subscriptions continue. */
const SALES_STOPPED: Partial<Env> = {
  ...STRIPE_ENV,
  SUBSCRIPTIONS: 'off',
  STRIPE_PRICE_SILVER: 'price_silver',
  STRIPE_PRICE_GOLD: 'price_gold',
}

test('stops selling but serves existing subscriptions', async () => {
  const user = await addUser({ tier: 'silver' })
  await db.insert(billingCustomers).values({ userId: user.id, customerId: 'cus_1' })
  await db
    .insert(subscriptions)
    .values({ id: 'sub_1', userId: user.id, tier: 'silver', status: 'active', periodEndsAt: NOON, asOf: NOON })
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, path: string, json?: unknown, callerHeaders = headers) =>
    send(method, `/api/subscriptions/${path}`, json, { at: NOON, headers: callerHeaders, env: SALES_STOPPED })
  const fetchSpy = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ id: 'bps_1', url: 'https://billing.example/p' }))
  expect(await (await request('POST', 'portal')).json()).toEqual({ url: 'https://billing.example/p' })
  expect(String(fetchSpy.mock.calls[0]?.[0])).toBe('https://api.stripe.com/v1/billing_portal/sessions')
  expect(await (await request('GET', 'status')).json()).toMatchObject({
    tier: 'silver',
    subscription: { status: 'active' },
  })
  const notSold = [503, 'subscriptions_off', 'Subscription payments will be available soon.']
  expect(await errorOf(await request('POST', 'checkout', { tier: 'gold' }))).toEqual(notSold)
  const otherUser = await sessionFor(await addUser(), NOON)
  expect(await errorOf(await request('POST', 'portal', undefined, otherUser.headers))).toEqual(notSold)
  expect(fetchSpy).toHaveBeenCalledTimes(1)
})

test.each([
  [
    401,
    { type: 'authentication_error' },
    [503, 'unavailable', 'The payment service did not answer. Please try again.'],
  ],
  [
    400,
    { type: 'invalid_request_error', code: 'resource_missing' },
    [409, 'conflict', 'The payment service rejected the request. Please refresh and try again.'],
  ],
])('does not mention orders when the provider answers %s', async (status, error, expected) => {
  const user = await addUser()
  await db.insert(billingCustomers).values({ userId: user.id, customerId: `cus_${status}` })
  const { headers } = await sessionFor(user, NOON)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ error }, { status }))
  const portal = await send('POST', '/api/subscriptions/portal', undefined, { at: NOON, headers, env: SALES_STOPPED })
  expect(await errorOf(portal)).toEqual(expected)
})

test('never overwrites a newer subscription state', async () => {
  const user = await addUser()
  const subscription: ProviderSubscription = {
    id: 'sub_2',
    customerId: 'cus_2',
    userId: user.id,
    tier: 'gold',
    priceCents: 3500,
    status: 'active',
    trialEndsAt: null,
    periodEndsAt: NOON,
    cancels: false,
  }
  const tierAfter = async (read: Partial<ProviderSubscription>, asOf: number) => {
    await saveSubscription(db, { ...subscription, ...read }, asOf)
    return env.DB.prepare('SELECT tier FROM users WHERE id = ?').bind(user.id).first('tier')
  }
  expect(await tierAfter({}, NOON)).toBe('gold')
  expect(await tierAfter({ status: 'ended' }, NOON + 2)).toBe('bronze')
  expect(await tierAfter({}, NOON + 1)).toBe('bronze')
  expect(await tierAfter({ tier: 'silver' }, NOON + 2)).toBe('silver')
})

test('parks events whose livemode differs from the key’s', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'))
  const event = stripeEvent('customer.subscription.updated', { id: 'sub_other' }, { livemode: false })
  expect((await sendEvent(event, { env: SALES_STOPPED })).status).toBe(200)
  expect(fetchSpy).not.toHaveBeenCalled()
  const row = await env.DB.prepare('SELECT state, reason FROM payment_events WHERE id = ?').bind(event.id).first()
  expect(row).toEqual({ state: 'parked', reason: 'Test-mode event in live mode, or the reverse.' })
})

test('grants no second trial to an erased mailbox or phone', async () => {
  const secret = 'x'.repeat(32)
  const supporters = await Promise.all(
    ['first', 'other'].map((name) =>
      addNamedUser(name, {
        mailboxKey: `${name}@week.example`,
        email: `${name}@week.example`,
        phoneHash: `phone-${name}`,
      }),
    ),
  )
  const isTrialAvailable = async (row: { id: number }) =>
    (await getSubscriptionStatus({ db: openDb(env.DB), secret }, { userId: row.id, email: '', tier: 'bronze' }))
      .trialAvailable
  await env.DB.prepare(
    "INSERT INTO billing_customers (user_id, customer_id, trial_used_at) VALUES (?, 'cus_erased', 1)",
  )
    .bind(supporters[0]!.id)
    .run()
  for (const { id } of supporters) await eraseUser({ db, secret }, { userId: id, byUserRequest: true }, NOON)
  expect([
    await isTrialAvailable(await addNamedUser('back1', { mailboxKey: 'first@week.example' })),
    await isTrialAvailable(await addNamedUser('back2', { phoneHash: 'phone-first' })),
    await isTrialAvailable(await addNamedUser('back3', { mailboxKey: 'other@week.example', phoneHash: 'phone-other' })),
  ]).toEqual([false, false, true])
})

test('emails once before a trial ends, in the site’s currency', async () => {
  await env.DB.prepare("UPDATE site SET currency = 'EUR'").run()
  const { id } = await addNamedUser('trial', { email: 'trial@week.example', mailboxKey: 'trial@week.example' })
  const endsAt = (NOON + 3 * DAY_MS) / SECOND_MS
  const subscription = {
    id: 'sub_trial',
    object: 'subscription',
    customer: 'cus_trial',
    status: 'trialing',
    trial_end: endsAt,
    cancel_at_period_end: false,
    cancel_at: null,
    metadata: { user_id: String(id) },
    items: { data: [{ price: { id: 'price_gold' }, current_period_end: endsAt }] },
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(subscription))
  const sellingTiers = { SUBSCRIPTIONS: 'on', STRIPE_PRICE_SILVER: 'price_silver', STRIPE_PRICE_GOLD: 'price_gold' }
  const emails = async () => (await emailsTo('trial@week.example')).map(({ kind }) => kind)
  for (const [type, kinds] of [
    ['customer.subscription.created', []],
    ['customer.subscription.trial_will_end', ['trial_ending']],
    ['customer.subscription.trial_will_end', ['trial_ending']],
  ] as const) {
    expect((await sendEvent(stripeEvent(type, subscription), { env: sellingTiers })).status).toBe(200)
    expect(await emails()).toEqual(kinds)
  }
  expect((await emailsTo('trial@week.example'))[0]?.text).toMatch(/Price per month: €\d+\.\d\d/)
  await env.DB.prepare("UPDATE site SET currency = 'USD'").run()
})
