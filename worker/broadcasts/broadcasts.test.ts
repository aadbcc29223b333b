import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { announcementId, announceShow } from '../concerts/show-alerts'
import { HOUR_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import {
  addSubscribers,
  createDraft,
  DRAFT,
  fakeEmailProvider,
  getBroadcast,
  NOW,
  request,
  SECRET,
  sendAll,
  setUpBroadcasts,
} from '../testing/broadcasts'
import { addUser } from '../testing/fixtures'
import { resumeBroadcasts } from './send'

beforeEach(setUpBroadcasts)

test('sends a broadcast once to every confirmed subscriber', async () => {
  await addSubscribers(1203)
  await addSubscribers(5, { state: 'pending', prefix: 'waits' })
  await addSubscribers(5, { state: 'unsubscribed', prefix: 'left' })
  const id = await createDraft()
  expect(await getBroadcast(id)).toMatchObject({ state: 'draft', recipients: 1203 })
  expect((await request('POST', `s/${id}/send`, {})).status).toBe(202)
  const { provider, sent: taken } = fakeEmailProvider()
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
  expect(await getBroadcast(id)).toMatchObject({
    state: 'done',
    recipients: 1203,
    counts: { waiting: 0, sent: 1203, failed: 0, unknown: 0 },
  })
  // A repetition finds nothing to do.
  expect(await sendAll(id, provider)).toBe(null)
  expect(taken.length).toBe(1203)
})

test('limits an audience to its city or tier', async () => {
  await addSubscribers(3, { city: 'Tampa', prefix: 'tampa' })
  await addSubscribers(2, { city: 'Ocala', prefix: 'ocala' })
  await addUser({ email: 'ocala1@mail.example', emailKey: 'ocala1@mail.example', tier: 'gold' })
  await addUser({ email: 'ocala2@mail.example', emailKey: 'ocala2@mail.example', tier: 'gold', bannedAt: 1 })
  const told = async (audience: object) => {
    const id = await createDraft({ audience })
    await request('POST', `s/${id}/send`, {})
    const { provider, to } = fakeEmailProvider()
    await sendAll(id, provider)
    return to()
  }
  expect(await told({ kind: 'city', value: ' TAMPA ' })).toEqual([1, 2, 3].map((n) => `tampa${n}@mail.example`))
  expect(await told({ kind: 'tier', value: 'gold' })).toEqual(['ocala1@mail.example'])
  expect(await (await request('GET', '-audiences')).json()).toEqual([
    { kind: 'all', value: null, people: 5 },
    { kind: 'tier', value: 'gold', people: 1 },
    { kind: 'city', value: 'Tampa', people: 3 },
    { kind: 'city', value: 'Ocala', people: 2 },
  ])
})

test('sends nothing to an erased address', async () => {
  await addSubscribers(3)
  await env.DB.prepare('INSERT INTO suppressions (hash, created_at) VALUES (?, 0)')
    .bind(await suppressionHash(SECRET, 'fan2@mail.example'))
    .run()
  const id = await createDraft()
  await request('POST', `s/${id}/send`, {})
  const { provider, to } = fakeEmailProvider()
  await sendAll(id, provider)
  expect(to()).toEqual(['fan1@mail.example', 'fan3@mail.example'])
  expect((await getBroadcast(id)).counts).toMatchObject({ sent: 2, failed: 1 })
})

test('schedules and unschedules a broadcast, only for the future', async () => {
  await addSubscribers(2)
  const id = await createDraft()
  const when = NOW + HOUR_MS
  expect((await request('POST', `s/${id}/send`, { at: new Date(NOW).toISOString() })).status).toBe(400)
  expect((await request('POST', `s/${id}/send`, { at: new Date(when).toISOString() })).status).toBe(202)
  const { provider, to } = fakeEmailProvider()
  await sendAll(id, provider, when - 1)
  expect([to(), (await getBroadcast(id)).state]).toEqual([[], 'scheduled'])
  const woken: string[] = []
  const BROADCASTS = { send: async (job: { id: string }) => void woken.push(job.id) } as never
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, when - 1)
  expect(woken).toEqual([])
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, when)
  expect(woken).toEqual([id])
  expect((await request('POST', `s/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider, when)
  expect([to(), (await getBroadcast(id)).state]).toEqual([[], 'draft'])
})

test('previews, tests, updates and deletes a draft', async () => {
  await addSubscribers(1)
  const id = await createDraft()
  const preview = await (await request('POST', '-preview', DRAFT)).json<{
    html: string
    text: string
    recipients: number
  }>()
  expect(preview).toMatchObject({ html: expect.stringContaining('<strong>here</strong>'), recipients: 1 })
  expect(preview.html + preview.text).not.toContain('{{')
  expect((await request('POST', `s/${id}/test`, { to: 'me@mail.example' })).status).toBe(202)
  const test = await env.DB.prepare("SELECT * FROM outbox WHERE kind = 'broadcast_test'").first()
  expect(test).toMatchObject({ recipient: 'me@mail.example', subject: '[Test] New drop' })
  const newer = { ...DRAFT, subject: 'Newer', audience: { kind: 'city', value: 'Nowhere' } }
  expect((await request('PATCH', `s/${id}`, newer)).status).toBe(204)
  expect(await getBroadcast(id)).toMatchObject({
    subject: 'Newer',
    recipients: 0,
    audience: { kind: 'city', value: 'Nowhere' },
  })
  expect((await request('POST', `s/${id}/send`, {})).status).toBe(400)
  expect((await request('DELETE', `s/${id}`)).status).toBe(204)
  expect((await request('GET', `s/${id}`)).status).toBe(404)
  const acts = await env.DB.prepare("SELECT action FROM audit_log WHERE action LIKE 'broadcast.%' ORDER BY id").all()
  expect(acts.results.map(({ action }) => action).slice(-4)).toEqual([
    'broadcast.created',
    'broadcast.tested',
    'broadcast.changed',
    'broadcast.removed',
  ])
})

test('announces a new show once to each matching alert', async () => {
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
    announceShow(env.DB, { show, siteName: 'Any Artist', origin: 'https://fan.example', at: NOW }).run()
  await announce()
  const { provider, sent: taken, to } = fakeEmailProvider()
  await sendAll(announcementId(show), provider)
  await announce()
  await sendAll(announcementId(show), provider, NOW + HOUR_MS)
  expect(to()).toEqual(['all@mail.example', 'both@mail.example', 'tampa@mail.example'])
  expect(taken[0]?.html).toMatch(/unsubscribe\?token=[\w.-]+"/)
  expect(taken[0]?.html).not.toContain('{{')
})
