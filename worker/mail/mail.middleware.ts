import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env'
import { postsSoFar } from './outbox'
import { queueMail } from './sweep'

/** Tells the queue behind the answer; when that fails, the sweep finds the mail some minutes later. */
export function tellQueue(c: Context<AppEnv>): Promise<void> {
  return queueMail(c.env.DB, c.env.MAIL, c.var.now()).catch((error: Error) =>
    console.error(JSON.stringify({ at: 'mail-queue', id: c.var.requestId, error: error.name })),
  )
}

/**
 * Tells the queue after a request that put mail into the outbox, so that no act can forget to. Whether one did is seen
 * by the count of prepared mails; requests side by side may both tell it, which is one message too many and harmless.
 */
export const mailAfterAnswer = createMiddleware<AppEnv>(async (c, next) => {
  const before = postsSoFar()
  await next()
  if (postsSoFar() !== before) c.executionCtx.waitUntil(tellQueue(c))
})
