import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { createApp } from '../app'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import { NOON } from './seed'
import { spyOnD1 } from './stores'

/** Set by setup.ts for each test file. */
const testRun = globalThis as { testFile?: string }

export const ORIGIN = 'https://fan.example'

type Options = {
  /** The clock of the request. */
  at?: Millis
  headers?: Record<string, string>
  /** Bindings to replace, e.g. with ones that fail. A database among them has no copies: every read asks it. */
  env?: Partial<Env>
  /** A database of several copies to ask instead. */
  replicated?: D1Database
  /** An app that remembers what it was asked before, as an isolate does; a new one unless given. `at` is then its own. */
  app?: ReturnType<typeof createApp>
  /** A body that is not JSON of ours, sent as it is. */
  raw?: BodyInit
}

/** Sends one request to the whole app, as a browser on the site's own pages would. */
export async function send(
  method: string,
  path: string,
  json?: unknown,
  {
    at,
    headers,
    env: replaced,
    replicated: copies,
    raw,
    app = createApp(at === undefined ? undefined : () => at),
  }: Options = {},
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
  const DB = copies ?? (replaced?.DB ? withoutReplicas(replaced.DB) : env.DB)
  const response = await app.fetch(request, { ...env, ...rateLimitersFor(env), ...replaced, DB }, context)
  await waitOnExecutionContext(context)
  return response
}

const RATE_LIMITERS = ['LIMIT_WRITES', 'LIMIT_MAIL', 'LIMIT_AUTH'] as const

/** Test files share the runtime's rate limiters and repeat user ids: prefix keys with the id of the file (setup.ts). */
const rateLimitersFor = (env: Env): Pick<Env, (typeof RATE_LIMITERS)[number]> =>
  Object.fromEntries(
    RATE_LIMITERS.map((name) => [
      name,
      { limit: ({ key }: RateLimitOptions) => env[name].limit({ key: `${testRun.testFile} ${key}` }) },
    ]),
  ) as never

/** A stand-in for the database that is asked whatever copy would do. */
export const withoutReplicas = (d1: D1Database) => {
  const session = { prepare: d1.prepare.bind(d1), batch: d1.batch.bind(d1), getBookmark: () => null }
  return new Proxy(d1, {
    get: (target, name) => (name === 'withSession' ? () => session : Reflect.get(target, name)),
  })
}

/** A read, parsed. */
export async function getJson<T>(path: string, options?: Options): Promise<T> {
  return (await send('GET', path, undefined, options)).json()
}

/** What a refusal says: `[status, code, sentence]`. */
export async function errorOf(response: Response): Promise<[number, string | null, string]> {
  return [response.status, response.headers.get('x-error-code'), await response.text()]
}

/** One isolate: its app lives through many requests, at whatever time they come. `asked` are its statements, in order. */
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
    more: Partial<Env> = {},
  ) => {
    now = at
    const context = createExecutionContext()
    const response = await app.fetch(
      new Request(`${ORIGIN}${path}`, { method, headers }),
      { ...env, DB: withoutReplicas(DB), ...more },
      context,
    )
    await waitOnExecutionContext(context)
    return response
  }
  return { request, statements, trips }
}

export type ServedRoute = { method: string; path: string }

/**
 * Every route of the app as Hono holds it: `{ method: 'GET', path: '/api/tracks/:id/audio' }`. Middleware (ALL) and
 * the pages' catch-all are left out. Tests over all routes are generated from this, so that a new one joins by itself.
 */
export function servedRoutes(): ServedRoute[] {
  const seen = new Map<string, ServedRoute>()
  for (const { method, path } of createApp().routes)
    if (method !== 'ALL' && path !== '/*' && path !== '*') seen.set(`${method} ${path}`, { method, path })
  return [...seen.values()]
}

export const readRoutes = () => servedRoutes().filter(({ method }) => method === 'GET')
export const writeRoutes = () => servedRoutes().filter(({ method }) => method !== 'GET')

/** A route's path with its parameters replaced, each by its own name's value or all by one. */
export const fillPath = (path: string, values: string | Record<string, string> = '1') =>
  path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) => (typeof values === 'string' ? values : (values[name] ?? '1')))

type BrowserOptions = NonNullable<Parameters<typeof send>[3]>

/** A browser with a cookie jar and an address of its own: keeps what answers set, and sends it along. */
export function newBrowser({ address = '203.0.113.7', ...always }: BrowserOptions & { address?: string } = {}) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method: string, path: string, json?: unknown, { headers, ...options }: BrowserOptions = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await send(method, path, json, {
        ...always,
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
