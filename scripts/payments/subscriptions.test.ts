import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { atOnce, type Shop, startShop } from './shop'

let shop: Shop
beforeAll(async () => {
  shop = await startShop({ SUBSCRIPTIONS: 'on', STRIPE_PRICE_SILVER: 'price_silver', STRIPE_PRICE_GOLD: 'price_gold' })
}, 120_000)
afterAll(() => shop.close())
beforeEach(() => {
  shop.stripe.faults.length = 0
})

type Status = {
  tier: string
  subscription: { tier: string; status: string; cancels: boolean } | null
  trialAvailable: boolean
}

async function newFan(row: Record<string, string> = {}) {
  const [fan] = await shop.newFans(1)
  const { id, cookie } = fan!
  for (const [name, value] of Object.entries({ email: `fan${id}@mail.example`, ...row }))
    await shop.run(`UPDATE users SET ${name} = ?2 WHERE id = ?1`, id, value)
  const status = async () =>
    (await shop.requestOnce<Status>('GET', '/api/subscriptions/status', undefined, cookie)).json
  return {
    id,
    status,
    post: (path: string, json?: unknown) =>
      shop.requestOnce<{ url: string | null }>('POST', `/api/subscriptions/${path}`, json, cookie),
    tier: async () => (await status()).tier,
    /** Goes to Stripe's page and subscribes there. */
    async subscribes(tier: string) {
      const { json } = await shop.requestOnce<{ url: string }>('POST', '/api/subscriptions/checkout', { tier }, cookie)
      const { id } = shop.stripe.subscribe(json.url.split('/').at(-1) ?? '')
      return id
    },
  }
}
const mailsOf = (id: number) =>
  shop.rows<{ kind: string }>(
    'SELECT kind FROM outbox WHERE recipient = ?1 ORDER BY created_at',
    `fan${id}@mail.example`,
  )
const DAY = 86_400

test('a first subscription is a free week, and the tier comes with the webhook and not before', async () => {
  const fan = await newFan()
  expect(await fan.status()).toEqual({ tier: 'bronze', subscription: null, trialAvailable: true })
  await fan.subscribes('silver')
  expect(await fan.tier()).toBe('bronze')
  expect(await shop.deliverAll()).toEqual([200])
  expect(await fan.status()).toMatchObject({
    tier: 'silver',
    subscription: { tier: 'silver', status: 'trialing', cancels: false },
    trialAvailable: false,
  })
})

test('the free week is once a person: not after it ended, nor for another account of the same mailbox or phone', async () => {
  const fan = await newFan({ mailbox_key: 'one@mail.example', phone_hash: 'a-phone' })
  const first = await fan.subscribes('gold')
  shop.stripe.alter(first, { status: 'canceled' })
  await shop.deliverAll()
  expect(await fan.tier()).toBe('bronze')
  for (const again of [
    fan,
    await newFan({ mailbox_key: 'one@mail.example' }),
    await newFan({ phone_hash: 'a-phone' }),
  ]) {
    expect((await again.status()).trialAvailable).toBe(false)
    const id = await again.subscribes('gold')
    await shop.deliverAll()
    expect([shop.stripe.subscriptions.get(id)?.trial_end, await again.tier()]).toEqual([null, 'gold'])
  }
})

test('a running subscription moves to the other tier at once, prorated, and never twice', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('silver')
  await shop.deliverAll()
  shop.stripe.calls.length = 0
  expect((await fan.post('checkout', { tier: 'vip' })).json).toEqual({ url: null })
  expect(shop.stripe.calls.at(-1)?.body).toContain('proration_behavior=create_prorations')
  expect(await fan.tier()).toBe('silver')
  await shop.deliverAll()
  expect([await fan.tier(), shop.stripe.subscriptions.get(id)?.items.data[0]?.price.id]).toEqual(['gold', 'price_gold'])
  expect(await fan.post('checkout', { tier: 'gold' })).toMatchObject({ status: 409, code: 'conflict' })
  expect((await fan.post('checkout', { tier: 'free' })).status).toBe(400)
})

test('a failed payment leaves the tier while it is tried again, and takes it when that is given up', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('gold')
  for (const [status, tier] of [
    ['active', 'gold'],
    ['past_due', 'gold'],
    ['unpaid', 'bronze'],
    ['active', 'gold'],
    ['paused', 'bronze'],
    ['canceled', 'bronze'],
  ] as const) {
    shop.stripe.alter(id, { status })
    await shop.deliverAll()
    expect([status, await fan.tier()]).toEqual([status, tier])
  }
})

