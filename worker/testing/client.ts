import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { newApp } from '../app'
import type { Env } from '../config'
import type { Millis } from '../lib/clock'

export const ORIGIN = 'https://fan.example'

type Options = {
  /** The clock of the request. */
  at?: Millis
  headers?: Record<string, string>
  /** Bindings to replace, e.g. with ones that fail. */
  env?: Partial<Env>
  /** An app that remembers what it was asked before, as an isolate does; a new one unless given. `at` is then its own. */
  app?: ReturnType<typeof newApp>
  /** A body that is not JSON of ours, sent as it is. */
  raw?: BodyInit
}

/** Sends one request to the whole app, as a browser on the site's own pages would. */
export async function send(
  method: string,
  path: string,
  json?: unknown,
  { at, headers, env: replaced, raw, app = newApp(at === undefined ? undefined : () => at) }: Options = {},
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
  const answer = await app.fetch(request, { ...env, ...replaced }, context)
  await waitOnExecutionContext(context)
  return answer
}

/** A read, parsed. */
export async function read<T>(path: string, options?: Options): Promise<T> {
  return (await send('GET', path, undefined, options)).json()
}

/** What a refusal says: `[status, code, sentence]`. */
export async function refusal(answer: Response): Promise<[number, string | null, string]> {
  return [answer.status, answer.headers.get('x-error-code'), await answer.text()]
}
