import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { findWrongTotals, unitsByProduct } from '../../worker/db/totals'
import { withLocalBindings } from '../tools/bindings'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { killServer, startServer } from './killable-server'
import { prepareMixedSite } from './mixed-site'
import { inParallel } from './test-server'

// Two hundred clients read and write for thirty seconds, without pause, against one server.

const CLIENT_COUNT = 200
const DURATION_SECONDS = Number(process.env.MIXED_CLIENTS_SECONDS ?? 30)
const PAGE_PATHS = ['/', '/music', '/merch', '/shows', '/community', '/challenge']
const API_PATHS = ['/api/tracks', '/api/products', '/api/leaderboard', '/api/polls/active', '/api/community/posts']
const stateFolder = `.wrangler/clients-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

type Reply = { status: number; text: string }

test('two hundred mixed clients see no server error', async () => {
  const cookies = await prepareMixedSite(stateFolder, CLIENT_COUNT)
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const server = startServer(stateFolder, port, { SITE_MODE: 'demo' })
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENT_COUNT })
  const latenciesMs: number[] = []
  const statuses = new Map<number, number>()
  const problems: string[] = []

  /**
   * Sends a request, and records its latency, its status and any server error. Each client has its own IP address and
   * network, because limits count by them.
   */
  function call(client: number, method: string, path: string, cookie: string, body?: unknown): Promise<Reply> {
    const startedAt = performance.now()
    const json = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      origin,
      cookie,
      'cf-connecting-ip': `10.0.${client}.1`,
      ...(json && { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(json),
    }
    return new Promise<Reply>((resolve, reject) => {
      const clientRequest = request(origin + path, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      clientRequest.on('error', reject)
      clientRequest.end(json)
    }).then((reply) => {
      latenciesMs.push(performance.now() - startedAt)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status >= 500) problems.push(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 200)}`)
      return reply
    })
  }

  /** Buys one unit with a test card; returns whether it was paid. */
  async function buy(client: number, n: number, cookie: string): Promise<boolean> {
    const order = { amount: 20, productId: 'clip', quantity: 1, email: `buyer${n}@mail.example` }
    const intent = await call(client, 'POST', '/api/create-payment-intent', cookie, order)
    if (intent.status !== 200 && intent.status !== 201) return false
    const { orderId, clientSecret } = JSON.parse(intent.text)
    const paid = await call(client, 'POST', `/api/test-payments/${orderId}/confirm`, cookie, {
      clientSecret,
      card: 'succeeds',
    })
    return paid.status === 200
  }

  let paidOrderCount = 0
  try {
    await waitUntilReady(origin)
    const endsAt = Date.now() + DURATION_SECONDS * 1000
    await inParallel(CLIENT_COUNT, async (client: number) => {
      const cookie = cookies[client] ?? ''
      for (let n = client; Date.now() < endsAt; n += 1) {
        const pagePath = PAGE_PATHS[n % PAGE_PATHS.length] ?? '/'
        const apiPath = API_PATHS[n % API_PATHS.length] ?? '/api/tracks'
        // Every second page and every third API read has no session.
        await call(client, 'GET', pagePath, n % 2 ? cookie : '')
        await call(client, 'GET', apiPath, n % 3 ? cookie : '')
        const writes = [
          () => call(client, 'POST', '/api/polls/p/vote', cookie, { optionId: n % 2 ? 'p-a' : 'p-b' }),
          () => call(client, 'POST', '/api/tracks/1/like', cookie),
          () => call(client, 'POST', '/api/challenges/c/vote', cookie, { finalistId: n % 2 ? 'c-a' : 'c-b' }),
          () => call(client, 'POST', '/api/community/posts', cookie, { text: `Number ${n}` }),
          () => call(client, 'POST', '/api/newsletter/subscribe', '', { email: `reader${client}-${n}@mail.example` }),
          async () => {
            if (await buy(client, n, cookie)) paidOrderCount += 1
          },
        ]
        await writes[n % writes.length]?.()
      }
    })
  } finally {
    await killServer(server)
    agent.destroy()
  }
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const percentile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  process.stdout.write(
    `\nMeasured: ${CLIENT_COUNT} clients, ${DURATION_SECONDS} s: ${sorted.length} requests (${Math.round(sorted.length / DURATION_SECONDS)}/s), ` +
      `p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms, ${paidOrderCount} orders paid, ` +
      `statuses ${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`,
  )
  expect(problems).toEqual([])
  const { wrongTotals, units, orders } = await withLocalBindings(stateFolder, async ({ DB }) => ({
    wrongTotals: await findWrongTotals(DB),
    units: await unitsByProduct(DB),
    orders: await DB.prepare("SELECT count(*) AS n FROM orders WHERE status = 'paid'").first<number>('n'),
  }))
  expect(wrongTotals).toEqual([])
  expect([units.clip, orders]).toEqual([500, paidOrderCount])
  expect(paidOrderCount).toBeGreaterThan(10)
}, 300_000)
