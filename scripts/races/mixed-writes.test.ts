import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import type { PaymentIntent } from '../../worker/contract/checkout'
import { findDifferences, unitsByProduct } from '../../worker/db/totals'
import { seedSite } from '../../worker/testing/seed'
import { applyMigrations, ensureSecrets, waitUntilReady, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { killServer, sleep, startServer } from './killable-server'
import { inParallel } from './test-server'

// Votes, ballots, likes, posts, newsletter subscriptions and purchases while the whole server is killed.

const LANES = 20
const [USERS, KILLS] = process.env.LONG ? [300, 5] : [60, 1]
const state = `.wrangler/mixed-${process.pid}`
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Supporters with cookies, a track, polls, and 500 units of one product. */
async function prepare(): Promise<string[]> {
  ensureSecrets()
  return withLocal(state, async ({ DB, SESSIONS }) => {
    await applyMigrations(DB)
    await seedSite(DB)
    const statement = (sql: string, ...values: unknown[]) => DB.prepare(sql).bind(...values)
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS})`
    await DB.batch([
      statement("UPDATE products SET kind = 'pickup' WHERE id = 'clip'"),
      statement("UPDATE product_variants SET stock = 500, price_cents = 2000 WHERE product_id = 'clip'"),
      statement(`INSERT INTO tracks (id, title, artist, duration_seconds, cover_url, cover_alt, position, released_at)
        VALUES (1, 'A song', 'Somebody', 180, '', '', 1, 0)`),
      statement(
        "INSERT INTO polls (id, title, ends_at, created_at) VALUES ('p', 'A poll', ?1, 0)",
        Date.now() + 3_600_000,
      ),
      statement(
        "INSERT INTO poll_options (id, poll_id, title, position) VALUES ('p-a', 'p', 'A', 1), ('p-b', 'p', 'B', 2)",
      ),
      statement(
        `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from,
           voting_until, winner_on, closed_on, voting_closes_at, publish_at)
         VALUES ('c', 'A challenge', '', '', '', '', '', '', '', '', ?1, ?1)`,
        Date.now() + 3_600_000,
      ),
      statement(
        "INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES ('c-a', 'c', 'A', 1), ('c-b', 'c', 'B', 2)",
      ),
      statement(`${numbers} INSERT INTO users (username, username_key, email, email_key, mailbox_key, email_verified_at, created_at, last_active_at)
        SELECT 'fan' || i, 'fan' || i, 'fan' || i || '@mail.example', 'fan' || i || '@mail.example', 'fan' || i || '@mail.example', 1, 0, 0 FROM n`),
    ])
    const { results } = await DB.prepare("SELECT id FROM users WHERE role = 'supporter' ORDER BY id").all<{
      id: number
    }>()
    const cookies: string[] = []
    for (const { id } of results) {
      const { token } = await createSession(SESSIONS, 'supporter', { userId: id, epoch: 0 }, Date.now())
      cookies.push(`session=${token}`)
    }
    return cookies
  })
}

test('kills during mixed writes lose no acknowledged write', async () => {
  const cookies = await prepare()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const acknowledged = { vote: 0, ballot: 0, like: 0, post: 0, newsletter: 0, paid: [] as string[] }
  const problems: string[] = []
  let isRunning = true

  async function write<T>(path: string, body: unknown, cookie = ''): Promise<T | null> {
    const headers = { origin, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => null,
    )
    const text = await response?.text().catch(() => null)
    if (!response || text === null || text === undefined) return null
    if (response.status >= 500 && !/^[A-Z].{10,}[.)]$/.test(text)) problems.push(`${path}: ${response.status} ${text}`)
    return response.ok ? ((text ? JSON.parse(text) : {}) as T) : null
  }

  /** Sends one write of each kind, so that every acknowledged write is one row. */
  async function writeEachKind(n: number, cookie: string) {
    if (await write('/api/polls/p/vote', { optionId: n % 3 ? 'p-a' : 'p-b' }, cookie)) acknowledged.vote += 1
    if (await write('/api/challenges/c/vote', { finalistId: n % 3 ? 'c-a' : 'c-b' }, cookie)) acknowledged.ballot += 1
    if (await write('/api/tracks/1/like', undefined, cookie)) acknowledged.like += 1
    if (await write('/api/community/posts', { text: `Number ${n}` }, cookie)) acknowledged.post += 1
    if (await write('/api/newsletter/subscribe', { email: `reader${n}@mail.example` })) acknowledged.newsletter += 1
    const order = { amount: 20, productId: 'clip', quantity: 1, email: `buyer${n}@mail.example` }
    const intent = await write<PaymentIntent>('/api/create-payment-intent', order, cookie)
    if (!intent) return
    const { orderId, clientSecret } = intent
    const card = { clientSecret, card: 'succeeds' }
    if (await write(`/api/test-payments/${orderId}/confirm`, card, cookie)) acknowledged.paid.push(orderId)
  }

  const counts = () =>
    withLocal(state, async ({ DB }) => ({
      rows: await DB.prepare(
        `SELECT (SELECT count(*) FROM poll_votes) AS vote, (SELECT count(*) FROM challenge_ballots) AS ballot,
           (SELECT count(*) FROM track_likes) AS "like",
           (SELECT count(*) FROM posts) AS post, (SELECT count(*) FROM subscribers) AS newsletter`,
      ).first<Record<string, number>>(),
      paid: (await DB.prepare("SELECT id FROM orders WHERE status = 'paid'").all<{ id: string }>()).results.map(
        ({ id }) => id,
      ),
      differences: await findDifferences(DB),
      units: await unitsByProduct(DB),
    }))

  /** Every acknowledged write is stored, totals equal their rows, and no unit is lost. */
  async function expectConsistent() {
    const { rows, paid, differences, units } = await counts()
    for (const name of ['vote', 'ballot', 'like', 'post', 'newsletter'] as const)
      expect([name, rows?.[name]]).toEqual([name, expect.toSatisfy((stored) => stored >= acknowledged[name])])
    expect(acknowledged.paid.filter((id) => !paid.includes(id))).toEqual([])
    expect([differences, units.clip]).toEqual([[], 500])
  }

  const bindings = { SITE_MODE: 'demo' }
  let child = startServer(state, port, bindings)
  let next = 0
  try {
    await waitUntilReady(origin)
    const lanes = inParallel(LANES, async () => {
      while (isRunning && next < cookies.length) {
        const n = next++
        await writeEachKind(n, cookies[n] ?? '')
        // While the server is down.
        while (isRunning && (await fetch(`${origin}/healthz`).catch(() => null)) === null) await sleep(200)
      }
    })
    for (let kill = 1; kill <= KILLS; kill++) {
      while (next < (cookies.length * kill) / (KILLS + 1)) await sleep(5)
      await killServer(child)
      await expectConsistent()
      child = startServer(state, port, bindings)
      await waitUntilReady(origin)
    }
    await lanes
  } finally {
    isRunning = false
    await killServer(child)
  }
  await expectConsistent()
  expect(problems).toEqual([])
  // All requests share one IP address, so the rate limit rejects most newsletter requests.
  const { vote, ballot, like, post, newsletter } = acknowledged
  expect([Math.min(vote, ballot, like, post) > 20, newsletter > 0]).toEqual([true, true])
  expect(acknowledged.paid.length).toBeGreaterThan(5)
}, 180_000)
