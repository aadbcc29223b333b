import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../app'
import { MINUTE_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { errorOf, newBrowser, ORIGIN } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { seedSite } from '../testing/seed'
import { addVerifiedUser, browserWithSession, uniqueIp } from '../testing/users'
import { unsubscribeLinks } from './link-tokens'

const NOW = Date.parse('2026-07-01T16:00:00Z')
let FAN = ''
let people = 0

beforeEach(async () => {
  await seedSite(env.DB)
  FAN = `reader${++people}@mail.example`
  for (const table of ['subscribers', 'show_alerts', 'outbox', 'mail_stops'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const visitor = (at = NOW) => newBrowser({ address: uniqueIp(), at })
const subscribe = (at = NOW) => visitor(at).send('POST', '/api/newsletter/subscribe', { email: FAN })
const confirm = (token: string, at = NOW) => visitor(at).send('POST', '/api/newsletter/confirm', { token })
const leave = (token: string, at = NOW) => visitor(at).send('POST', '/api/newsletter/unsubscribe', { token })
const change = (json: object) => visitor().send('PATCH', '/api/newsletter/preferences', json)
const state = async () => (await env.DB.prepare('SELECT state FROM subscribers').first<{ state: string }>())?.state

/** A confirmed subscriber; returns the token of the unsubscribe link. */
async function reader(): Promise<string> {
  await subscribe()
  await confirm(await tokenFromEmail('newsletter_confirm', FAN))
  const welcome = (await emailsTo(FAN)).find(({ kind }) => kind === 'newsletter_welcome')
  return /token=([\w.-]+)/.exec(String(welcome?.headers))?.[1] ?? ''
}

/** A waiting email; `claimed` when a sender has it. */
const waiting = (id: string, kind: string, { to = FAN, claimed = false, inDoubt = false } = {}) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, claimed_at, in_doubt, created_at)
     VALUES (?1, ?1, ?2, ?3, 's', 't', 'h', ?4, ?5, ?6)`,
  ).bind(id, kind, to, claimed ? NOW : null, Number(inDoubt), NOW)

const STOPPED = ['failed', 'Unsubscribed meanwhile.']
const GOES_OUT = ['waiting', null]
const fates = async () => {
  const { results } = await env.DB.prepare('SELECT id, state, last_error FROM outbox').all<Record<string, string>>()
  return Object.fromEntries(results.map(({ id, state, last_error }) => [id, [state, last_error]]))
}

const oneClick = async (token: string) =>
  createApp(() => NOW).fetch(
    new Request(`${ORIGIN}/api/newsletter/unsubscribe?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
    env,
    { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext,
  )

async function onTheAccountPage(): Promise<Response> {
  await addVerifiedUser(`leaver${people}`, { email: FAN, emailKey: FAN, emailVerifiedAt: 1 })
  return (await browserWithSession(`leaver${people}`, { at: NOW })).send('DELETE', '/api/account/newsletter')
}

test.each<[string, (token: string) => Promise<Response>]>([
  ['in one press of a mail program', oneClick],
  ['by the button of the page', (token) => leave(token)],
  ['by the switch of the page', (token) => change({ token, subscribed: false })],
  ['on the account page', onTheAccountPage],
])('fails unclaimed list email after unsubscribing %s', async (_, go) => {
  const token = await reader()
  await env.DB.batch([
    env.DB.prepare("UPDATE outbox SET id = kind, claimed_at = NULL, state = 'waiting'"),
    waiting('copy', 'broadcast'),
    waiting('in doubt', 'broadcast', { inDoubt: true }),
    waiting('in hand', 'broadcast', { claimed: true }),
    waiting('of somebody else', 'broadcast', { to: 'other@mail.example' }),
    waiting('of another list', 'show_alert'),
    waiting('asked for', 'reset'),
  ])
  expect((await go(token)).ok).toBe(true)
  expect(await state()).toBe('unsubscribed')
  expect(await fates()).toMatchObject({
    newsletter_welcome: STOPPED,
    copy: STOPPED,
    'in doubt': STOPPED,
    'in hand': GOES_OUT,
    'of somebody else': GOES_OUT,
    'of another list': GOES_OUT,
    'asked for': GOES_OUT,
  })
})

test('fails unclaimed alerts after unsubscribing and keeps the newsletter', async () => {
  await reader()
  await visitor().send('POST', '/api/shows/alerts', { entry: FAN })
  await visitor().send('POST', '/api/shows/alerts/confirm', { token: await tokenFromEmail('alert_confirm', FAN) })
  const { pageUrl: page } = await unsubscribeLinks({ secret: env.SIGNING_SECRET, origin: ORIGIN }, 'alerts', FAN)
  await env.DB.batch([
    waiting('alert', 'show_alert'),
    waiting('in doubt', 'show_alert', { inDoubt: true }),
    waiting('in hand', 'show_alert', { claimed: true }),
    waiting('copy', 'broadcast'),
  ])
  expect((await leave(page.split('token=')[1] ?? '')).status).toBe(200)
  expect(await fates()).toMatchObject({ alert: STOPPED, 'in doubt': STOPPED, 'in hand': GOES_OUT, copy: GOES_OUT })
  expect([await state(), (await env.DB.prepare('SELECT 1 FROM show_alerts').all()).results]).toEqual(['confirmed', []])
})

test('sends one valid link after a quick resubscription', async () => {
  const [out, before] = [await reader(), await tokenFromEmail('newsletter_confirm', FAN)]
  await leave(out, NOW + MINUTE_MS)
  for (let press = 0; press < 3; press++) await subscribe(NOW + 2 * MINUTE_MS + press)
  const asked = (await emailsTo(FAN)).filter(({ kind }) => kind === 'newsletter_confirm')
  expect(asked).toHaveLength(2)
  expect((await confirm(before, NOW + 3 * MINUTE_MS)).status).toBe(400)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', FAN), NOW + 3 * MINUTE_MS)).status).toBe(200)
})

const stopped = async (reason: string) =>
  env.DB.prepare('INSERT INTO mail_stops (hash, reason, created_at) VALUES (?1, ?2, ?3)')
    .bind(await suppressionHash(env.SIGNING_SECRET, FAN), reason, NOW)
    .run()
const stops = async () => (await env.DB.prepare('SELECT reason FROM mail_stops').all()).results

test.each(['complained', 'suppressed'])('lifts %s when resubscribing through the link', async (reason) => {
  const token = await reader()
  await leave(token)
  await stopped(reason)
  await change({ token, city: 'Tampa' })
  expect(await stops()).toEqual([{ reason }])
  expect(await (await change({ token, subscribed: true })).json()).toMatchObject({ subscribed: true })
  expect(await stops()).toEqual([])
})

test('rejects resubscribing a bounced mailbox', async () => {
  const token = await reader()
  await leave(token)
  await stopped('bounced')
  const said = 'Mail to this address came back to us, so it cannot be put on the list.'
  expect(await errorOf(await change({ token, subscribed: true }))).toEqual([409, 'conflict', said])
  expect([await state(), await stops()]).toEqual(['unsubscribed', [{ reason: 'bounced' }]])
})

test('lifts nothing through the link of an erased subscriber', async () => {
  const token = await reader()
  await stopped('complained')
  await env.DB.prepare('DELETE FROM subscribers').run()
  expect((await change({ token, subscribed: true })).status).toBe(400)
  expect(await stops()).toEqual([{ reason: 'complained' }])
})