test('what members pay every month is no order’s payment, and nothing for a person to look at', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('silver')
  shop.stripe.renew(id)
  expect(new Set(await shop.deliverAll())).toEqual(new Set([200]))
  expect(await fan.tier()).toBe('silver')
  expect(await shop.rows(`SELECT type FROM payment_events WHERE state = 'parked'`)).toEqual([])
  expect(await shop.rows(`SELECT state FROM payment_events WHERE type = 'payment_intent.succeeded'`)).toEqual(
    expect.arrayContaining([{ state: 'ignored' }]),
  )
})

test('who cancels keeps the tier until the period ends, and is told so once', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('silver')
  shop.stripe.alter(id, { cancel_at_period_end: true })
  const both = await shop.deliverAll()
  expect(both).toEqual([200, 200])
  expect(await fan.status()).toMatchObject({ tier: 'silver', subscription: { cancels: true } })
  expect(await mailsOf(fan.id)).toEqual([{ kind: 'membership_cancelled' }])
  shop.stripe.alter(id, { status: 'canceled' })
  await shop.deliverAll()
  expect(await fan.tier()).toBe('bronze')
})

test('a tier sold at a price that is none of ours any more still ends with its subscription', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('gold')
  await shop.deliverAll()
  expect(await fan.tier()).toBe('gold')
  shop.stripe.subscriptions.get(id)!.items.data[0]!.price.id = 'price_before_it_was_raised'
  shop.stripe.alter(id, { status: 'canceled' })
  await shop.deliverAll()
  expect(await fan.tier()).toBe('bronze')
})

test('who joined before a price was raised is told of the trial’s end and of the leaving, at the price they pay', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('gold')
  await shop.deliverAll()
  Object.assign(shop.stripe.subscriptions.get(id)!.items.data[0]!.price, { id: 'price_of_last_year', unit_amount: 777 })
  shop.stripe.warnOfTrial(id)
  expect(await shop.deliverAll()).toEqual([200])
  shop.stripe.alter(id, { cancel_at_period_end: true })
  expect(await shop.deliverAll()).toEqual([200])
  expect((await mailsOf(fan.id)).map(({ kind }) => kind).sort()).toEqual(['membership_cancelled', 'trial_ending'])
  const [mail] = await shop.rows<{ body: string }>(
    `SELECT text AS body FROM outbox WHERE kind = 'trial_ending' AND recipient = ?1`,
    `fan${fan.id}@mail.example`,
  )
  expect(mail?.body).toContain('$7.77')
})

test('events in the wrong order, and twice, leave the tier that Stripe says', async () => {
  const fan = await newFan()
  const from = shop.stripe.events.length
  const id = await fan.subscribes('silver')
  shop.stripe.alter(id, { status: 'past_due' })
  shop.stripe.alter(id, { status: 'canceled' })
  const events = shop.stripe.events.slice(from)
  for (const event of [...events].reverse().concat(events)) expect(await shop.deliver(event)).toBe(200)
  expect(await fan.tier()).toBe('bronze')
  await shop.deliverAll()
})

test('an event whose subscription cannot be read is asked for again', async () => {
  const fan = await newFan()
  await fan.subscribes('gold')
  const event = shop.stripe.events.at(-1)!
  shop.stripe.faults.push(500, 500, 500)
  expect(await shop.deliver(event)).toBe(503)
  expect(await fan.tier()).toBe('bronze')
  expect(await shop.deliver(event)).toBe(200)
  expect(await fan.tier()).toBe('gold')
  await shop.deliverAll()
})

test('a second page closes the first: one person cannot pay for two', async () => {
  const fan = await newFan()
  const first = (await fan.post('checkout', { tier: 'silver' })).json.url ?? ''
  const second = (await fan.post('checkout', { tier: 'gold' })).json.url ?? ''
  const stateOf = (url: string) => shop.stripe.sessions.get(url.split('/').at(-1) ?? '')?.status
  expect([stateOf(first), stateOf(second)]).toEqual(['expired', 'open'])
  expect(
    [...shop.stripe.customers.values()].filter(({ metadata }) => metadata.user_id === String(fan.id)),
  ).toHaveLength(1)
})

test('however many pages are opened at once, one stands open, under a key of its own', async () => {
  for (let round = 0; round < 3; round++) {
    const fan = await newFan()
    shop.stripe.calls.length = 0
    const responses = await atOnce(5, () => fan.post('checkout', { tier: 'silver' }))
    const stand = [...shop.stripe.sessions.values()].filter(
      ({ metadata, status }) => metadata.user_id === String(fan.id) && status === 'open',
    )
    expect(stand).toMatchObject([{ trialDays: 7 }])
    expect(responses.map(({ json }) => json.url)).toContain(stand[0]?.url)
    for (const { status, code, json } of responses)
      expect([status, code ?? (json.url?.startsWith('https://') ? 'page' : 'none')]).toEqual(
        status === 200 ? [200, 'page'] : [409, 'conflict'],
      )
    const keys = shop.stripe.calls.filter(({ path, method }) => method === 'POST' && path.endsWith('/sessions'))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length)
  }
})

