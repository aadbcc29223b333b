import { env } from 'cloudflare:test'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Env } from '../config'
import { refusal, send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { eventOf, STRIPE, tell } from '../testing/provider-events'
import { addUser, db, sessionFor } from '../testing/rows'
import { billingCustomers, subscriptions } from './subscriptions.table'
import { type Reading, takeInReading } from './take-in'

beforeAll(() => furnish(env.DB))
afterEach(() => void vi.restoreAllMocks())

/** Tiers were sold here, and are no more. */
const STOPPED: Partial<Env> = {
  ...{ ...STRIPE, SUBSCRIPTIONS: 'off' },
  ...{ STRIPE_PRICE_SILVER: 'price_silver', STRIPE_PRICE_GOLD: 'price_gold' },
}

test('where tiers are sold no more, nobody begins one, and who has one sees it and can end it', async () => {
  const user = await addUser({ tier: 'silver' })
  await db.insert(billingCustomers).values({ userId: user.id, customerId: 'cus_1' })
  await db
    .insert(subscriptions)
    .values({ id: 'sub_1', userId: user.id, tier: 'silver', status: 'active', periodEndsAt: NOON, asOf: NOON })
  const { headers } = await sessionFor(user, NOON)
  const ask = (method: string, path: string, json?: unknown, as = headers) =>
    send(method, `/api/subscriptions/${path}`, json, { at: NOON, headers: as, env: STOPPED })
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ id: 'bps_1', url: 'https://billing.example/p' }))
  expect(await (await ask('POST', 'portal')).json()).toEqual({ url: 'https://billing.example/p' })
  expect(String(asked.mock.calls[0]?.[0])).toBe('https://api.stripe.com/v1/billing_portal/sessions')
  expect(await (await ask('GET', 'status')).json()).toMatchObject({
    tier: 'silver',
    subscription: { status: 'active' },
  })
  const soon = [503, 'subscriptions_off', 'Subscription payments will be available soon.']
  expect(await refusal(await ask('POST', 'checkout', { tier: 'gold' }))).toEqual(soon)
  const stranger = await sessionFor(await addUser(), NOON)
  expect(await refusal(await ask('POST', 'portal', undefined, stranger.headers))).toEqual(soon)
  expect(asked).toHaveBeenCalledTimes(1)
})

test('what was read of a subscription earlier never overwrites what was read later', async () => {
  const user = await addUser()
  const reading: Reading = {
    ...{ id: 'sub_2', customerId: 'cus_2', userId: user.id, tier: 'gold', priceCents: 3500, status: 'active' },
    ...{ trialEndsAt: null, periodEndsAt: NOON, cancels: false },
  }
  const tierAfter = async (read: Partial<Reading>, asOf: number) => {
    await takeInReading(db, { ...reading, ...read }, asOf)
    return env.DB.prepare('SELECT tier FROM users WHERE id = ?').bind(user.id).first('tier')
  }
  expect(await tierAfter({}, NOON)).toBe('gold')
  expect(await tierAfter({ status: 'ended' }, NOON + 2)).toBe('bronze')
  expect(await tierAfter({}, NOON + 1)).toBe('bronze')
  expect(await tierAfter({ tier: 'silver' }, NOON + 2)).toBe('silver')
})

test('a subscription’s event of the other mode is kept for a person, and nothing is asked about it', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'))
  const event = eventOf('customer.subscription.updated', { id: 'sub_other' }, { livemode: false })
  expect((await tell(event, { env: STOPPED })).status).toBe(200)
  expect(asked).not.toHaveBeenCalled()
  const row = await env.DB.prepare('SELECT state, reason FROM payment_events WHERE id = ?').bind(event.id).first()
  expect(row).toEqual({ state: 'parked', reason: 'An event of the other mode.' })
})
