import { createMessageBatch, env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { findProblems } from '../admin/system'
import { continueArchive, startArchive } from '../archive/archives'
import { archives } from '../archive/archives.table'
import { openDb } from '../db/client'
import { emailHandler, enqueuePendingEmails, requeueOverdueEmails } from '../email/queue'
import type { Env } from '../env'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { send } from '../testing/client'
import { buildPng } from '../testing/files'
import { db, isLongRun, loadFixtures } from '../testing/fixtures'
import { addOrder, addProduct, paymentEvents, sendEvent } from '../testing/payments'
import { NOON } from '../testing/seed'
import { spyOnD1, withMethods } from '../testing/stores'
import { cookieHeaderFor, uniqueIp } from '../testing/users'

// Outages that docs/operations.md describes: a full database, failing R2, a provider that is down, a large backlog.

/** At full size, the backlog has twenty times the rows. */
const BACKLOG_TEST_TIMEOUT_MS = isLongRun ? 180_000 : 20_000

beforeAll(loadFixtures)

const SAFE_MESSAGE = /^[A-Z][^{}<>]{10,200}[.)]$/

/** A database at its size limit: inserts and updates throw. */
const fullDatabase = () =>
  spyOnD1(env.DB, {
    before: (_trip, sql) => {
      if (sql.some((text) => /^\s*(WITH[\s\S]*?)?\b(INSERT|UPDATE)\b/i.test(text)))
        throw new Error('D1_ERROR: Exceeded maximum DB size')
    },
  }).DB

test('serves reads and rejects writes when the database is full', async () => {
  const DB = fullDatabase()
  const cookie = await cookieHeaderFor('supporter')
  const call = (method: string, path: string, json?: unknown) =>
    send(method, path, json, { at: NOON, env: { DB }, headers: { cookie } })
  for (const path of ['/api/tracks', '/api/polls/active', '/api/products', '/healthz'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 200])
  const rejected = await call('POST', '/api/polls/1/vote', { optionId: 'a' })
  expect(rejected.status).toBeGreaterThanOrEqual(500)
  expect(await rejected.text()).toMatch(SAFE_MESSAGE)
  expect((await send('POST', '/api/polls/1/vote', { optionId: 'a' }, { at: NOON, headers: { cookie } })).status).toBe(
    200,
  )
})

test('applies a payment event resent after the database was full', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const productId = await addProduct(10)
  await addOrder({
    id: 'ord_full',
    productId,
    status: 'pending',
    held: 1,
    reservedUntil: NOON + 15 * MINUTE_MS,
    provider: 'stripe',
    paymentIntentId: 'pi_full',
    intentOpen: true,
    intentRevision: 1,
    email: 'buyer@mail.example',
  })
  const event = paymentEvents({ orderId: 'ord_full', intentId: 'pi_full', amountCents: 2000 }).succeeded()
  const status = () => env.DB.prepare("SELECT status FROM orders WHERE id = 'ord_full'").first('status')
  // After an error response, the provider sends the event again for days.
  expect((await sendEvent(event, { env: { DB: fullDatabase() } })).status).toBeGreaterThanOrEqual(500)
  expect(await status()).toBe('pending')
  expect((await sendEvent(event)).status).toBe(200)
  expect(await status()).toBe('paid')
})

const rejectWrite = () => Promise.reject(new Error('put: We encountered an internal error. (10001)'))
/** The bucket, which rejects writes. */
const readOnlyFiles = withMethods(env.FILES, { put: rejectWrite, createMultipartUpload: rejectWrite })

test('serves files and rejects uploads when R2 rejects writes', async () => {
  const cookie = await cookieHeaderFor('administrator')
  const countUploads = () => env.DB.prepare('SELECT count(*) AS n FROM uploads WHERE stored_at IS NOT NULL').first('n')
  const before = await countUploads()
  const bindings = { FILES: readOnlyFiles }
  expect((await send('GET', '/media/any/hero.webp', undefined, { at: NOON, env: bindings })).status).toBe(200)
  const rejected = await send('POST', '/api/admin/uploads/pictures', undefined, {
    at: NOON,
    env: bindings,
    raw: buildPng(8, 8),
    headers: { cookie, 'content-type': 'image/png' },
  })
  expect(rejected.status).toBeGreaterThanOrEqual(500)
  expect(await rejected.text()).toMatch(SAFE_MESSAGE)
  expect(await countUploads()).toBe(before)
})

