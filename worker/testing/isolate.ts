import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { createApp } from '../app'
import type { Env } from '../env'
import type { Millis } from '../lib/clock'
import { ORIGIN, withoutReplicas } from './client'
import { spyOnD1 } from './d1-spy'
import { NOON } from './seed'

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
