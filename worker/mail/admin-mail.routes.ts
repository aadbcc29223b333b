import { type Context, Hono } from 'hono'
import { type AdminMail, adminMailApi, type MailStop } from '../contract/mail'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { mailCounts, mailPage, resend, resendFailed, revealMail } from './desk'
import { lift, stopsPage } from './desk-stops'
import { tellQueue } from './mail.middleware'

export const adminMailRoutes = new Hono<AppEnv>()

const actOf = async (c: Context<AppEnv>) => ({
  actorId: (await c.var.session.administrator()).userId,
  at: c.var.now(),
})

adminMailRoutes.get(adminMailApi.all.path, async (c) => {
  const q = c.req.query('q') ?? null
  const { list, next } = await mailPage(c.env.DB, { q, cursor: c.req.query('cursor') ?? null })
  if (next !== null) {
    const query = new URLSearchParams([...(q === null ? [] : [['q', q]]), ['cursor', next]])
    c.header('link', `<${adminMailApi.all.path}?${query}>; rel="next"`)
  }
  return c.json(list satisfies AdminMail[])
})

adminMailRoutes.get(adminMailApi.counts.path, async (c) => c.json(await mailCounts(c.env.DB)))

adminMailRoutes.post(adminMailApi.reveal.path, async (c) =>
  c.json(await revealMail(c.env.DB, { id: c.req.param('id'), ...(await actOf(c)) })),
)

adminMailRoutes.post(adminMailApi.resendFailed.path, async (c) => {
  const { mails, broadcasts } = await resendFailed(c.env.DB, await actOf(c))
  c.executionCtx.waitUntil(goOn(c, broadcasts))
  return c.json({ mails })
})

adminMailRoutes.post(adminMailApi.resend.path, async (c) => {
  const broadcasts = await resend(c.env.DB, { id: c.req.param('id'), ...(await actOf(c)) })
  c.executionCtx.waitUntil(goOn(c, broadcasts))
  return c.body(null, 204)
})

adminMailRoutes.get(adminMailApi.stops.path, async (c) => {
  const { list, next } = await stopsPage(c.env.DB, asked(c).cursor)
  leadOn(c, next)
  return c.json(list satisfies MailStop[])
})

adminMailRoutes.post(adminMailApi.lift.path, async (c) => {
  await lift(c.env.DB, { id: c.req.param('id'), ...(await actOf(c)) })
  return c.body(null, 204)
})

async function goOn(c: Context<AppEnv>, broadcasts: readonly string[]): Promise<void> {
  await tellQueue(c)
  // One that the queue does not take is found by the sweep.
  for (const id of broadcasts) await c.env.BROADCASTS.send({ kind: 'broadcast', id }).catch(() => undefined)
}
