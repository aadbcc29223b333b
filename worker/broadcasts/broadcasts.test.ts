import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { announcementId, announceShow } from '../concerts/show-alerts'
import type { SendResult } from '../email/providers'
import { markStaleClaimsUnknown } from '../email/queue'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { limits } from '../limits'
import {
  addSubscribers,
  adminRequest,
  BROADCAST_DRAFT,
  BROADCAST_SECRET,
  createDraft,
  deliveryDeps,
  fakeEmailProvider,
  getBroadcast,
  sendAll,
  setUpBroadcasts,
} from '../testing/broadcasts'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { recipientPageSql } from './audience'
import { markdownToText, renderMarkdown } from './emails'
import { resumeBroadcasts, sendBroadcastBatch } from './send'

beforeEach(setUpBroadcasts)

/** Adds subscribers and starts a broadcast, by default to all. Returns its id. */
async function startBroadcast(subscribers: number, draft: object = {}): Promise<string> {
  if (subscribers > 0) await addSubscribers(subscribers)
  const id = await createDraft(draft)
  expect((await adminRequest('POST', `broadcasts/${id}/send`, {})).status).toBe(202)
  return id
}

test('sends a broadcast once to every confirmed subscriber', async () => {
  await addSubscribers(1203)
  await addSubscribers(5, { state: 'pending', prefix: 'waits' })
  await addSubscribers(5, { state: 'unsubscribed', prefix: 'left' })
  const id = await createDraft()
  expect(await getBroadcast(id)).toMatchObject({ state: 'draft', recipients: 1203 })
  expect((await adminRequest('POST', `broadcasts/${id}/send`, {})).status).toBe(202)
  const { provider, sent: emails } = fakeEmailProvider()
  expect(await sendAll(id, provider)).toBe(null)
  expect([emails.length, new Set(emails.map(({ to }) => to)).size]).toEqual([1203, 1203])
  expect(emails.every(({ to }) => to.startsWith('fan'))).toBe(true)
  expect(emails[0]).toMatchObject({
    subject: 'New drop',
    html: expect.stringContaining('It is <strong>here</strong>.'),
    text: expect.stringContaining('It is here.'),
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  const unsubscribeTokens = emails.map(({ html, text, headers }) => [
    /href="https:\/\/fan\.example\/newsletter\/unsubscribe\?token=([\w.-]+)"/.exec(html)?.[1],
    /Unsubscribe: .*token=([\w.-]+)/.exec(text)?.[1],
    /token=([\w.-]+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1],
  ])
  expect(new Set(unsubscribeTokens.flat()).size).toBe(1203)
  expect(await getBroadcast(id)).toMatchObject({
    state: 'done',
    recipients: 1203,
    counts: { waiting: 0, sent: 1203, failed: 0, unknown: 0 },
  })
  // Sending again sends nothing.
  expect(await sendAll(id, provider)).toBe(null)
  expect(emails.length).toBe(1203)
})

test('limits an audience to its city or tier', async () => {
  await addSubscribers(3, { city: 'Tampa', prefix: 'tampa' })
  await addSubscribers(2, { city: 'Ocala', prefix: 'ocala' })
  await addUser({ email: 'ocala1@mail.example', tier: 'gold' })
  await addUser({ email: 'ocala2@mail.example', tier: 'gold', bannedAt: 1 })
  const recipientsOf = async (audience: object) => {
    const id = await startBroadcast(0, { audience })
    const { provider, recipients } = fakeEmailProvider()
    await sendAll(id, provider)
    return recipients()
  }
  expect(await recipientsOf({ kind: 'city', value: ' TAMPA ' })).toEqual([1, 2, 3].map((n) => `tampa${n}@mail.example`))
  expect(await recipientsOf({ kind: 'tier', value: 'gold' })).toEqual(['ocala1@mail.example'])
  expect(await (await adminRequest('GET', 'broadcast-audiences')).json()).toEqual([
    { kind: 'all', value: null, people: 5 },
    { kind: 'tier', value: 'gold', people: 1 },
    { kind: 'city', value: 'Tampa', people: 3 },
    { kind: 'city', value: 'Ocala', people: 2 },
  ])
})

test('sends nothing to an erased address', async () => {
  await addSubscribers(3)
  await env.DB.prepare('INSERT INTO suppressions (hash, created_at) VALUES (?, 0)')
    .bind(await suppressionHash(BROADCAST_SECRET, 'fan2@mail.example'))
    .run()
  const id = await startBroadcast(0)
  const { provider, recipients } = fakeEmailProvider()
  await sendAll(id, provider)
  expect(recipients()).toEqual(['fan1@mail.example', 'fan3@mail.example'])
  expect((await getBroadcast(id)).counts).toMatchObject({ sent: 2, failed: 1 })
})

test('schedules and unschedules a broadcast, only for the future', async () => {
  await addSubscribers(2)
  const id = await createDraft()
  const sendAt = NOON + HOUR_MS
  expect((await adminRequest('POST', `broadcasts/${id}/send`, { at: new Date(NOON).toISOString() })).status).toBe(400)
  expect((await adminRequest('POST', `broadcasts/${id}/send`, { at: new Date(sendAt).toISOString() })).status).toBe(202)
  const { provider, recipients } = fakeEmailProvider()
  await sendAll(id, provider, sendAt - 1)
  expect([recipients(), (await getBroadcast(id)).state]).toEqual([[], 'scheduled'])
  const resumed: string[] = []
  const BROADCASTS = { send: async (job: { id: string }) => void resumed.push(job.id) } as never
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, sendAt - 1)
  expect(resumed).toEqual([])
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, sendAt)
  expect(resumed).toEqual([id])
  expect((await adminRequest('POST', `broadcasts/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider, sendAt)
  expect([recipients(), (await getBroadcast(id)).state]).toEqual([[], 'draft'])
})

test('finds broadcasts by text, state and audience', async () => {
  await addSubscribers(1)
  const drop = await createDraft()
  const tour = await createDraft({
    subject: 'On tour',
    markdown: 'Tickets now.',
    audience: { kind: 'city', value: 'Tampa' },
  })
  await adminRequest('POST', `broadcasts/${drop}/send`, {})
  const find = async (query: string) =>
    (await (await adminRequest('GET', `broadcasts${query}`)).json<{ id: string }[]>()).map(({ id }) => id)
  expect(new Set(await find(''))).toEqual(new Set([drop, tour]))
  expect(await find('?sort=subject')).toEqual([drop, tour])
  expect(await find('?q=TICKETS')).toEqual([tour])
  expect(await find('?state=draft')).toEqual([tour])
  expect(await find('?audience=all')).toEqual([drop])
  expect(await find(`?id=${tour}`)).toEqual([tour])
  expect((await adminRequest('GET', 'broadcasts?state=lost')).status).toBe(400)
})

test('previews, tests, updates and deletes a draft', async () => {
  await addSubscribers(1)
  const id = await createDraft()
  const preview = await (await adminRequest('POST', 'broadcast-preview', BROADCAST_DRAFT)).json<{
    html: string
    text: string
    recipients: number
  }>()
  expect(preview).toMatchObject({ html: expect.stringContaining('<strong>here</strong>'), recipients: 1 })
  expect(preview.html + preview.text).not.toContain('{{')
  expect((await adminRequest('POST', `broadcasts/${id}/test`, { to: 'me@mail.example' })).status).toBe(202)
  const testEmail = await env.DB.prepare("SELECT * FROM outbox WHERE kind = 'broadcast_test'").first()
  expect(testEmail).toMatchObject({ recipient: 'me@mail.example', subject: '[Test] New drop' })
  const changedDraft = { ...BROADCAST_DRAFT, subject: 'Newer', audience: { kind: 'city', value: 'Nowhere' } }
  expect((await adminRequest('PATCH', `broadcasts/${id}`, changedDraft)).status).toBe(204)
  expect(await getBroadcast(id)).toMatchObject({
    subject: 'Newer',
    recipients: 0,
    audience: { kind: 'city', value: 'Nowhere' },
  })
  expect((await adminRequest('POST', `broadcasts/${id}/send`, {})).status).toBe(400)
  expect((await adminRequest('DELETE', `broadcasts/${id}`)).status).toBe(204)
  expect((await adminRequest('GET', `broadcasts/${id}`)).status).toBe(404)
  const auditEntries = await env.DB.prepare(
    "SELECT action FROM audit_log WHERE action LIKE 'broadcast.%' ORDER BY id",
  ).all()
  expect(auditEntries.results.map(({ action }) => action).slice(-4)).toEqual([
    'broadcast.created',
    'broadcast.tested',
    'broadcast.changed',
    'broadcast.removed',
  ])
})

test('rejects a draft made from an older version', async () => {
  const id = await createDraft()
  expect(await getBroadcast(id)).toMatchObject({ version: 1 })
  const save = async (draft: object) =>
    (await adminRequest('PATCH', `broadcasts/${id}`, { ...BROADCAST_DRAFT, ...draft })).status
  expect(await save({ subject: 'Theirs', version: 1 })).toBe(204)
  expect(await save({ subject: 'Mine', version: 1 })).toBe(409)
  expect(await getBroadcast(id)).toMatchObject({ subject: 'Theirs', version: 2 })
  expect(await save({ subject: 'Mine', version: 2 })).toBe(204)
})

test('sends only the version that was confirmed', async () => {
  await addSubscribers(1)
  const id = await createDraft()
  expect(
    (await adminRequest('PATCH', `broadcasts/${id}`, { ...BROADCAST_DRAFT, subject: 'Theirs', version: 1 })).status,
  ).toBe(204)
  const send = async (version: number) => (await adminRequest('POST', `broadcasts/${id}/send`, { version })).status
  expect(await send(1)).toBe(409)
  expect(await getBroadcast(id)).toMatchObject({ state: 'draft' })
  expect(await send(2)).toBe(202)
})

test('saves one of two concurrent drafts of a version', async () => {
  const id = await createDraft()
  const statuses = await Promise.all(
    ['One', 'Two'].map(
      async (subject) =>
        (await adminRequest('PATCH', `broadcasts/${id}`, { ...BROADCAST_DRAFT, subject, version: 1 })).status,
    ),
  )
  expect(statuses.toSorted()).toEqual([204, 409])
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
  for (const [n, [email, city, confirmedAt]] of alerts.entries())
    await env.DB.prepare(
      'INSERT INTO show_alerts (id, entry, entry_key, email_key, city, city_key, confirmed_at, created_at) VALUES (?1, ?2, ?3, ?2, ?4, lower(?4), ?5, 0)',
    )
      .bind(`a${n}`, email, `${email} ${city}`, city, confirmedAt)
      .run()
  const show = {
    id: 's1',
    slug: 's1',
    city: 'TAMPA',
    venue: 'V',
    address: 'A',
    startsAt: NOON,
    timeZone: 'UTC',
    priceCents: 0,
  }
  const announce = () =>
    announceShow(db, { show, siteName: 'Any Artist', currency: 'USD', origin: 'https://fan.example', at: NOON }).run()
  await announce()
  const { provider, sent: emails, recipients } = fakeEmailProvider()
  await sendAll(announcementId(show), provider)
  await announce()
  await sendAll(announcementId(show), provider, NOON + HOUR_MS)
  expect(recipients()).toEqual(['all@mail.example', 'both@mail.example', 'tampa@mail.example'])
  expect(emails[0]?.html).toMatch(/unsubscribe\?token=[\w.-]+"/)
  expect(emails[0]?.html).not.toContain('{{')
})

test('sends each email once despite crashes', async () => {
  const id = await startBroadcast(180)
  const { provider, recipients } = fakeEmailProvider()
  let at = NOON
  let crashes = 0
  // Each sender crashes a little later than the previous one.
  for (; (await getBroadcast(id)).state !== 'done'; at += 20 * MINUTE_MS) {
    const crashesAfter = ++crashes * 3
    const { DB } = spyOnD1(env.DB, {
      before: (trip) => {
        if (trip > crashesAfter) throw new Error('dead')
      },
    })
    await sendBroadcastBatch(deliveryDeps(provider, { at, db: DB }), id).catch(() => null)
    await markStaleClaimsUnknown(db, at + 16 * MINUTE_MS)
  }
  const broadcast = await getBroadcast(id)
  const { counts } = broadcast
  expect(crashes).toBeGreaterThan(5)
  expect([broadcast.recipients, counts.waiting, counts.failed]).toEqual([180, 0, 0])
  expect(counts.sent + counts.unknown).toBe(180)
  expect(counts.unknown).toBeGreaterThan(0)
  expect(counts.unknown).toBeLessThanOrEqual(crashes * limits.maxConcurrentEmailSends)
  expect(recipients().length).toBe(new Set(recipients()).size)
})

test('sends once per subscriber with ten concurrent senders', async () => {
  const id = await startBroadcast(120)
  const { provider, recipients } = fakeEmailProvider()
  await Promise.all(Array.from({ length: 10 }, () => sendAll(id, provider)))
  expect([recipients().length, new Set(recipients()).size]).toEqual([120, 120])
})

test('pauses while the provider is busy', async () => {
  const id = await startBroadcast(50)
  let callCount = 0
  const busyProvider = fakeEmailProvider(() => {
    callCount++
    return { kind: 'retry', reason: '429', busy: true, afterMs: 5 * MINUTE_MS }
  })
  const next = await sendAll(id, busyProvider.provider)
  expect([next, callCount]).toEqual([{ resumeAt: NOON + 5 * MINUTE_MS }, limits.maxConcurrentEmailSends])
  const { provider, recipients } = fakeEmailProvider()
  expect(await sendAll(id, provider, NOON + 5 * MINUTE_MS)).toBe(null)
  expect(recipients().length).toBe(50)
})

test('counts no attempts while the provider is busy', async () => {
  const id = await startBroadcast(2)
  const busyProvider = fakeEmailProvider(() => ({ kind: 'retry', reason: '429', busy: true }))
  for (let n = 0; n <= limits.maxEmailAttempts; n++)
    await sendBroadcastBatch(deliveryDeps(busyProvider.provider, { at: NOON + n * HOUR_MS }), id)
  expect(await getBroadcast(id)).toMatchObject({ state: 'sending', counts: { waiting: 2, failed: 0 } })
  expect(await env.DB.prepare('SELECT max(attempts) AS attempts FROM outbox').first()).toEqual({ attempts: 0 })
})

test('continues after a single failed email', async () => {
  const id = await startBroadcast(130)
  const { provider, recipients } = fakeEmailProvider(({ to }) =>
    to === 'fan1@mail.example' ? { kind: 'retry', reason: '500' } : { kind: 'sent', providerId: 'p' },
  )
  expect(await sendAll(id, provider)).toEqual({ resumeAt: NOON + 30_000 })
  expect(recipients().length).toBe(129)
})

test.each([
  ['unknown if an attempt may have arrived', true, 'unknown'],
  ['failed if every attempt was rejected', false, 'failed'],
])('ends an email as %s', async (_, inDoubt, state) => {
  const id = await startBroadcast(1)
  let attempts = 0
  const provider = async (): Promise<SendResult> => ({
    kind: 'retry',
    reason: '503',
    inDoubt: ++attempts === 1 && inDoubt,
  })
  for (let n = 0; n < limits.maxEmailAttempts + 1; n++)
    await sendBroadcastBatch(deliveryDeps(provider, { at: NOON + n * HOUR_MS }), id)
  expect([attempts, (await env.DB.prepare('SELECT state FROM outbox').first())?.state]).toEqual([
    limits.maxEmailAttempts,
    state,
  ])
})

test('sends identical content in every attempt', async () => {
  const id = await startBroadcast(1)
  const attempts: string[] = []
  const unresponsive = fakeEmailProvider((mail) => {
    attempts.push(JSON.stringify(mail))
    return { kind: 'retry', reason: 'No answer.' }
  })
  for (let n = 0; n < 3; n++) await sendAll(id, unresponsive.provider, NOON + n * HOUR_MS)
  expect([attempts.length, new Set(attempts).size]).toEqual([3, 1])
})

test('stops sending a canceled broadcast', async () => {
  const id = await startBroadcast(limits.broadcastBatchSize + 100)
  const { provider, recipients } = fakeEmailProvider()
  await sendBroadcastBatch(deliveryDeps(provider), id)
  expect((await adminRequest('POST', `broadcasts/${id}/cancel`)).status).toBe(204)
  await sendAll(id, provider)
  expect(recipients().length).toBe(limits.broadcastBatchSize)
  expect(await getBroadcast(id)).toMatchObject({
    state: 'cancelled',
    counts: { waiting: 0, sent: limits.broadcastBatchSize },
  })
  for (const action of ['send', 'cancel'])
    expect((await adminRequest('POST', `broadcasts/${id}/${action}`, action === 'send' ? {} : undefined)).status).toBe(
      409,
    )
})

test.each<SendResult>([
  { kind: 'sent', providerId: 'p' },
  { kind: 'retry', reason: '503' },
])('leaves no email waiting when canceled during a batch ($kind)', async (last) => {
  const id = await startBroadcast(1200)
  let callCount = 0
  const provider = async (): Promise<SendResult> => {
    if (++callCount === limits.maxConcurrentEmailSends * 5) {
      expect((await adminRequest('POST', `broadcasts/${id}/cancel`)).status).toBe(204)
      return last
    }
    return { kind: 'sent', providerId: 'p' }
  }
  await sendAll(id, provider)
  await sendAll(id, provider, NOON + HOUR_MS)
  // Only emails already handed to the provider are sent.
  expect(callCount).toBe(limits.maxConcurrentEmailSends * 5)
  expect(await getBroadcast(id)).toMatchObject({
    state: 'cancelled',
    counts: { waiting: 0, sent: last.kind === 'sent' ? callCount : callCount - 1, unknown: 0 },
  })
})

test.each(['all', 'city', 'tier', 'alerts'] as const)('reads a page of audience %s by index', async (kind) => {
  const plan = (await queryPlan({ sql: recipientPageSql(kind), params: ['', '', 'gold'] })).join('\n')
  expect(plan).toMatch(/id>\?/)
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
})

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;'],
  ['a <b onclick="x">b</b>', '&lt;b onclick=&quot;x&quot;&gt;'],
  ['[press](javascript:alert(1))', 'press'],
  ['[press](https://fan.example/?a="b)', '<a href="https://fan.example/?a=%22b" style="color:#7a5a12">press</a>'],
  ['![a "quote"](http://pictures.example/x.png)', 'a &quot;quote&quot;'],
  ['```\n<a> line\n```', '<pre style="white-space:pre-wrap"><code>&lt;a&gt; line</code></pre>'],
  ['![a](https://pictures.example/x.png)', '<img src="https://pictures.example/x.png" alt="a"'],
])('renders %s without unsafe HTML', (markdown, expected) => {
  const html = renderMarkdown(markdown)
  expect(html).toContain(expected)
  expect(html).not.toMatch(/<script|onclick="|href="javascript|src="http:/)
})

test('renders the text part without markup', () => {
  const markdown = [
    '# New *drop*',
    'Hello **you** & [the store](https://fan.example/merch).\nhttps://fan.example',
    '- one\n- two `x`\n  - nested',
    '0. three\n1. four',
    '- [x] done\n- [ ] not yet',
    'team@fan.example',
    '> said <b>she</b>',
    '![A hoodie](https://fan.example/h.png)',
  ].join('\n\n')
  expect(markdownToText(markdown)).toBe(
    [
      'New drop',
      'Hello you & the store (https://fan.example/merch).\nhttps://fan.example',
      '- one\n- two x\n  - nested',
      '0. three\n1. four',
      '- [x] done\n- [ ] not yet',
      'team@fan.example',
      '> said <b>she</b>',
      'A hoodie (https://fan.example/h.png)',
    ].join('\n\n'),
  )
})
