import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { createTestHarness } from 'wrangler'
import { SESSION_COOKIE } from '../../worker/auth/cookies'
import { createSession } from '../../worker/auth/sessions'
import { findWrongTotals } from '../../worker/db/totals'
import type { Env } from '../../worker/env'
import { seedSite } from '../../worker/testing/seed'

// The built worker on real sockets, configured as in wrangler.toml, but with higher rate and sign-up limits: the
// real ones would reject most concurrent requests.

/** A copy of wrangler.toml with relaxed rate limits, in a folder of its own because wrangler watches it. */
function relaxedLimitsConfig(): { folder: string; configPath: string } {
  mkdirSync('.wrangler', { recursive: true })
  const folder = mkdtempSync('.wrangler/races-')
  const text = readFileSync('wrangler.toml', 'utf8')
    .replace(/limit = \d+/g, 'limit = 1000000')
    .replace(/^(main|migrations_dir|directory) = "/gm, '$1 = "../../')
  writeFileSync(`${folder}/wrangler.toml`, text)
  return { folder, configPath: `${folder}/wrangler.toml` }
}

type TestResponse<T = unknown> = { status: number; code: string | undefined; body: T }

/** Starts a seeded site; returns helpers that create users and send their requests. */
export async function startTestServer(vars: Record<string, string> = {}) {
  const { folder, configPath } = relaxedLimitsConfig()
  const server = createTestHarness({
    workers: [
      {
        configPath,
        vars: { SITE_MODE: 'production', SIGNUPS_PER_NETWORK_PER_DAY: '100000', ...vars },
        secrets: { SIGNING_SECRET: 'a-secret-for-the-tests-alone-0123456789' },
      },
    ],
  })
  const base = (await server.listen()).url
  const worker = server.getWorker<Env>()
  await worker.applyD1Migrations('DB')
  const env = await worker.getEnv()
  await seedSite(env.DB)

  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run()
  const rows = async <T>(sql: string, ...values: unknown[]) =>
    (
      await env.DB.prepare(sql)
        .bind(...values)
        .all<T>()
    ).results

  /** Sends a request and retries 503 responses. */
  async function requestWithRetry<T>(
    method: string,
    path: string,
    json?: unknown,
    cookie = '',
  ): Promise<TestResponse<T>> {
    for (let attempt = 1; ; attempt++) {
      const response = await requestOnce<T>(method, path, json, cookie)
      if (response.status !== 503 || attempt === 5) return response
    }
  }

  /** Sends one request over its own socket. `body` of the response is text if it is not JSON. */
  function requestOnce<T>(method: string, path: string, json: unknown, cookie = ''): Promise<TestResponse<T>> {
    const options: RequestOptions = {
      host: base.hostname,
      port: base.port,
      method,
      path,
      headers: { origin: base.origin, cookie, ...(json !== undefined && { 'content-type': 'application/json' }) },
    }
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json')
          const code = response.headers['x-error-code']
          resolve({
            status: response.statusCode ?? 0,
            code: code as string | undefined,
            body: isJson ? JSON.parse(text) : (text as T),
          })
        })
      })
      sent.on('error', reject)
      sent.end(json === undefined ? undefined : JSON.stringify(json))
    })
  }

  let userCount = 0
  /** Creates supporters with a confirmed address and session cookies. */
  async function newFans(count: number): Promise<{ id: number; cookie: string }[]> {
    const names = Array.from({ length: count }, () => `racer${++userCount}`)
    const ids = await rows<{ id: number }>(
      `INSERT INTO users (username, username_key, email, email_key, mailbox_key, email_verified_at, created_at, last_active_at)
       SELECT value, value, mail, mail, mail, 1, 0, 0 FROM (SELECT value, value || '@fan.example' AS mail FROM json_each(?1)) RETURNING id`,
      JSON.stringify(names),
    )
    const fans: { id: number; cookie: string }[] = []
    for (let from = 0; from < ids.length; from += 20)
      fans.push(...(await Promise.all(ids.slice(from, from + 20).map(withSession))))
    return fans
  }
  async function withSession({ id }: { id: number }) {
    const startSession = () => createSession(env.SESSIONS, 'supporter', { userId: id, epoch: 0 }, Date.now())
    // KV must respond within 1.5 s; on a busy machine it may fail once or twice.
    const { token } = await startSession().catch(startSession).catch(startSession)
    return { id, cookie: `session=${token}` }
  }

  /** Creates an admin and returns the session cookie. */
  async function newAdministrator(): Promise<string> {
    const [row] = await rows<{ id: number }>(
      `INSERT INTO users (username, username_key, role, created_at, last_active_at)
       VALUES (?1, ?1, 'administrator', 0, 0) RETURNING id`,
      `admin${++userCount}`,
    )
    const session = await createSession(env.SESSIONS, 'administrator', { userId: row!.id, epoch: 0 }, Date.now())
    return `${SESSION_COOKIE.administrator}=${session.token}`
  }

  async function newPoll(id: string): Promise<void> {
    await run('INSERT INTO polls (id, title, ends_at, created_at) VALUES (?1, ?1, ?2, 0)', id, Date.now() + 3_600_000)
    for (const [position, name] of ['a', 'b'].entries())
      await run(
        'INSERT INTO poll_options (id, poll_id, title, position) VALUES (?1, ?2, ?3, ?4)',
        `${id}-${name}`,
        id,
        name,
        position,
      )
  }

  const readWrongTotals = () => findWrongTotals(env.DB)

  /** Evicts a poll's Durable Object from memory; its WebSockets stay open, as with an idle object. */
  const evict = (poll: string) => worker.evictDurableObject('LIVE' as never, { name: poll, webSockets: 'hibernate' })

  async function close() {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }

  const runFrequentJobs = (at = new Date()) => worker.scheduled({ cron: '*/5 * * * *', scheduledTime: at })

  return {
    base,
    env,
    request: requestWithRetry,
    requestOnce,
    runFrequentJobs,
    evict,
    run,
    rows,
    newFans,
    newAdministrator,
    newPoll,
    readWrongTotals,
    close,
  }
}
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

export function countByStatus(responses: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Starts all calls before the first one completes. */
export const inParallel = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))
