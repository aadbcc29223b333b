import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../app'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, newBrowser, ORIGIN } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { seedSite } from '../testing/seed'
import { snapshot } from '../testing/stores'
import { addVerifiedUser, browserWithSession, PASSWORD, uniqueIp } from '../testing/users'
import { CONSENT_VERSION } from './newsletter.table'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const FAN = 'fan@mail.example'
const DEAD = [400, 'bad_token', 'This link does not work any more. Please ask for a new one.']

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['subscribers', 'suppressions', 'show_alerts', 'outbox'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const at = (time: number) => newBrowser({ address: uniqueIp(), at: time })
const post = (path: string, json: unknown, time = NOW) => at(time).send('POST', path, json)
const subscribe = (email = FAN, time = NOW) => post('/api/newsletter/subscribe', { email }, time)
const confirm = (token: string, time = NOW) => post('/api/newsletter/confirm', { token }, time)
const leave = (token: string, time = NOW) => post('/api/newsletter/unsubscribe', { token }, time)
const reader = () => env.DB.prepare('SELECT * FROM subscribers').first<Record<string, unknown>>()
const kinds = async (to = FAN) => (await emailsTo(to)).map(({ kind }) => kind)
const wayOut = async (kind = 'newsletter_welcome') =>
  /token=([\w.-]+)/.exec(String((await emailsTo(FAN)).find((mail) => mail.kind === kind)?.headers))?.[1] ?? ''

async function confirmed(time = NOW) {
  await subscribe(FAN, time)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', FAN), time)).status).toBe(200)
}

test('sends only the confirmation until it is confirmed', async () => {
  await subscribe()
  expect(await kinds()).toEqual(['newsletter_confirm'])
  const token = await tokenFromEmail('newsletter_confirm', FAN)
  for (const method of ['GET', 'HEAD']) await at(NOW).send(method, `/newsletter/confirm?token=${token}`)
  expect((await reader())?.state).toBe('pending')
  for (let press = 0; press < 2; press++) expect((await confirm(token, NOW + HOUR_MS)).status).toBe(200)
  expect(await reader()).toMatchObject({
    state: 'confirmed',
    confirmed_at: NOW + HOUR_MS,
    consent_version: CONSENT_VERSION,
    consent_at: NOW,
  })
  expect(await kinds()).toEqual(['newsletter_welcome', 'newsletter_confirm'])
})

test('sends unsubscribe headers and an encrypted link', async () => {
  await confirmed()
  const headers = JSON.parse(String((await emailsTo(FAN))[0]?.headers))
  expect(headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(
      /^<https:\/\/fan\.example\/api\/newsletter\/unsubscribe\?token=[\w.-]+>$/,
    ),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(atob((await wayOut()).replace(/[.-]/g, '').replace(/_/g, '').slice(0, 40))).not.toContain('fan')
})

test('unsubscribes by one-click POST without Origin or cookie, repeatedly', async () => {
  await confirmed()
  const url = `${ORIGIN}/api/newsletter/unsubscribe?token=${await wayOut()}`
  const press = () =>
    createApp(() => NOW + 1).fetch(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      }),
      env,
      { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext,
    )
  for (let n = 0; n < 2; n++) expect([(await press()).status, (await reader())?.state]).toEqual([200, 'unsubscribed'])
  expect((await reader())?.unsubscribed_at).toBe(NOW + 1)
})

test('redirects GET of the unsubscribe link without changes', async () => {
  await confirmed()
  const token = await wayOut()
  const before = await snapshot(env.DB)
  const answer = await at(NOW).send('GET', `/api/newsletter/unsubscribe?token=${token}`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/newsletter/unsubscribe?token=${token}`])
  expect(await snapshot(env.DB)).toEqual(before)
})

test('rejects modified links and links of another list', async () => {
  await confirmed()
  const [question, out] = [await tokenFromEmail('newsletter_confirm', FAN), await wayOut()]
  const flipped = `${out.slice(0, -2)}${out.at(-2) === 'A' ? 'B' : 'A'}${out.at(-1)}`
  for (const token of [question, flipped, `${out}x`, 'A.B', '.', 'x'.repeat(1000)])
    expect(await errorOf(await leave(token))).toEqual(DEAD)
  for (const path of ['/api/newsletter/confirm', '/api/shows/alerts/confirm'])
    expect(await errorOf(await post(path, { token: out }))).toEqual(DEAD)
  expect(await errorOf(await post('/api/shows/alerts/confirm', { token: question }))).toEqual(DEAD)
  expect((await reader())?.state).toBe('confirmed')
})

test('expires confirmation links after a week or an unsubscribe', async () => {
  await subscribe()
  const token = await tokenFromEmail('newsletter_confirm', FAN)
  expect(await errorOf(await confirm(token, NOW + 7 * DAY_MS))).toEqual(DEAD)
  expect((await confirm(token, NOW + 7 * DAY_MS - 1)).status).toBe(200)
  await leave(await wayOut())
  expect(await errorOf(await confirm(token, NOW + HOUR_MS))).toEqual(DEAD)
  await subscribe(FAN, NOW + 2 * DAY_MS)
  expect(await errorOf(await confirm(token, NOW + 3 * DAY_MS))).toEqual(DEAD)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', FAN), NOW + 3 * DAY_MS)).status).toBe(200)
  expect(await reader()).toMatchObject({ state: 'confirmed', consent_at: NOW + 2 * DAY_MS, unsubscribed_at: null })
})

test('answers a repeated subscription by email only', async () => {
  const first = await (await subscribe()).text()
  await confirm(await tokenFromEmail('newsletter_confirm', FAN))
  expect(await (await subscribe(FAN, NOW + HOUR_MS)).text()).toBe(first)
  expect(await kinds()).toEqual(['newsletter_already', 'newsletter_welcome', 'newsletter_confirm'])
})

test('caps emails per mailbox at three a day across aliases', async () => {
  for (let n = 0; n < 60; n++)
    await subscribe(n % 2 ? `f.a.n+${n}@gmail.com` : 'FAN@gmail.com', NOW + n * 20 * MINUTE_MS)
  const count = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE recipient LIKE '%gmail.com'").first<{ n: number }>())
      ?.n
  expect(await count()).toBe(limits.requestedEmailsPerMailboxPerDay)
  await subscribe('fan@gmail.com', NOW + 59 * 20 * MINUTE_MS + DAY_MS)
  expect(await count()).toBe(limits.requestedEmailsPerMailboxPerDay + 1)
})

test('caps all form emails per day with identical responses', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
     SELECT 'm' || i, 'm' || i, 'alert_confirm', 'x' || i || '@mail.example', 's', 't', 'h', 'sent', ?2 FROM n`,
  )
    .bind(limits.requestedEmailsPerDay, NOW - HOUR_MS)
    .run()
  expect([(await subscribe()).status, await kinds()]).toEqual([200, []])
  expect([(await subscribe(FAN, NOW + DAY_MS)).status, await kinds()]).toEqual([200, ['newsletter_confirm']])
})

test('changes city and subscription through an unsubscribe link', async () => {
  await confirmed()
  const token = await wayOut()
  const change = (json: object) => at(NOW + 9).send('PATCH', '/api/newsletter/preferences', { token, ...json })
  expect(await (await post('/api/newsletter/preferences', { token })).json()).toEqual({
    list: 'newsletter',
    email: 'f…@mail.example',
    subscribed: true,
    city: null,
  })
  expect(await (await change({ city: ' Tampa ' })).json()).toMatchObject({ city: 'Tampa', subscribed: true })
  expect(await (await change({ subscribed: false })).json()).toMatchObject({ subscribed: false })
  expect(await (await change({ subscribed: true })).json()).toMatchObject({ subscribed: true })
  expect(await reader()).toMatchObject({ state: 'confirmed', consent_at: NOW + 9, city_key: 'tampa' })
  expect(await (await change({ city: '' })).json()).toMatchObject({ city: null })
})

test('keeps only a suppression hash after erasure, lifted by confirming', async () => {
  await addVerifiedUser('judy', { email: FAN, emailKey: FAN })
  await confirmed()
  const [token, browser] = [await wayOut(), await browserWithSession('judy', { at: NOW })]
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  const kept = await env.DB.prepare('SELECT * FROM suppressions').all()
  expect(kept.results).toHaveLength(1)
  await env.DB.prepare("DELETE FROM outbox WHERE kind = 'erased'").run()
  expect(JSON.stringify(await snapshot(env.DB))).not.toContain(FAN)
  // The old unsubscribe link still works.
  expect((await leave(token)).status).toBe(200)
  await confirmed(NOW + DAY_MS)
  expect((await env.DB.prepare('SELECT * FROM suppressions').all()).results).toEqual([])
})

test('sends show alerts only after confirmation', async () => {
  await post('/api/shows/alerts', { entry: FAN })
  await post('/api/shows/alerts', { entry: 'text me' })
  expect(await kinds()).toEqual(['alert_confirm'])
  const token = await tokenFromEmail('alert_confirm', FAN)
  const alert = () => env.DB.prepare('SELECT * FROM show_alerts WHERE email_key = ?').bind(FAN).first()
  expect(await alert()).toMatchObject({ confirmed_at: null, city: null })
  for (let press = 0; press < 2; press++)
    expect((await post('/api/shows/alerts/confirm', { token }, NOW + press)).status).toBe(200)
  expect(await alert()).toMatchObject({ confirmed_at: NOW })
})

test('answers a repeated alert request by email only', async () => {
  const ask = (time: number) => post('/api/shows/alerts', { entry: FAN }, time)
  const first = await ask(NOW)
  await post('/api/shows/alerts/confirm', { token: await tokenFromEmail('alert_confirm', FAN) })
  const again = await ask(NOW + HOUR_MS)
  expect([again.status, await again.text()]).toEqual([first.status, await first.text()])
  expect(await kinds()).toEqual(['alert_already', 'alert_confirm'])
  const mail = (await emailsTo(FAN))[0]
  expect(mail?.subject).toBe('We tell you of new shows already')
  // Its unsubscribe link ends the alerts with one click.
  const out = /api\/newsletter\/unsubscribe\?token=([\w.-]+)/.exec(String(mail?.headers))?.[1] ?? ''
  expect((await leave(out)).status).toBe(200)
  expect((await env.DB.prepare('SELECT 1 FROM show_alerts').all()).results).toEqual([])
})

test('offers city alerts to supporters, not to visitors', async () => {
  await addVerifiedUser('kim', { email: FAN, emailKey: FAN })
  const browser = await browserWithSession('kim', { at: NOW })
  await browser.send('POST', '/api/shows/city-requests', { entry: 'New Orleans' })
  await post('/api/shows/city-requests', { entry: 'New Orleans' })
  expect((await emailsTo(FAN)).map(({ subject }) => subject)).toEqual(['Shall we tell you of shows in New Orleans?'])
  expect((await post('/api/shows/alerts/confirm', { token: await tokenFromEmail('alert_confirm', FAN) })).status).toBe(
    200,
  )
  const row = await env.DB.prepare('SELECT city, city_key, confirmed_at FROM show_alerts').first()
  expect(row).toEqual({ city: 'New Orleans', city_key: 'new orleans', confirmed_at: NOW })
})
