import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { listenOnLoopback } from '../tools/ports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    turnstileUrl: string
  }
}

export const TURNSTILE_KEYS = { TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET_KEY: 'secret-key' }
const TOKEN_TTL_MS = 5 * 60_000

/** What `fault` in a token makes the verifier do. */
export type TurnstileFault =
  | 'hangs'
  | 'drops the connection'
  | 'responds with 500'
  | 'responds with no JSON'
  | 'responds with other JSON'
  | 'redirects'
  | 'has an internal error'
type SiteverifyBody = { secret?: string; response?: string; remoteip?: string }

/**
 * A local siteverify endpoint (developers.cloudflare.com/turnstile/get-started/server-side-validation). A token is a
 * query string: `action`, `hostname`, `id`, its `age` in ms, the `ip` it is bound to, and a `fault` to simulate.
 */
export async function startFakeTurnstile(): Promise<{
  url: string
  usedTokenIds: string[]
  close: () => Promise<void>
}> {
  const usedTokenIds: string[] = []
  const server = createServer(async (request, response) => {
    const { secret, response: token = '', remoteip } = (await json(request)) as SiteverifyBody
    const fields = new URLSearchParams(token)
    const reply = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const fail = (code: string) => reply({ success: false, 'error-codes': [code] })
    switch (fields.get('fault') as TurnstileFault | null) {
      case 'hangs':
        return
      case 'drops the connection':
        return request.socket.destroy()
      case 'responds with 500':
        return response.writeHead(500).end('<h1>Error</h1>')
      case 'responds with no JSON':
        return response.end('success')
      case 'responds with other JSON':
        return reply({ ok: 1 })
      case 'redirects':
        return response.writeHead(307, { location: '/elsewhere' }).end()
      case 'has an internal error':
        return fail('internal-error')
    }
    if (secret !== TURNSTILE_KEYS.TURNSTILE_SECRET_KEY) return fail('invalid-input-secret')
    const id = fields.get('id')
    const ip = fields.get('ip')
    if (!id || (ip && ip !== remoteip)) return fail('invalid-input-response')
    if (usedTokenIds.includes(id) || Number(fields.get('age')) > TOKEN_TTL_MS) return fail('timeout-or-duplicate')
    usedTokenIds.push(id)
    const { hostname, action } = Object.fromEntries(fields)
    return reply({ success: true, hostname, action, 'error-codes': [] })
  })
  const { url, close } = await listenOnLoopback(server)
  return { url: `${url}/siteverify`, usedTokenIds, close }
}

let workersProjectServer: Awaited<ReturnType<typeof startFakeTurnstile>> | undefined

/** Global setup and teardown of Vitest's workers project. */
export async function setup(project: TestProject): Promise<void> {
  workersProjectServer = await startFakeTurnstile()
  project.provide('turnstileUrl', workersProjectServer.url)
}
export const teardown = () => workersProjectServer?.close()
