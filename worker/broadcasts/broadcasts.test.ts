import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { alertsForShow, announcementId } from '../alerts/announce'
import type { Broadcast } from '../contract/broadcasts'
import { HOUR, MINUTE } from '../lib/clock'
import { suppressionHash } from '../lib/suppression'
import { limits } from '../limits'
import type { Delivery } from '../mail/deliver'
import type { Mail, Outcome } from '../mail/provider'
import { markLost } from '../mail/sweep'
import { send } from '../testing/client'
import { furnish } from '../testing/furnish'
import { cookiesOf } from '../testing/roles'
import { addUser } from '../testing/rows'
import { watchedD1 } from '../testing/watched-d1'
import { resumeBroadcasts } from './consume'
import { sendStretch } from './send'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const SECRET = 'x'.repeat(40)
const DRAFT = { subject: 'New drop', markdown: 'It is **here**.', audience: { kind: 'all' } }

let cookie = ''
beforeEach(async () => {
  await furnish(env.DB)
  for (const table of ['broadcasts', 'outbox', 'subscribers', 'suppressions', 'show_alerts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  cookie = await cookiesOf('administrator')
})

const ask = (method: string, path: string, json?: unknown, at = NOW) =>
  send(method, `/api/admin/broadcast${path}`, json, { at, headers: { cookie } })
async function draft(more: object = {}): Promise<string> {
  return ((await (await ask('POST', 's', { ...DRAFT, ...more })).json()) as { id: string }).id
}
const one = async (id: string) => (await ask('GET', `s/${id}`)).json<Broadcast>()

async function readers(count: number, row: { city?: string; state?: string; prefix?: string } = {}) {
  const { city = null, state = 'confirmed', prefix = 'fan' } = row
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO subscribers (id, email, email_key, state, city, city_key, consent_version, consent_at, confirmed_at, created_at)
     SELECT ?2 || i, ?2 || i || '@mail.example', ?2 || i || '@mail.example', ?3, ?4, lower(?4), 'v', 0, 0, 0 FROM n`,
  )
    .bind(count, prefix, state, city)
    .run()
}

/** A provider that keeps what it took, and answers as told. */
function postman(answer: (mail: Mail) => Outcome = () => ({ kind: 'sent', providerId: 'p' })) {
  const taken: Mail[] = []
  const provider = async (mail: Mail) => {
    const outcome = answer(mail)
    if (outcome.kind === 'sent') taken.push(mail)
    return outcome
  }
  const to = () => taken.map((mail) => mail.to).toSorted()
  return { provider, taken, to }
}
const delivery = (provider: Delivery['provider'], { at = NOW, db = env.DB } = {}) => ({
  db,
  provider,
  from: { email: 'hello@fan.example', name: 'Any Artist' },
  secret: SECRET,
  now: () => at,
})

/** Stretch after stretch until nothing is left to do at this instant. */
async function sendAll(id: string, provider: Delivery['provider'], at = NOW) {
  for (let n = 0; n < 100; n++) {
    const next = await sendStretch(delivery(provider, { at }), id)
    if (!next || next.again > at) return next
  }
  throw new Error('It never ends.')
}

test('a broadcast reaches every confirmed reader once, with a way out of their own', async () => {
  await readers(1203)
  await readers(5, { state: 'pending', prefix: 'waits' })
  await readers(5, { state: 'unsubscribed', prefix: 'left' })
  const id = await draft()
  expect(await one(id)).toMatchObject({ state: 'draft', recipients: 1203 })
  expect((await ask('POST', `s/${id}/send`, {})).status).toBe(202)
  const { provider, taken } = postman()
  expect(await sendAll(id, provider)).toBe(null)
  expect([taken.length, new Set(taken.map(({ to }) => to)).size]).toEqual([1203, 1203])
  expect(taken.every(({ to }) => to.startsWith('fan'))).toBe(true)
  expect(taken[0]).toMatchObject({
    subject: 'New drop',
    html: expect.stringContaining('It is <strong>here</strong>.'),
    text: expect.stringContaining('It is **here**.'),
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  const ways = taken.map(({ html, text, headers }) => [
    /href="https:\/\/fan\.example\/newsletter\/unsubscribe\?token=([\w.-]+)"/.exec(html)?.[1],
    /Unsubscribe: .*token=([\w.-]+)/.exec(text)?.[1],
    /token=([\w.-]+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1],
  ])
  expect(new Set(ways.flat()).size).toBe(1203)
  expect(await one(id)).toMatchObject({
    state: 'done',
    recipients: 1203,
    counts: { waiting: 0, sent: 1203, failed: 0, unknown: 0 },
  })
  // Whatever comes again finds nothing to do.
  expect(await sendAll(id, provider)).toBe(null)
  expect(taken.length).toBe(1203)
})

test('a sender that dies at any moment loses nobody and writes to nobody twice; what is in doubt is counted', async () => {
  await readers(180)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  let at = NOW
  let deaths = 0
  // Each sender dies a little later than the last: before and after listing, claiming, sending, settling.
  for (; (await one(id)).state !== 'done'; at += 20 * MINUTE) {
    const dies = ++deaths * 3
    const { DB } = watchedD1(env.DB, {
      before: (trip) => {
        if (trip > dies) throw new Error('dead')
      },
    })
    await sendStretch(delivery(provider, { at, db: DB }), id).catch(() => null)
    await markLost(env.DB, at + 16 * MINUTE)
  }
  const { counts, recipients } = await one(id)
  expect(deaths).toBeGreaterThan(5)
  expect([recipients, counts.waiting, counts.failed]).toEqual([180, 0, 0])
  expect(counts.sent + counts.unknown).toBe(180)
  expect(counts.unknown).toBeGreaterThan(0)
  expect(counts.unknown).toBeLessThanOrEqual(deaths * limits.mailsAtOnce)
  expect(to().length).toBe(new Set(to()).size)
})

test('ten senders at once write to each reader once', async () => {
  await readers(120)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  await Promise.all(Array.from({ length: 10 }, () => sendAll(id, provider)))
  expect([to().length, new Set(to()).size]).toEqual([120, 120])
})

test('a provider that says not now is left alone until later, and then goes on', async () => {
  await readers(50)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  let asked = 0
  const busy = postman(() => {
    asked++
    return { kind: 'later', why: '429', afterMillis: 5 * MINUTE }
  })
  const next = await sendAll(id, busy.provider)
  expect([next, asked]).toEqual([{ again: NOW + 5 * MINUTE }, limits.mailsAtOnce * 5])
  const { provider, to } = postman()
  expect(await sendAll(id, provider, NOW + 5 * MINUTE)).toBe(null)
  expect(to().length).toBe(50)
})

test('an audience is a city or a tier, and nobody of another', async () => {
  await readers(3, { city: 'Tampa', prefix: 'tampa' })
  await readers(2, { city: 'Ocala', prefix: 'ocala' })
  await addUser({ email: 'ocala1@mail.example', emailKey: 'ocala1@mail.example', tier: 'gold' })
  await addUser({ email: 'ocala2@mail.example', emailKey: 'ocala2@mail.example', tier: 'gold', bannedAt: 1 })
  const told = async (audience: object) => {
    const id = await draft({ audience })
    await ask('POST', `s/${id}/send`, {})
    const { provider, to } = postman()
    await sendAll(id, provider)
    return to()
  }
  expect(await told({ kind: 'city', value: ' TAMPA ' })).toEqual([1, 2, 3].map((n) => `tampa${n}@mail.example`))
  expect(await told({ kind: 'tier', value: 'gold' })).toEqual(['ocala1@mail.example'])
  expect(await (await ask('GET', '-audiences')).json()).toEqual([
    { kind: 'all', value: null, people: 5 },
    { kind: 'tier', value: 'gold', people: 1 },
    { kind: 'city', value: 'Tampa', people: 3 },
    { kind: 'city', value: 'Ocala', people: 2 },
  ])
})

test('an address that was erased is not written to, whoever put it on the list again', async () => {
  await readers(3)
  await env.DB.prepare('INSERT INTO suppressions (hash, created_at) VALUES (?, 0)')
    .bind(await suppressionHash(SECRET, 'fan2@mail.example'))
    .run()
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  await sendAll(id, provider)
  expect(to()).toEqual(['fan1@mail.example', 'fan3@mail.example'])
  expect((await one(id)).counts).toMatchObject({ sent: 2, failed: 1 })
})

test('a schedule begins at its instant, can be taken back, and cannot lie in the past', async () => {
  await readers(2)
  const id = await draft()
  const when = NOW + HOUR
  expect((await ask('POST', `s/${id}/send`, { at: new Date(NOW).toISOString() })).status).toBe(400)
  expect((await ask('POST', `s/${id}/send`, { at: new Date(when).toISOString() })).status).toBe(202)
  const { provider, to } = postman()
  await sendAll(id, provider, when - 1)
  expect([to(), (await one(id)).state]).toEqual([[], 'scheduled'])
  const woken: string[] = []
  const BROADCASTS = { send: async (job: { id: string }) => void woken.push(job.id) } as never
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, when - 1)
  expect(woken).toEqual([])
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, when)
  expect(woken).toEqual([id])
  expect((await ask('POST', `s/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider, when)
  expect([to(), (await one(id)).state]).toEqual([[], 'draft'])
})

