import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inParallel } from '../races/test-server'
import { type Shop, startTestShop } from './test-shop'

// These tests run the built worker with the real SDK against a fake Stripe server.

let shop: Shop
beforeAll(async () => {
  shop = await startTestShop({
    SUBSCRIPTIONS: 'on',
    STRIPE_PRICE_SILVER: 'price_silver',
    STRIPE_PRICE_GOLD: 'price_gold',
  })
}, 120_000)
afterAll(() => shop.close())
beforeEach(() => {
  shop.stripe.faults.length = 0
})

type SubscriptionStatus = {
  tier: string
  subscription: { tier: string; status: string; cancels: boolean } | null
  trialAvailable: boolean
}

/** Creates a supporter with these columns of `users`; returns its requests. */
async function newSupporter(columns: Record<string, string> = {}) {
  const [supporter] = await shop.newSupporters(1)
  const { id, cookie } = supporter!
  for (const [name, value] of Object.entries({ email: `fan${id}@mail.example`, ...columns }))
    await shop.run(`UPDATE users SET ${name} = ?2 WHERE id = ?1`, id, value)
  const status = async () =>
    (await shop.requestOnce<SubscriptionStatus>('GET', '/api/subscriptions/status', undefined, cookie)).body
  return {
    id,
    status,
    post: (path: string, json?: unknown) =>
      shop.requestOnce<{ url: string | null }>('POST', `/api/subscriptions/${path}`, json, cookie),
    tier: async () => (await status()).tier,
    /** Subscribes through a checkout page; returns the id of the subscription. */
    async subscribe(tier: string) {
      const { body } = await shop.requestOnce<{ url: string }>('POST', '/api/subscriptions/checkout', { tier }, cookie)
      const { id } = shop.stripe.subscribe(body.url.split('/').at(-1) ?? '')
      return id
    },
  }
}
const emailsOf = (id: number) =>
  shop.rows<{ kind: string }>(
    'SELECT kind FROM outbox WHERE recipient = ?1 ORDER BY created_at',
    `fan${id}@mail.example`,
  )
const DAY_SECONDS = 86_400

test('starts a trial; the webhook grants the tier', async () => {
  const supporter = await newSupporter()
  expect(await supporter.status()).toEqual({ tier: 'bronze', subscription: null, trialAvailable: true })
  await supporter.subscribe('silver')
  expect(await supporter.tier()).toBe('bronze')
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect(await supporter.status()).toMatchObject({
    tier: 'silver',
    subscription: { tier: 'silver', status: 'trialing', cancels: false },
    trialAvailable: false,
  })
})

test('grants one trial per mailbox and phone', async () => {
  const supporter = await newSupporter({ mailbox_key: 'one@mail.example', phone_hash: 'a-phone' })
  const first = await supporter.subscribe('gold')
  shop.stripe.changeSubscription(first, { status: 'canceled' })
  await shop.deliverNewEvents()
  expect(await supporter.tier()).toBe('bronze')
  for (const user of [
    supporter,
    await newSupporter({ mailbox_key: 'one@mail.example' }),
    await newSupporter({ phone_hash: 'a-phone' }),
  ]) {
    expect((await user.status()).trialAvailable).toBe(false)
    const id = await user.subscribe('gold')
    await shop.deliverNewEvents()
    expect([shop.stripe.subscriptions.get(id)?.trial_end, await user.tier()]).toEqual([null, 'gold'])
  }
})

test('changes the tier of a running subscription', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('silver')
  await shop.deliverNewEvents()
  shop.stripe.calls.length = 0
  // `vip` and `free` are aliases of gold and bronze.
  expect((await supporter.post('checkout', { tier: 'vip' })).body).toEqual({ url: null })
  expect(shop.stripe.calls.at(-1)?.body).toContain('proration_behavior=create_prorations')
  expect(await supporter.tier()).toBe('silver')
  await shop.deliverNewEvents()
  expect([await supporter.tier(), shop.stripe.subscriptions.get(id)?.items.data[0]?.price.id]).toEqual([
    'gold',
    'price_gold',
  ])
  expect(await supporter.post('checkout', { tier: 'gold' })).toMatchObject({ status: 409, code: 'conflict' })
  expect((await supporter.post('checkout', { tier: 'free' })).status).toBe(400)
})

