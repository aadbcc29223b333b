import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../lib/clock'
import { errorOf, send } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addUser, db } from '../testing/fixtures'
import { sessionFor } from '../testing/users'
import { subscribe, upsertSubscriber } from './newsletter'
import { CONSENT_VERSION, subscribers } from './newsletter.table'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const HOUSE = { db, secret: 'x'.repeat(40), origin: 'https://fan.example' }
const rows = () => db.select().from(subscribers)

beforeEach(async () => {
  await db.delete(subscribers)
  await env.DB.prepare('DELETE FROM outbox').run()
})

const join = (json: unknown, ip: string = crypto.randomUUID()) =>
  send('POST', '/api/newsletter/subscribe', json, { at: NOW, headers: { 'cf-connecting-ip': ip } })

test('stores a pending subscription with its consent', async () => {
  const answer = await join({ email: ' Fan@Example.com ' })
  expect([answer.status, await answer.json()]).toEqual([200, { pointsEarned: 0 }])
  expect(await rows()).toMatchObject([
    {
      email: 'Fan@Example.com',
      emailKey: 'fan@example.com',
      state: 'pending',
      consentVersion: CONSENT_VERSION,
      consentAt: NOW,
      confirmedAt: null,
    },
  ])
})

test('responds alike to known and new addresses', async () => {
  const seen = async (email: string) => {
    const { status, headers, ...answer } = await join({ email }).then(async (a) => ({
      status: a.status,
      headers: [...a.headers.keys()],
      text: await a.text(),
    }))
    return [status, headers, answer.text]
  }
  const first = await seen('fan@example.com')
  for (const state of ['pending', 'confirmed', 'unsubscribed'] as const) {
    await db.update(subscribers).set({ state })
    expect(await seen('FAN@example.com')).toEqual(first)
  }
  expect((await rows()).length).toBe(1)
})

test('stores one row and one email for fifty concurrent requests', async () => {
  const spellings = Array.from({ length: 50 }, (_, n) => (n % 2 ? 'fan@example.com' : 'FAN@EXAMPLE.COM'))
  await Promise.all(spellings.map((email) => subscribe(HOUSE, { email, at: NOW, session: null })))
  expect([
    (await rows()).length,
    (await emailsTo('fan@example.com')).length + (await emailsTo('FAN@EXAMPLE.COM')).length,
  ]).toEqual([1, 1])
})

test('leaves pending and confirmed subscriptions unchanged', async () => {
  await subscribe(HOUSE, { email: 'fan@example.com', at: NOW, session: null })
  await db.update(subscribers).set({ state: 'confirmed', confirmedAt: NOW + 1 })
  const [before] = await rows()
  expect(await upsertSubscriber(db, { email: 'FAN@example.com', at: NOW + HOUR_MS })).toEqual([])
  expect(await rows()).toEqual([before])
})

test('makes an unsubscribed address pending with the current consent', async () => {
  await subscribe(HOUSE, { email: 'fan@example.com', at: NOW, session: null })
  const left = { state: 'unsubscribed', consentVersion: 'older', confirmedAt: NOW, unsubscribedAt: NOW + 1 } as const
  await db.update(subscribers).set(left).where(eq(subscribers.emailKey, 'fan@example.com'))
  expect((await upsertSubscriber(db, { email: 'Fan@example.com', at: NOW + HOUR_MS })).length).toBe(1)
  expect(await rows()).toMatchObject([
    {
      email: 'Fan@example.com',
      state: 'pending',
      consentVersion: CONSENT_VERSION,
      consentAt: NOW + HOUR_MS,
      confirmedAt: null,
      unsubscribedAt: null,
      createdAt: NOW,
    },
  ])
})

const BAD = [
  '',
  'fan',
  'a@b',
  'a@b.c',
  'a@b.co\r\nBcc: x@y.zz',
  'a@b.co\n',
  'a@b.co, c@d.co',
  'a@b.co;c@d.co',
  '<a@b.co>',
  'a b@c.co',
  `${'a'.repeat(320)}@b.co`,
  'a@b.co\u0000',
  7,
  null,
  ['a@b.co'],
  { $ne: null },
]

test.each(BAD)('rejects %j as an address', async (email) => {
  expect(await errorOf(await join({ email }))).toEqual([400, 'bad_input', 'Please enter a valid email address.'])
  expect(await rows()).toEqual([])
  expect((await env.DB.prepare('SELECT recipient FROM outbox').all()).results).toEqual([])
})

test.each(['=1+1@sums.example', 'jürgen@bücher.example', "o'brien+tag@fan.example"])(
  'accepts %s as an address',
  async (email) => {
    expect((await join({ email })).status).toBe(200)
    expect((await rows())[0]?.email).toBe(email)
  },
)

test('rejects unknown fields and empty bodies', async () => {
  for (const json of [{ email: 'a@b.co', state: 'confirmed' }, { email: '\ud800@b.co' }, {}, [], null, undefined])
    expect((await errorOf(await join(json))).slice(0, 2)).toEqual([400, 'bad_input'])
  expect(await rows()).toEqual([])
})

test('rate-limits the sixth address in a minute', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await join({ email: `fan${n}@example.com` }, '203.0.113.50')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('awards points once, for the account’s own address only', async () => {
  const fan = await addUser({ email: 'Mine@Example.com', emailKey: 'mine@example.com' })
  const { headers } = await sessionFor(fan, NOW)
  const earned = async (email: string, more = headers) => {
    const answer = await send(
      'POST',
      '/api/newsletter/subscribe',
      { email },
      {
        at: NOW,
        headers: { ...more, 'cf-connecting-ip': crypto.randomUUID() },
      },
    )
    return (await answer.json<{ pointsEarned: number }>()).pointsEarned
  }
  expect(await earned('other@example.com')).toBe(0)
  expect(await earned('mine@example.com', { cookie: '' })).toBe(0)
  expect(await earned('MINE@example.com')).toBe(50)
  expect(await earned('mine@example.com')).toBe(0)
  await db.delete(subscribers)
  expect(await earned('mine@example.com')).toBe(0)
})