test('a subscription that was made and not told of yet is found before a second one is sold', async () => {
  const fan = await newFan()
  await fan.subscribes('silver')
  const again = await fan.post('checkout', { tier: 'gold' })
  expect([again.status, again.json]).toEqual([409, 'You have subscribed just now. Your tier opens within a minute.'])
  await shop.deliverAll()
  expect(await fan.tier()).toBe('silver')
})

test('two accounts of one person who open their pages at once are offered one free week', async () => {
  const mailbox = { mailbox_key: 'twice@mail.example' }
  const fans = [await newFan(mailbox), await newFan(mailbox), await newFan({ ...mailbox, phone_hash: 'twice' })]
  await Promise.all(fans.map((fan) => fan.post('checkout', { tier: 'gold' })))
  const days = () =>
    fans.map(
      ({ id }) =>
        [...shop.stripe.sessions.values()].filter(({ metadata }) => metadata.user_id === String(id)).at(-1)?.trialDays,
    )
  expect(days().sort()).toEqual([0, 0, 7])
  // The page that offered it is gone unused: the next one may offer it.
  await shop.run('UPDATE billing_customers SET trial_held_until = ?1', Date.now())
  await fans[0]?.post('checkout', { tier: 'gold' })
  expect(days()[0]).toBe(7)
})

test('the portal is for who ever subscribed', async () => {
  const fan = await newFan()
  expect((await fan.post('portal')).status).toBe(409)
  await fan.subscribes('silver')
  await shop.deliverAll()
  expect((await fan.post('portal')).json).toEqual({ url: 'https://billing.stripe.example/p' })
})

test('a subscription of nobody, or at a price of nobody’s, is kept for a person and changes nothing', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('silver')
  shop.stripe.subscriptions.get(id)!.items.data[0]!.price.id = 'price_of_something_else'
  expect(await shop.deliverAll()).toEqual([200])
  expect(await fan.tier()).toBe('bronze')
  expect(await shop.rows(`SELECT reason FROM payment_events WHERE state = 'parked'`)).toEqual([
    { reason: 'No supporter of ours has this subscription.' },
  ])
})

test('who is gone is forgotten at Stripe, too, and pays no more, whatever answer was lost', async () => {
  const fan = await newFan()
  const id = await fan.subscribes('gold')
  shop.stripe.alter(id, { trial_end: Math.floor(Date.now() / 1000) + 7 * DAY })
  await shop.deliverAll()
  await shop.run('UPDATE users SET erased_at = 1 WHERE id = ?1', fan.id)
  await shop.run('UPDATE billing_customers SET forget_wanted_at = 1 WHERE user_id = ?1', fan.id)
  const kept = () => shop.rows('SELECT id FROM subscriptions WHERE user_id = ?1', fan.id)
  const known = () => [...shop.stripe.customers.values()].some(({ metadata }) => metadata.user_id === String(fan.id))
  shop.stripe.faults.push(...Array(3).fill('drop'))
  await shop.everyFewMinutes()
  expect([known(), (await kept()).length]).toEqual([true, 1])
  shop.stripe.faults.push(...Array(3).fill('lose'))
  await shop.everyFewMinutes()
  expect(known()).toBe(false)
  await shop.everyFewMinutes()
  expect([shop.stripe.subscriptions.get(id)?.status, await kept()]).toEqual(['canceled', []])
  expect(await shop.rows('SELECT user_id FROM billing_customers WHERE user_id = ?1', fan.id)).toEqual([])
  // What Stripe still tells of it brings nobody back, and waits for no person.
  expect(await shop.deliverAll()).toEqual([200])
  expect(await kept()).toEqual([])
})

test('a page that was still open is paid by somebody who is gone: it is ended as well', async () => {
  const fan = await newFan()
  const { json } = await fan.post('checkout', { tier: 'silver' })
  await shop.run('UPDATE users SET erased_at = 1 WHERE id = ?1', fan.id)
  await shop.run('DELETE FROM billing_customers WHERE user_id = ?1', fan.id)
  const { id } = shop.stripe.subscribe(json.url?.split('/').at(-1) ?? '')
  await shop.deliverAll()
  await shop.everyFewMinutes()
  expect(shop.stripe.subscriptions.get(id)?.status).toBe('canceled')
})