test('the status of the subscription decides the tier', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('gold')
  for (const [status, tier] of [
    ['active', 'gold'],
    ['past_due', 'gold'],
    ['unpaid', 'bronze'],
    ['active', 'gold'],
    ['paused', 'bronze'],
    ['canceled', 'bronze'],
  ] as const) {
    shop.stripe.changeSubscription(id, { status })
    await shop.deliverNewEvents()
    expect([status, await supporter.tier()]).toEqual([status, tier])
  }
})

test('does not treat renewals as payments of orders', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('silver')
  shop.stripe.renew(id)
  expect(new Set(await shop.deliverNewEvents())).toEqual(new Set([200]))
  expect(await supporter.tier()).toBe('silver')
  expect(await shop.rows(`SELECT type FROM payment_events WHERE state = 'parked'`)).toEqual([])
  expect(await shop.rows(`SELECT state FROM payment_events WHERE type = 'payment_intent.succeeded'`)).toEqual(
    expect.arrayContaining([{ state: 'ignored' }]),
  )
})

test('a cancellation keeps the tier until the period ends', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('silver')
  shop.stripe.changeSubscription(id, { cancel_at_period_end: true })
  expect(await shop.deliverNewEvents()).toEqual([200, 200])
  expect(await supporter.status()).toMatchObject({ tier: 'silver', subscription: { cancels: true } })
  expect(await emailsOf(supporter.id)).toEqual([{ kind: 'membership_cancelled' }])
  shop.stripe.changeSubscription(id, { status: 'canceled' })
  await shop.deliverNewEvents()
  expect(await supporter.tier()).toBe('bronze')
})

test('ends a canceled subscription with an unknown price', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('gold')
  await shop.deliverNewEvents()
  expect(await supporter.tier()).toBe('gold')
  shop.stripe.subscriptions.get(id)!.items.data[0]!.price.id = 'price_unknown'
  shop.stripe.changeSubscription(id, { status: 'canceled' })
  await shop.deliverNewEvents()
  expect(await supporter.tier()).toBe('bronze')
})

test('emails the subscriber’s own price', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('gold')
  await shop.deliverNewEvents()
  Object.assign(shop.stripe.subscriptions.get(id)!.items.data[0]!.price, { id: 'price_old', unit_amount: 777 })
  shop.stripe.emitTrialEnding(id)
  expect(await shop.deliverNewEvents()).toEqual([200])
  shop.stripe.changeSubscription(id, { cancel_at_period_end: true })
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect((await emailsOf(supporter.id)).map(({ kind }) => kind).sort()).toEqual([
    'membership_cancelled',
    'trial_ending',
  ])
  const [mail] = await shop.rows<{ body: string }>(
    `SELECT text AS body FROM outbox WHERE kind = 'trial_ending' AND recipient = ?1`,
    `fan${supporter.id}@mail.example`,
  )
  expect(mail?.body).toContain('$7.77')
})

test('stores the subscription’s current state despite reordered events', async () => {
  const supporter = await newSupporter()
  const from = shop.stripe.events.length
  const id = await supporter.subscribe('silver')
  shop.stripe.changeSubscription(id, { status: 'past_due' })
  shop.stripe.changeSubscription(id, { status: 'canceled' })
  const events = shop.stripe.events.slice(from)
  for (const event of [...events].reverse().concat(events)) expect(await shop.deliver(event)).toBe(200)
  expect(await supporter.tier()).toBe('bronze')
  await shop.deliverNewEvents()
})

test('responds 503 if an event’s subscription cannot be read', async () => {
  const supporter = await newSupporter()
  await supporter.subscribe('gold')
  const event = shop.stripe.events.at(-1)!
  shop.stripe.faults.push(500, 500, 500)
  expect(await shop.deliver(event)).toBe(503)
  expect(await supporter.tier()).toBe('bronze')
  expect(await shop.deliver(event)).toBe(200)
  expect(await supporter.tier()).toBe('gold')
  await shop.deliverNewEvents()
})

