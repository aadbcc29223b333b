import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ConfigError } from '../config'
import type { ErrorCode } from '../contract/errors'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'

/** The one place where something thrown becomes a response: a sentence, a code, and never a detail of ours. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  const refusal = asRefusal(error)
  if (refusal) {
    if (refusal.code === 'rate_limited') c.header('retry-after', '60')
    return answer(refusal)
  }
  const config = error instanceof ConfigError
  console.error(
    JSON.stringify({
      at: 'unhandled',
      id: c.var.requestId,
      name: error.name,
      message: config ? error.message : innermost(error),
    }),
  )
  return config
    ? answer(new Refused('unavailable', 'This site is not set up yet. Please try again later.'))
    : answer(new Refused('internal', `Something went wrong on our side. Please try again. (${c.var.requestId})`))

  function answer({ message, status, code }: Refused) {
    return c.text(message, status, { 'x-error-code': code, 'cache-control': 'private, no-store' })
  }
}

function asRefusal(error: Error): Refused | null {
  if (error instanceof Refused) return error
  if (error instanceof HTTPException) {
    const code: ErrorCode = error.status === 413 ? 'too_large' : error.status < 500 ? 'bad_json' : 'internal'
    if (code === 'bad_json') return new Refused(code, 'That request could not be read. Please check it and try again.')
    if (code === 'too_large') return new Refused(code, 'That is too large to send.')
  }
  return null
}

// Drizzle's message holds SQL and its parameters; the cause holds only what the database said.
function innermost(error: Error): string {
  return error.cause instanceof Error
    ? innermost(error.cause)
    : error.name === 'DrizzleQueryError'
      ? 'query failed'
      : error.message
}