test('one under way can be stopped: what was not sent stays unsent', async () => {
  await readers(limits.broadcastStretch + 100)
  const id = await draft()
  await ask('POST', `s/${id}/send`, {})
  const { provider, to } = postman()
  await sendStretch(delivery(provider), id)
  expect((await ask('POST', `s/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider)
  expect(to().length).toBe(limits.broadcastStretch)
  expect(await one(id)).toMatchObject({ state: 'cancelled', counts: { waiting: 0, sent: limits.broadcastStretch } })
  for (const act of ['send', 'cancel'])
    expect((await ask('POST', `s/${id}/${act}`, act === 'send' ? {} : undefined)).status).toBe(409)
})

test('a draft is previewed, tested, changed and removed; one without readers is not sent', async () => {
  await readers(1)
  const id = await draft()
  const preview = await (await ask('POST', '-preview', DRAFT)).json<{
    html: string
    text: string
    recipients: number
  }>()
  expect(preview).toMatchObject({ html: expect.stringContaining('<strong>here</strong>'), recipients: 1 })
  expect(preview.html + preview.text).not.toContain('{{')
  expect((await ask('POST', `s/${id}/test`, { to: 'me@mail.example' })).status).toBe(202)
  const test = await env.DB.prepare("SELECT * FROM outbox WHERE kind = 'broadcast_test'").first()
  expect(test).toMatchObject({ recipient: 'me@mail.example', subject: '[Test] New drop' })
  const newer = { ...DRAFT, subject: 'Newer', audience: { kind: 'city', value: 'Nowhere' } }
  expect((await ask('PATCH', `s/${id}`, newer)).status).toBe(204)
  expect(await one(id)).toMatchObject({ subject: 'Newer', recipients: 0, audience: { kind: 'city', value: 'Nowhere' } })
  expect((await ask('POST', `s/${id}/send`, {})).status).toBe(400)
  expect((await ask('DELETE', `s/${id}`)).status).toBe(204)
  expect((await ask('GET', `s/${id}`)).status).toBe(404)
  const acts = await env.DB.prepare("SELECT action FROM audit_log WHERE action LIKE 'broadcast.%' ORDER BY id").all()
  expect(acts.results.map(({ action }) => action).slice(-4)).toEqual([
    'broadcast.created',
    'broadcast.tested',
    'broadcast.changed',
    'broadcast.removed',
  ])
})

test('a new show is told to who asked for its city or for all, each once, however often it is announced', async () => {
  const alerts: [string, string | null, number | null][] = [
    ['all@mail.example', null, 1],
    ['tampa@mail.example', 'Tampa', 1],
    ['both@mail.example', null, 1],
    ['both@mail.example', 'Tampa', 1],
    ['ocala@mail.example', 'Ocala', 1],
    ['silent@mail.example', 'Tampa', null],
  ]
  for (const [n, [email, city, confirmed]] of alerts.entries())
    await env.DB.prepare(
      'INSERT INTO show_alerts (id, entry, entry_key, email_key, city, city_key, confirmed_at, created_at) VALUES (?1, ?2, ?3, ?2, ?4, lower(?4), ?5, 0)',
    )
      .bind(`a${n}`, email, `${email} ${city}`, city, confirmed)
      .run()
  const show = { id: 's1', city: 'TAMPA', venue: 'V', address: 'A', startsAt: NOW, timeZone: 'UTC', priceCents: 0 }
  const announce = () =>
    alertsForShow(env.DB, { show, siteName: 'Any Artist', origin: 'https://fan.example', at: NOW }).run()
  await announce()
  const { provider, taken, to } = postman()
  await sendAll(announcementId(show), provider)
  await announce()
  await sendAll(announcementId(show), provider, NOW + HOUR)
  expect(to()).toEqual(['all@mail.example', 'both@mail.example', 'tampa@mail.example'])
  expect(taken[0]?.html).toMatch(/unsubscribe\?token=[\w.-]+"/)
  expect(taken[0]?.html).not.toContain('{{')
})
