import { type Context, Hono } from 'hono'
import { adminEmailApi } from '../contract/email'
import { readList } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { emailList, suppressionList } from './admin-list'
import { countEmailsByState, resendEmail, resendFailedEmails, revealRecipient } from './admin-outbox'
import { drainOutbox } from './outbox.middleware'
import { liftSuppression } from './suppressions'

export const adminEmailRoutes = new Hono<AppEnv>()

adminEmailRoutes.get(adminEmailApi.list.path, async (c) =>
  sendPage(c, await readList(c.var.db, emailList, parseListQuery(c))),
)

adminEmailRoutes.get(adminEmailApi.counts.path, async (c) => c.json(await countEmailsByState(c.var.db)))

adminEmailRoutes.post(adminEmailApi.reveal.path, async (c) =>
  c.json(await revealRecipient(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })),
)

adminEmailRoutes.post(adminEmailApi.resendFailed.path, async (c) => {
  const { mails, broadcasts } = await resendFailedEmails(c.var.db, await actorOf(c))
  c.executionCtx.waitUntil(resumeSending(c, broadcasts))
  return c.json({ mails })
})

adminEmailRoutes.post(adminEmailApi.resend.path, async (c) => {
  const broadcasts = await resendEmail(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  c.executionCtx.waitUntil(resumeSending(c, broadcasts))
  return c.body(null, 204)
})

adminEmailRoutes.get(adminEmailApi.suppressions.path, async (c) =>
  sendPage(c, await readList(c.var.db, suppressionList, parseListQuery(c))),
)

adminEmailRoutes.post(adminEmailApi.liftSuppression.path, async (c) => {
  await liftSuppression(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

async function resumeSending(c: Context<AppEnv>, broadcasts: readonly string[]): Promise<void> {
  await drainOutbox(c)
  // If a message fails, the five-minute job resumes the broadcast.
  for (const id of broadcasts) await c.env.BROADCASTS.send({ kind: 'broadcast', id }).catch(() => undefined)
}
