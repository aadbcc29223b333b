import { mkdtempSync, rmSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { SESSION_COOKIE } from '../../worker/auth/cookies'
import { createSession } from '../../worker/auth/sessions'
import { findWrongTotals } from '../../worker/db/totals'
import type { Env } from '../../worker/env'
import { seedSite } from '../../worker/testing/seed'
import { runFiveMinuteJobs } from '../tools/local-crons'
import { copyMigratedState } from './prebuilt'
import { runtimeOptions, WORKER_NAME } from './runtime-options'

// The bundled worker on real sockets, configured as in wrangler.toml, but with higher rate and sign-up limits: the
// real ones would reject most concurrent requests.

type Options = { /** Default true. */ isSeeded?: boolean }

/** Starts a runtime with a migrated database in `state`. */
function startRuntime(state: string, vars: Record<string, string>): Miniflare {
  copyMigratedState(state)
  const options = runtimeOptions({ state, port: 0, vars })
  for (const { simple } of Object.values(options.ratelimits)) simple.limit = 1_000_000
  return new Miniflare(convertV4MiniflareOptions({ ...options, handleStructuredLogs: () => undefined }))
}

type TestResponse<T = unknown> = { status: number; code: string | undefined; body: T }

/** Starts a site; returns helpers that create users and send their requests. */
export async function startTestServer(vars: Record<string, string> = {}, { isSeeded = true }: Options = {}) {
  const state = mkdtempSync(join(tmpdir(), 'test-server-'))
  const server = startRuntime(state, {
    SITE_MODE: 'production',
    SIGNUPS_PER_NETWORK_PER_DAY: '100000',
    SIGNING_SECRET: 'a-secret-for-the-tests-alone-0123456789',
    ...vars,
  })
  const base = await server.ready
  const env = await server.getBindings<Env>()
  if (isSeeded) await seedSite(env.DB)

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

  /** Sends one request; concurrent ones have their own sockets. `body` of the response is text if it is not JSON. */
  function requestOnce<T>(method: string, path: string, json: unknown, cookie = ''): Promise<TestResponse<T>> {
    const options: RequestOptions = {
      host: base.hostname,
      port: base.port,
      method,
      path,
      headers: { origin: base.origin, cookie, ...(json !== undefined && { 'content-type': 'application/json' }) },
    }
    return new Promise((resolve, reject) => {
      const clientRequest = request(options, (response) => {
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
      clientRequest.on('error', reject)
      clientRequest.end(json === undefined ? undefined : JSON.stringify(json))
    })
  }

  let userCount = 0
  /** Creates supporters with a confirmed address and session cookies. */
  async function newSupporters(count: number): Promise<{ id: number; cookie: string }[]> {
    const names = Array.from({ length: count }, () => `racer${++userCount}`)
    const ids = await rows<{ id: number }>(
      `INSERT INTO users (username, username_key, email, email_key, mailbox_key, email_verified_at, created_at, last_active_at)
       SELECT value, value, mail, mail, mail, 1, 0, 0 FROM (SELECT value, value || '@fan.example' AS mail FROM json_each(?1)) RETURNING id`,
      JSON.stringify(names),
    )
    const supporters: { id: number; cookie: string }[] = []
    for (let from = 0; from < ids.length; from += 20)
      supporters.push(...(await Promise.all(ids.slice(from, from + 20).map(withSession))))
    return supporters
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
  const evict = (poll: string) =>
    server.unsafeEvictDurableObject(WORKER_NAME, 'LivePoll', { name: poll, webSockets: 'hibernate' })

  async function close() {
    await server.dispose()
    rmSync(state, { recursive: true, force: true })
  }

  return {
    base,
    env,
    request: requestWithRetry,
    requestOnce,
    runFiveMinuteJobs: (at = new Date()) => runFiveMinuteJobs(base.origin, at.getTime()),
    evict,
    run,
    rows,
    newSupporters,
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
