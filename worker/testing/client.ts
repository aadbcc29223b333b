import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { allRoutes } from '../all.routes'
import { createApp, type IsolateState, newIsolateState } from '../app'
import type { Env } from '../env'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { NOON } from './seed'
import { spyOnD1, withMethods } from './stores'

/** Set by setup.ts for each test file. */
const testRun = globalThis as { testFileId?: string }

export const ORIGIN = 'https://fan.example'

type Options = {
  at?: Millis
  headers?: Record<string, string>
  /** Replaces bindings, e.g. with failing ones. A database here has no replicas. */
  env?: Partial<Env>
  /** A database with replicas. */
  replicated?: D1Database
  /** An app to reuse across requests, as an isolate does; `at` is then ignored. */
  app?: ReturnType<typeof createApp>
  /** A body other than JSON. */
  raw?: BodyInit
}

/** All requests share one app, because building its router is slow. Each has its own state, as in a new isolate. */
const isolates = new WeakMap<Request, IsolateState>()
const appOfNewIsolates = createApp(undefined, undefined, (request) => isolates.get(request)!)

/** Sends one same-origin request to the whole app and waits for its background work. */
export async function send(
  method: string,
  path: string,
  json?: unknown,
  { at, headers, env: bindings, replicated, raw, app = appOfNewIsolates }: Options = {},
) {
  const context = createExecutionContext()
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      origin: ORIGIN,
      'cf-connecting-ip': '203.0.113.7',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? raw : JSON.stringify(json),
  })
  if (app === appOfNewIsolates) isolates.set(request, newIsolateState(at === undefined ? undefined : () => at))
  const DB = replicated ?? (bindings?.DB ? withoutReplicas(bindings.DB) : env.DB)
  const response = await app.fetch(request, { ...env, ...rateLimitersFor(env), ...bindings, DB }, context)
  await waitOnExecutionContext(context)
  return response
}

export const RATE_LIMITERS = ['LIMIT_WRITES', 'LIMIT_MAIL', 'LIMIT_AUTH', 'LIMIT_API'] as const

/** Test files share the runtime's rate limiters and repeat user ids, so each key starts with the id of its file. */
const rateLimitersFor = (env: Env): Pick<Env, (typeof RATE_LIMITERS)[number]> =>
  Object.fromEntries(
    RATE_LIMITERS.map((name) => [
      name,
      { limit: ({ key }: RateLimitOptions) => env[name].limit({ key: `${testRun.testFileId} ${key}` }) },
    ]),
  ) as never

/** A database without read replicas. */
export const withoutReplicas = (d1: D1Database) => {
  const session = { prepare: d1.prepare.bind(d1), batch: d1.batch.bind(d1), getBookmark: () => null }
  return withMethods(d1, { withSession: () => session })
}

export async function getJson<T>(path: string, options?: Options): Promise<T> {
  return (await send('GET', path, undefined, options)).json()
}

/** Follows the `rel="next"` links of a list. Returns the rows of each page, at most 20 pages. */
export async function readPages<T>(path: string, options?: Options): Promise<T[][]> {
  const pages: T[][] = []
  for (let next: string | undefined = path; next !== undefined && pages.length < 20; ) {
    const response: Response = await send('GET', next, undefined, options)
    pages.push(await response.json<T[]>())
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return pages
}

/** Waits for the next minute of the clock if less than five seconds are left: rate limits count per minute. */
export async function waitForRateWindow(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS)
  if (leftMs < 5 * SECOND_MS) await new Promise((resolve) => setTimeout(resolve, leftMs))
}

/** `[status, code, message]`. */
export async function errorOf(response: Response): Promise<[number, string | null, string]> {
  return [response.status, response.headers.get('x-error-code'), await response.text()]
}

/** `[status, code]`, where the message does not matter. */
export async function statusAndCodeOf(response: Response): Promise<[number, string | null]> {
  const [status, code] = await errorOf(response)
  return [status, code]
}

/** An isolate that serves many requests, each at its own time. `statements` lists its SQL in order. */
export function newIsolate() {
  let now: Millis = NOON
  const app = createApp(() => now)
  const statements: string[] = []
  const { DB, trips } = spyOnD1(env.DB, { prepared: (sql) => void statements.push(sql) })
  const request = async (
    path: string,
    headers: Record<string, string> = {},
    at = NOON,
    method = 'GET',
    bindings: Partial<Env> = {},
  ) => {
    now = at
    const context = createExecutionContext()
    const response = await app.fetch(
      new Request(`${ORIGIN}${path}`, { method, headers }),
      { ...env, DB: withoutReplicas(DB), ...bindings },
      context,
    )
    await waitOnExecutionContext(context)
    return response
  }
  return { request, statements, trips }
}

type ServedRoute = { method: string; path: string }

/** Every route that Hono serves, without middleware and the catch-all of pages. */
export function servedRoutes(): ServedRoute[] {
  const routes = new Map<string, ServedRoute>()
  for (const { method, path } of allRoutes.routes.flatMap((feature) => feature.routes))
    if (method !== 'ALL' && path !== '/*' && path !== '*') routes.set(`${method} ${path}`, { method, path })
  return [...routes.values()]
}

export const servedGetRoutes = () => servedRoutes().filter(({ method }) => method === 'GET')
export const servedWriteRoutes = () => servedRoutes().filter(({ method }) => method !== 'GET')

/** Replaces all path parameters by one value, or each by its own value, by `1` if it has none. */
export const fillPath = (path: string, values: string | Record<string, string> = '1') =>
  path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) => (typeof values === 'string' ? values : (values[name] ?? '1')))

/** A browser with a cookie jar. `address` is its IP address. */
export function newBrowser({ address = '203.0.113.7', ...defaults }: Options & { address?: string } = {}) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method: string, path: string, json?: unknown, { headers, ...options }: Options = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await send(method, path, json, {
        ...defaults,
        ...options,
        headers: { 'cf-connecting-ip': address, ...(cookie && { cookie }), ...headers },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}
export type Browser = ReturnType<typeof newBrowser>
