import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env'
import { logError } from '../lib/log'
import { preparedEmailCount } from './outbox'
import { enqueuePendingEmails } from './queue'

/** Sends queue messages for new emails. If that fails, the five-minute job does so minutes later. */
export function drainOutbox(c: Context<AppEnv>): Promise<void> {
  return enqueuePendingEmails(c.var.db, c.env.MAIL, c.var.now()).catch((error: unknown) =>
    logError('email-queue', error, { id: c.var.requestId }),
  )
}

/** Drains the outbox after a request that prepared an email. Concurrent requests may both do so, which is harmless. */
export const drainOutboxAfterResponse = createMiddleware<AppEnv>(async (c, next) => {
  const before = preparedEmailCount()
  await next()
  if (preparedEmailCount() !== before) c.executionCtx.waitUntil(drainOutbox(c))
})
