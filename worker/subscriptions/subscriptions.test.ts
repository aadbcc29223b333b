import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Env } from '../config'
import { refusal, send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { STRIPE } from '../testing/provider-events'
import { addUser, db, sessionFor } from '../testing/rows'
import { billingCustomers, subscriptions } from './subscriptions.table'

beforeAll(() => furnish(env.DB))

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
