import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { PaymentIntent } from '../../worker/contract/checkout'
import { findWrongTotals, unitsByProduct } from '../../worker/db/totals'
import { withLocalBindings } from '../tools/bindings'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { killServer, sleep, startServer } from './killable-server'
import { prepareMixedSite } from './mixed-site'
import { inParallel } from './test-server'

// The server is killed during votes, ballots, likes, posts, newsletter subscriptions and purchases.

const CLIENT_COUNT = 20
const [USER_COUNT, KILL_COUNT] = process.env.LONG ? [300, 5] : [60, 1]
const stateFolder = `.wrangler/mixed-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

test('kills during mixed writes lose no acknowledged write', async () => {
  const cookies = await prepareMixedSite(stateFolder, USER_COUNT)
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const acknowledged = { vote: 0, ballot: 0, like: 0, post: 0, newsletter: 0, paid: [] as string[] }
  const problems: string[] = []
  let isRunning = true

  /** Posts JSON; returns the response's JSON, {} if its body is empty, null for an error or no whole response. */
  async function write<T>(path: string, body: unknown, cookie = ''): Promise<T | null> {
    const headers = { origin, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(origin + path, init).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (!response || text === null || text === undefined) return null
    // The text of an expected error is a sentence.
    if (response.status >= 500 && !/^[A-Z].{10,}[.)]$/.test(text)) problems.push(`${path}: ${response.status} ${text}`)
    return response.ok ? ((text ? JSON.parse(text) : {}) as T) : null
  }

  /** Sends one write of each kind and counts the acknowledged ones, each of which must be stored. */
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

  const readDatabase = () =>
    withLocalBindings(stateFolder, async ({ DB }) => ({
      rows: await DB.prepare(
        `SELECT (SELECT count(*) FROM poll_votes) AS vote, (SELECT count(*) FROM challenge_ballots) AS ballot,
           (SELECT count(*) FROM track_likes) AS "like",
           (SELECT count(*) FROM posts) AS post, (SELECT count(*) FROM subscribers) AS newsletter`,
      ).first<Record<string, number>>(),
      paid: (await DB.prepare("SELECT id FROM orders WHERE status = 'paid'").all<{ id: string }>()).results.map(
        ({ id }) => id,
      ),
      wrongTotals: await findWrongTotals(DB),
      units: await unitsByProduct(DB),
    }))

  /** Expects that every acknowledged write is stored, totals equal their rows, and no unit is lost. */
  async function expectConsistent() {
    const { rows, paid, wrongTotals, units } = await readDatabase()
    for (const name of ['vote', 'ballot', 'like', 'post', 'newsletter'] as const)
      expect([name, rows?.[name]]).toEqual([name, expect.toSatisfy((stored) => stored >= acknowledged[name])])
    expect(acknowledged.paid.filter((id) => !paid.includes(id))).toEqual([])
    expect([wrongTotals, units.clip]).toEqual([[], 500])
  }

  const bindings = { SITE_MODE: 'demo' }
  let child = startServer(stateFolder, port, bindings)
  let nextUser = 0
  try {
    await waitUntilReady(origin)
    const clients = inParallel(CLIENT_COUNT, async () => {
      while (isRunning && nextUser < cookies.length) {
        const n = nextUser++
        await writeEachKind(n, cookies[n] ?? '')
        // Waits while the server is down.
        while (isRunning && (await fetch(`${origin}/healthz`).catch(() => null)) === null) await sleep(200)
      }
    })
    for (let kill = 1; kill <= KILL_COUNT; kill++) {
      while (nextUser < (cookies.length * kill) / (KILL_COUNT + 1)) await sleep(5)
      await killServer(child)
      await expectConsistent()
      child = startServer(stateFolder, port, bindings)
      await waitUntilReady(origin)
    }
    await clients
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
