import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env'
import { enqueuePendingEmails } from './drain-outbox'
import { preparedEmailCount } from './outbox'

/** Tells the queue behind the answer; when that fails, the sweep finds the mail some minutes later. */
export function drainOutbox(c: Context<AppEnv>): Promise<void> {
  return enqueuePendingEmails(c.env.DB, c.env.MAIL, c.var.now()).catch((error: Error) =>
    console.error(JSON.stringify({ at: 'mail-queue', id: c.var.requestId, error: error.name })),
  )
}

/**
 * Tells the queue after a request that put mail into the outbox, so that no act can forget to. Whether one did is seen
 * by the count of prepared mails; requests side by side may both tell it, which is one message too many and harmless.
 */
export const drainOutboxAfterResponse = createMiddleware<AppEnv>(async (c, next) => {
  const before = preparedEmailCount()
  await next()
  if (preparedEmailCount() !== before) c.executionCtx.waitUntil(drainOutbox(c))
})
