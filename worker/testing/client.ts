import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { createApp } from '../app'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import { rateLimitersFor } from './rate-limiters'

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
