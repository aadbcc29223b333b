import { createMessageBatch, env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { ExportFile } from '../contract/exports'
import { consumeExports } from '../exports/consume'
import worker from '../index'
import { DAY } from '../lib/clock'
import { send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addPerson, loggedIn, PASSWORD } from '../testing/people'
import { cookiesOf } from '../testing/roles'
import { snapshot } from '../testing/snapshot'

const NAMES = /marigold|gilt lane|555-?0188|5550188/i
const EMAIL = 'Marigold@Fan.example'

beforeAll(() => furnish(env.DB))

/** Everything that is stored anywhere, as one text. */
async function dump(): Promise<string> {
  const { keys } = await env.SESSIONS.list()
  const { objects } = await env.FILES.list()
  return JSON.stringify([
    await snapshot(env.DB),
    keys,
    await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name))),
    objects.map(({ key, httpMetadata, customMetadata }) => [key, httpMetadata, customMetadata]),
    await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text())),
  ])
}

async function exported(cookie: string): Promise<ExportFile> {
  const asked = await send('POST', '/api/admin/exports', { kind: 'supporters' }, { at: NOON, headers: { cookie } })
  const file = await asked.json<ExportFile>()
  const message = { id: 'm', timestamp: new Date(NOON), attempts: 1, body: { kind: 'export', id: file.id } }
  await consumeExports(createMessageBatch('artist-house-exports', [message]) as never, env, () => NOON)
  return file
}

test('an erased person is nowhere in D1, KV or R2, and what they bought and voted stays counted', async () => {
  const { id } = await addPerson('marigold', {
    email: EMAIL,
    phoneHash: 'h',
    phoneLast2: '88',
    referralCode: 'XMARIGOLD',
  })
  const browser = await loggedIn('marigold', { at: NOON })
  for (const [path, body] of [
    ['/api/newsletter/subscribe', { email: EMAIL }],
    ['/api/shows/alerts', { entry: EMAIL }],
    ['/api/shows/city-requests', { entry: 'Sarasota' }],
    ['/api/privacy/inquiries', { email: EMAIL, kind: 'access', message: 'Marigold asks.' }],
    ['/api/auth/password/forgot', { email: EMAIL }],
  ] as const)
    expect((await browser.send('POST', path, body)).ok).toBe(true)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, user_id, email, shipping_address)
       SELECT 'order_1', id, 1, 1999, 1999, 'paid', ?1, ?1, ?2, ?3, '{"name":"Marigold","line1":"1 Gilt Lane"}' FROM products LIMIT 1`,
    ).bind(NOON, id, EMAIL),
    env.DB.prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES ('p', 'Which?', ?1, 0)").bind(NOON + DAY),
    env.DB.prepare("INSERT INTO poll_options (id, poll_id, title, position) VALUES ('a', 'p', 'This', 0)"),
    env.DB.prepare("INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at) VALUES ('p', ?1, 'a', 0)").bind(id),
    env.DB.prepare(
      `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on)
       VALUES ('c', 'A challenge', 'A prize', '2026-05-01', '2026-05-10', '2026-05-11', '2026-05-11', '2026-05-14', '2026-05-14', '2026-05-20')`,
    ),
    env.DB.prepare(
      `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at)
       VALUES ('v', 'c', 'Marigold B.', ?1, '+18135550188', 0)`,
    ).bind(EMAIL),
  ])
  const cookie = await cookiesOf('administrator')
  const file = await exported(cookie)
  const fetched = () =>
    send('GET', `/api/admin/exports/${file.id}/file`, undefined, { at: NOON, headers: { cookie } }).then(
      (it) => it.status,
    )
  expect([await fetched(), (await dump()).match(new RegExp(NAMES, 'gi'))!.length > 8]).toEqual([200, true])

  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  expect(await fetched()).toBe(404)
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = ?").bind(NOON).run()
  await worker.scheduled({ scheduledTime: NOON + DAY } as ScheduledController, env as never)

  expect(await dump()).not.toMatch(NAMES)
  const found = "SELECT count(*) AS n FROM supporter_search WHERE supporter_search MATCH 'marigold'"
  expect(await env.DB.prepare(found).first('n')).toBe(0)
  expect(await env.DB.prepare("SELECT votes FROM poll_options WHERE id = 'a'").first('votes')).toBe(1)
  expect(await env.DB.prepare("SELECT amount_cents AS cents FROM orders WHERE id = 'order_1'").first('cents')).toBe(
    1999,
  )
  expect(await env.DB.prepare('SELECT count(*) AS n FROM verse_submissions').first('n')).toBe(1)
})

test('whoever signs up with somebody else’s address neither reads nor erases what belongs to it', async () => {
  const address = 'victim@mail.example'
  await send('POST', '/api/privacy/inquiries', { email: address, kind: 'access', message: 'Mine.' }, { at: NOON })
  await send('POST', '/api/newsletter/subscribe', { email: address }, { at: NOON })
  await env.DB.prepare(
    `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, email, shipping_address)
     SELECT 'order_2', id, 1, 1999, 1999, 'paid', ?1, ?1, ?2, '{"line1":"2 Quay"}' FROM products LIMIT 1`,
  )
    .bind(NOON, address)
    .run()
  await addPerson('squatter', { email: address, emailVerifiedAt: null })
  const browser = await loggedIn('squatter', { at: NOON })
  const file = await (await browser.send('GET', '/api/account/export')).json<Record<string, unknown[]>>()
  expect([file.inquiries, file.newsletter, file.mails]).toEqual([[], [], []])
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  const count = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).bind(address).first('n')
  expect(await count('privacy_inquiries WHERE email_key = ?')).toBe(1)
  expect(await count('subscribers WHERE email_key = ?')).toBe(1)
  expect(await count('orders WHERE email = ? AND shipping_address IS NOT NULL')).toBe(1)
  expect((await env.DB.prepare('SELECT count(*) AS n FROM suppressions').first<{ n: number }>())?.n).toBe(1)
})