test('continues an archive after R2 accepts writes again', async () => {
  const secret = env.SIGNING_SECRET
  const id = await startArchive(db, { actorId: null, at: NOON })
  await expect(continueArchive({ db, files: readOnlyFiles, secret }, id)).rejects.toThrow('internal error')
  expect(await continueArchive({ db, files: env.FILES, secret }, id)).toBe(true)
  const [row] = await db.select({ state: archives.state }).from(archives).where(eq(archives.id, id))
  expect(row?.state).toBe('ready')
})

test('sends each email once after a day-long provider outage', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  await env.DB.prepare('DELETE FROM outbox').run()
  const recoversAt = NOON + DAY_MS
  let at = NOON
  const delivered: string[] = []
  const EMAIL = {
    send: async ({ to }: { to: string }) => {
      if (at < recoversAt) throw Object.assign(new Error('down'), { code: 'E_INTERNAL_SERVER_ERROR' })
      delivered.push(to)
      return { messageId: to }
    },
  } as unknown as Env['EMAIL']
  const queued: string[] = []
  const MAIL = {
    sendBatch: async (messages: { body: { id: string } }[]) => void queued.push(...messages.map(({ body }) => body.id)),
  } as unknown as Env['MAIL']
  const runEmailJobs = async () => {
    await requeueOverdueEmails(db, MAIL, at)
    await enqueuePendingEmails(db, MAIL, at)
    const messages = queued
      .splice(0)
      .map((id) => ({ id, timestamp: new Date(at), attempts: 1, body: { kind: 'mail', id } }))
    await emailHandler.consume(
      createMessageBatch('artist-house-mail', messages),
      { ...env, EMAIL, MAIL } as Env,
      () => at,
    )
  }
  const runEveryHalfHour = async (until: number) => {
    for (; at < until; at += 30 * MINUTE_MS) await runEmailJobs()
  }
  const subscribers: string[] = []
  while (at < recoversAt) {
    const email = `fan${subscribers.length}@mail.example`
    subscribers.push(email)
    // Requests succeed while the provider is down.
    expect(
      (
        await send(
          'POST',
          '/api/newsletter/subscribe',
          { email },
          { at, env: { MAIL }, headers: { 'cf-connecting-ip': uniqueIp() } },
        )
      ).status,
    ).toBe(200)
    await runEveryHalfHour(at + 2 * HOUR_MS)
  }
  const states = async () =>
    (await env.DB.prepare('SELECT DISTINCT state FROM outbox ORDER BY state').all<{ state: string }>()).results.map(
      ({ state }) => state,
    )
  expect(await states()).toEqual(['failed', 'waiting'])
  expect(await findProblems(db, at)).toContainEqual(expect.objectContaining({ kind: 'emails' }))

  const cookie = await cookieHeaderFor('administrator')
  const resent = await send('POST', '/api/admin/mail/resend-failed', undefined, {
    at: NOON,
    env: { MAIL },
    headers: { cookie },
  })
  expect(resent.status).toBe(200)
  await runEveryHalfHour(at + 3 * HOUR_MS)
  expect(await states()).toEqual(['sent'])
  expect(delivered.toSorted()).toEqual(subscribers.toSorted())
})

test('requeues every email of a large backlog over several runs', { timeout: BACKLOG_TEST_TIMEOUT_MS }, async () => {
  const total = isLongRun ? 100_000 : 5_000
  const callsPerRun = isLongRun ? 900 : 45
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, created_at)
     SELECT 'b' || i, 'b' || i, 'verify', 'fan' || i || '@mail.example', 's', 't', 'h', ?2 FROM n`,
  )
    .bind(total, NOON - DAY_MS)
    .run()
  const requeued = new Set<string>()
  const queue = {
    sendBatch: async (messages: { body: { id: string } }[]) => {
      for (const { body } of messages) requeued.add(body.id)
    },
  } as unknown as Queue<{ kind: 'mail'; id: string }>
  let runs = 0
  for (let isDone = false; !isDone && runs < 20; runs++) {
    // An invocation of the worker may make a thousand D1 calls. The limit here is in proportion to the backlog.
    const { DB } = spyOnD1(env.DB, {
      before: (trip) => {
        if (trip > callsPerRun) throw new Error('Too many API requests by single worker invocation.')
      },
    })
    isDone = await requeueOverdueEmails(openDb(DB), queue, NOON + runs * MINUTE_MS).then(
      () => true,
      () => false,
    )
  }
  expect(runs).toBeLessThan(4)
  expect([...requeued].filter((id) => id.startsWith('b'))).toHaveLength(total)
})