test('expires the first checkout page when a second is opened', async () => {
  const supporter = await newSupporter()
  const first = (await supporter.post('checkout', { tier: 'silver' })).body.url ?? ''
  const second = (await supporter.post('checkout', { tier: 'gold' })).body.url ?? ''
  const statusOf = (url: string) => shop.stripe.sessions.get(url.split('/').at(-1) ?? '')?.status
  expect([statusOf(first), statusOf(second)]).toEqual(['expired', 'open'])
  expect(
    [...shop.stripe.customers.values()].filter(({ metadata }) => metadata.user_id === String(supporter.id)),
  ).toHaveLength(1)
})

test('keeps one checkout page open under concurrency', async () => {
  for (let round = 0; round < 3; round++) {
    const supporter = await newSupporter()
    shop.stripe.calls.length = 0
    const responses = await inParallel(5, () => supporter.post('checkout', { tier: 'silver' }))
    const openPages = [...shop.stripe.sessions.values()].filter(
      ({ metadata, status }) => metadata.user_id === String(supporter.id) && status === 'open',
    )
    expect(openPages).toMatchObject([{ trialDays: 7 }])
    expect(responses.map(({ body }) => body.url)).toContain(openPages[0]?.url)
    for (const { status, code, body } of responses)
      expect([status, code ?? (body.url?.startsWith('https://') ? 'page' : 'none')]).toEqual(
        status === 200 ? [200, 'page'] : [409, 'conflict'],
      )
    const creations = shop.stripe.calls.filter(({ path, method }) => method === 'POST' && path.endsWith('/sessions'))
    expect(new Set(creations.map(({ key }) => key)).size).toBe(creations.length)
  }
})

test('rejects a second subscription before the first one’s webhook arrives', async () => {
  const supporter = await newSupporter()
  await supporter.subscribe('silver')
  const again = await supporter.post('checkout', { tier: 'gold' })
  expect([again.status, again.body]).toEqual([409, 'You have just subscribed. Your tier opens within a minute.'])
  await shop.deliverNewEvents()
  expect(await supporter.tier()).toBe('silver')
})

test('offers one trial to concurrent accounts', async () => {
  const mailbox = { mailbox_key: 'twice@mail.example' }
  const supporters = [
    await newSupporter(mailbox),
    await newSupporter(mailbox),
    await newSupporter({ ...mailbox, phone_hash: 'twice' }),
  ]
  await Promise.all(supporters.map((supporter) => supporter.post('checkout', { tier: 'gold' })))
  const readTrialDays = () =>
    supporters.map(
      ({ id }) =>
        [...shop.stripe.sessions.values()].filter(({ metadata }) => metadata.user_id === String(id)).at(-1)?.trialDays,
    )
  expect(readTrialDays().sort()).toEqual([0, 0, 7])
  // The page with the trial expired unused, so the next one may offer it.
  await shop.run('UPDATE billing_customers SET trial_held_until = ?1', Date.now())
  await supporters[0]?.post('checkout', { tier: 'gold' })
  expect(readTrialDays()[0]).toBe(7)
})

test('opens the portal for subscribers only', async () => {
  const supporter = await newSupporter()
  expect((await supporter.post('portal')).status).toBe(409)
  await supporter.subscribe('silver')
  await shop.deliverNewEvents()
  expect((await supporter.post('portal')).body).toEqual({ url: 'https://billing.stripe.example/p' })
})

test('parks unknown subscriptions and prices, with the reason', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('silver')
  shop.stripe.subscriptions.get(id)!.items.data[0]!.price.id = 'price_unknown'
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect(await supporter.tier()).toBe('bronze')
  const stranger = await newSupporter()
  Object.assign(shop.stripe.subscriptions.get(await stranger.subscribe('silver'))!, { customer: 'cus_x', metadata: {} })
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect(await stranger.tier()).toBe('bronze')
  expect(
    await shop.rows(`SELECT reason FROM payment_events WHERE state = 'parked' ORDER BY received_at, rowid`),
  ).toEqual([
    { reason: 'The price of this subscription belongs to no tier.' },
    { reason: 'No supporter of ours has this subscription.' },
  ])
})

