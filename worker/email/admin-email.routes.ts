import { type Context, Hono } from 'hono'
import { type AdminEmail, adminEmailApi, type EmailSuppression } from '../contract/email'
import type { AppEnv } from '../http/app-env'
import { parseListQuery, setNextLink } from '../http/pagination'
import { countEmailsByState, listEmails, resendEmail, resendFailedEmails, revealRecipient } from './admin-outbox'
import { liftSuppression, listSuppressions } from './admin-suppressions'
import { drainOutbox } from './outbox.middleware'

export const adminEmailRoutes = new Hono<AppEnv>()

const adminAction = async (c: Context<AppEnv>) => ({
  actorId: (await c.var.session.requireAdmin()).userId,
  at: c.var.now(),
})

adminEmailRoutes.get(adminEmailApi.list.path, async (c) => {
  const q = c.req.query('q') ?? null
  const { list, next } = await listEmails(c.env.DB, { q, cursor: c.req.query('cursor') ?? null })
  if (next !== null) {
    const query = new URLSearchParams([...(q === null ? [] : [['q', q]]), ['cursor', next]])
    c.header('link', `<${adminEmailApi.list.path}?${query}>; rel="next"`)
  }
  return c.json(list satisfies AdminEmail[])
})

adminEmailRoutes.get(adminEmailApi.counts.path, async (c) => c.json(await countEmailsByState(c.env.DB)))

adminEmailRoutes.post(adminEmailApi.reveal.path, async (c) =>
  c.json(await revealRecipient(c.env.DB, { id: c.req.param('id'), ...(await adminAction(c)) })),
)

adminEmailRoutes.post(adminEmailApi.resendFailed.path, async (c) => {
  const { mails, broadcasts } = await resendFailedEmails(c.env.DB, await adminAction(c))
  c.executionCtx.waitUntil(resumeSending(c, broadcasts))
  return c.json({ mails })
})

adminEmailRoutes.post(adminEmailApi.resend.path, async (c) => {
  const broadcasts = await resendEmail(c.env.DB, { id: c.req.param('id'), ...(await adminAction(c)) })
  c.executionCtx.waitUntil(resumeSending(c, broadcasts))
  return c.body(null, 204)
})

adminEmailRoutes.get(adminEmailApi.suppressions.path, async (c) => {
  const { list, next } = await listSuppressions(c.env.DB, parseListQuery(c).cursor)
  setNextLink(c, next)
  return c.json(list satisfies EmailSuppression[])
})

adminEmailRoutes.post(adminEmailApi.liftSuppression.path, async (c) => {
  await liftSuppression(c.env.DB, { id: c.req.param('id'), ...(await adminAction(c)) })
  return c.body(null, 204)
})

async function resumeSending(c: Context<AppEnv>, broadcasts: readonly string[]): Promise<void> {
  await drainOutbox(c)
  // One that the queue does not take is found by the sweep.
  for (const id of broadcasts) await c.env.BROADCASTS.send({ kind: 'broadcast', id }).catch(() => undefined)
}
