import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { newApp } from '../app'
import type { Env } from '../config'
import type { Millis } from '../lib/clock'
import { alone, ORIGIN } from './client'
import { NOON } from './furnish'
import { watchedD1 } from './watched-d1'

/** One isolate: its app lives through many requests, at whatever time they come. `asked` are its statements, in order. */
export function isolate() {
  let now: Millis = NOON
  const app = newApp(() => now)
  const asked: string[] = []
  const { DB, trips } = watchedD1(env.DB, { prepared: (sql) => void asked.push(sql) })
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    at = NOON,
    method = 'GET',
    more: Partial<Env> = {},
  ) => {
    now = at
    const context = createExecutionContext()
    const answer = await app.fetch(
      new Request(`${ORIGIN}${path}`, { method, headers }),
      { ...env, DB: alone(DB), ...more },
      context,
    )
    await waitOnExecutionContext(context)
    return answer
  }
  return { ask, asked, trips }
}