test('opens checkout after a lost response and an email change', async () => {
  const supporter = await newSupporter()
  shop.stripe.faults.push(...Array(3).fill('drop-response'))
  expect((await supporter.post('checkout', { tier: 'gold' })).status).toBe(503)
  await shop.run('UPDATE users SET email = ?2 WHERE id = ?1', supporter.id, `changed${supporter.id}@mail.example`)
  expect((await supporter.post('checkout', { tier: 'gold' })).status).toBe(200)
})

test.each(['stored', 'lost'])('erasure deletes both Stripe customers; second response %s', async (secondResponse) => {
  const supporter = await newSupporter()
  // The lost response and the changed email lead to a second customer.
  shop.stripe.faults.push(...Array(3).fill('drop-response'))
  await supporter.post('checkout', { tier: 'gold' })
  await shop.run('UPDATE users SET email = ?2 WHERE id = ?1', supporter.id, `changed${supporter.id}@mail.example`)
  if (secondResponse === 'lost') shop.stripe.faults.push(...Array(3).fill('drop-response'))
  await supporter.post('checkout', { tier: 'gold' })
  const countCustomers = () =>
    [...shop.stripe.customers.values()].filter(({ metadata }) => metadata.user_id === String(supporter.id)).length
  expect(countCustomers()).toBe(2)
  await shop.run('UPDATE users SET erased_at = 1 WHERE id = ?1', supporter.id)
  await shop.run('UPDATE billing_customers SET forget_wanted_at = 1 WHERE user_id = ?1', supporter.id)
  await shop.runFiveMinuteJobs()
  expect(countCustomers()).toBe(0)
  expect(await shop.rows('SELECT user_id FROM billing_customers WHERE user_id = ?1', supporter.id)).toEqual([])
})

test('deletes erased users’ customers at Stripe', async () => {
  const supporter = await newSupporter()
  const id = await supporter.subscribe('gold')
  shop.stripe.changeSubscription(id, { trial_end: Math.floor(Date.now() / 1000) + 7 * DAY_SECONDS })
  await shop.deliverNewEvents()
  await shop.run('UPDATE users SET erased_at = 1 WHERE id = ?1', supporter.id)
  await shop.run('UPDATE billing_customers SET forget_wanted_at = 1 WHERE user_id = ?1', supporter.id)
  const subscriptionRows = () => shop.rows('SELECT id FROM subscriptions WHERE user_id = ?1', supporter.id)
  const hasCustomer = () =>
    [...shop.stripe.customers.values()].some(({ metadata }) => metadata.user_id === String(supporter.id))
  shop.stripe.faults.push(...Array(3).fill('drop-request'))
  await shop.runFiveMinuteJobs()
  expect([hasCustomer(), (await subscriptionRows()).length]).toEqual([true, 1])
  shop.stripe.faults.push(...Array(3).fill('drop-response'))
  await shop.runFiveMinuteJobs()
  expect(hasCustomer()).toBe(false)
  await shop.runFiveMinuteJobs()
  expect([shop.stripe.subscriptions.get(id)?.status, await subscriptionRows()]).toEqual(['canceled', []])
  expect(await shop.rows('SELECT user_id FROM billing_customers WHERE user_id = ?1', supporter.id)).toEqual([])
  // Late events do not restore the subscription.
  expect(await shop.deliverNewEvents()).toEqual([200])
  expect(await subscriptionRows()).toEqual([])
})

test('ends a subscription started after erasure', async () => {
  const supporter = await newSupporter()
  const { body } = await supporter.post('checkout', { tier: 'silver' })
  await shop.run('UPDATE users SET erased_at = 1 WHERE id = ?1', supporter.id)
  await shop.run('DELETE FROM billing_customers WHERE user_id = ?1', supporter.id)
  const { id } = shop.stripe.subscribe(body.url?.split('/').at(-1) ?? '')
  await shop.deliverNewEvents()
  await shop.runFiveMinuteJobs()
  expect(shop.stripe.subscriptions.get(id)?.status).toBe('canceled')
})
