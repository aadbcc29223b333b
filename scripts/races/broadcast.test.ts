import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { Broadcast } from '../../worker/contract/broadcasts'
import { runFiveMinuteJobs } from '../tools/local-crons'
import { findFreePort, listenOnLoopback } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { killServer, sleep, startServer } from './killable-server'
import { seedLocalSite } from './local-database'

/** A killed sender's lease (`emailLeaseMinutes`) plus a minute. */
const AFTER_LEASE_MS = 16 * 60_000

type DeliveryReport = {
  recipients: number
  sent: number
  /** Waiting or failed. */
  unsent: number
  /** Emails that may have been sent: the sender was killed or got no response. */
  unknown: number
  /** Addresses that the provider received an email for. */
  arrived: number
  /** Addresses with more than one email. */
  duplicated: number
  /** Provider responses that never reached the server. */
  lost: number
  /** Addresses that received an email but are not recipients. */
  unexpected: number
}

/**
 * Starts a local provider with Resend's idempotency: it does not send the same key and body twice, and rejects another
 * body under a known key. It accepts every nth email without responding, n being `lostResponseInterval` (0: never).
 */
async function startFakeProvider(lostResponseInterval: number) {
  /** Number of emails by address. */
  const received = new Map<string, number>()
  const bodiesByKey = new Map<string, string>()
  let lost = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'])
      const previous = bodiesByKey.get(key)
      bodiesByKey.set(key, previous ?? text)
      response.setHeader('content-type', 'application/json')
      if (previous !== undefined && previous !== text) {
        response.statusCode = 409
        return response.end(JSON.stringify({ name: 'invalid_idempotent_request' }))
      }
      if (previous === undefined) {
        const [to = ''] = (JSON.parse(text) as { to: string[] }).to
        received.set(to, (received.get(to) ?? 0) + 1)
        if (lostResponseInterval > 0 && bodiesByKey.size % lostResponseInterval === 0) {
          lost++
          // Never responds.
          return
        }
      }
      response.end(JSON.stringify({ id: 'accepted' }))
    })
  })
  return { received, lost: () => lost, ...(await listenOnLoopback(server)) }
}

/** Seeds confirmed subscribers, a due broadcast and an admin; returns the admin's cookie. */
async function prepare(stateFolder: string, recipients: number): Promise<string> {
  rmSync(stateFolder, { recursive: true, force: true })
  return seedLocalSite(stateFolder, async ({ DB }) => {
    const emails = JSON.stringify(Array.from({ length: recipients }, (_, n) => `reader${n}@mail.example`))
    await DB.batch([
      DB.prepare(
        `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
         SELECT 'sub' || key, value, value, 'confirmed', 'v', 0, 0, 0 FROM json_each(?1)`,
      ).bind(emails),
      DB.prepare(
        `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, origin, state, scheduled_at, created_at)
         VALUES ('b1', 'New drop', '', 'Here. {{way-out}}', '<p>Here. {{way-out}}</p>', 'all', 'https://fan.example', 'scheduled', 1, 1)`,
      ),
    ])
  })
}

type RunOptions = { recipients: number; kills: number; lostResponseInterval: number }

/** Sends a broadcast while killing and restarting the server at random points; counts what happened to each email. */
async function runBroadcastWithKills({ recipients, kills, lostResponseInterval }: RunOptions): Promise<DeliveryReport> {
  const stateFolder = `.wrangler/broadcast-${process.pid}`
  const provider = await startFakeProvider(lostResponseInterval)
  const cookie = await prepare(stateFolder, recipients)
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const killPoints = Array.from({ length: kills }, () => Math.ceil(recipients * (0.03 + 0.9 * Math.random()))).sort(
    (a, b) => a - b,
  )
  const vars = { RESEND_API_KEY: 'any', RESEND_URL: provider.url }
  let child = startServer(stateFolder, port, vars)
  const readBroadcast = async () =>
    (await (await fetch(`${origin}/api/admin/broadcasts/b1`, { headers: { cookie } })).json()) as Broadcast
  try {
    await waitUntilReady(origin)
    await runFiveMinuteJobs(origin)
    for (const point of killPoints) {
      while (provider.received.size < point) await sleep(2)
      await killServer(child)
      child = startServer(stateFolder, port, vars)
      await waitUntilReady(origin)
      await runFiveMinuteJobs(origin, Date.now() + AFTER_LEASE_MS)
    }
    let broadcast = await readBroadcast()
    for (; broadcast.state !== 'done'; broadcast = await readBroadcast()) await sleep(250)
    const { sent, waiting, unknown, failed } = broadcast.counts
    const duplicated = [...provider.received.values()].filter((emails) => emails > 1).length
    const unexpected = [...provider.received.keys()].filter((to) => !/^reader\d+@mail\.example$/.test(to)).length
    const [arrived, lost] = [provider.received.size, provider.lost()]
    return { recipients, sent, unsent: waiting + failed, unknown, arrived, duplicated, lost, unexpected }
  } finally {
    await killServer(child).catch(() => undefined)
    await provider.close()
    rmSync(stateFolder, { recursive: true, force: true })
  }
}

const isLong = process.env.LONG === '1'
const [recipients, kills] = isLong ? [10_000, 10] : [500, 2]
// After a lost response the server waits for its 20 s timeout, so only `npm run test:long` loses responses.
const lostResponseInterval = isLong ? 1_000 : 0

test('a broadcast interrupted at random points sends no email twice', async () => {
  const startedAt = Date.now()
  const report = await runBroadcastWithKills({ recipients, kills, lostResponseInterval })
  process.stdout.write(
    `\nbroadcast, killed ${kills} times: ${JSON.stringify(report)}, ${(Date.now() - startedAt) / 1000} s\n`,
  )
  expect(report).toMatchObject({ unsent: 0, duplicated: 0, unexpected: 0 })
  expect(report.sent + report.unknown).toBe(recipients)
  expect(report.arrived).toBeGreaterThanOrEqual(report.sent)
  // A kill interrupts at most `maxConcurrentEmailSends` (10) sends.
  expect(report.unknown).toBeLessThanOrEqual(kills * 10)
}, 600_000)
