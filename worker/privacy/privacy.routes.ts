import { type Context, Hono } from 'hono'
import { type Inquiry, type JobRun, privacyApi } from '../contract/privacy'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { answerInquiry, ask, type House, inquiries } from './inquiries'
import { lastRuns } from './job-runs'

export const privacyRoutes = new Hono<AppEnv>()

privacyRoutes.post(privacyApi.ask.path, limited('LIMIT_MAIL'), body(privacyApi.ask), async (c) => {
  await ask(houseOf(c), { ...c.req.valid('json'), at: c.var.now() })
  return c.body(null, 202)
})

privacyRoutes.get(privacyApi.inquiries.path, async (c) => {
  const { rows, next } = await inquiries(c.env.DB, c.req.query('cursor') ?? null)
  if (next !== null) c.header('link', `<${privacyApi.inquiries.path}?cursor=${next}>; rel="next"`)
  return c.json(rows satisfies Inquiry[])
})

privacyRoutes.post(privacyApi.answer.path, body(privacyApi.answer), async (c) => {
  const { userId } = await c.var.session.administrator()
  const act = { id: c.req.param('id'), actorId: userId, at: c.var.now(), ...c.req.valid('json') }
  return c.json((await answerInquiry(houseOf(c), act)) satisfies Inquiry)
})

privacyRoutes.get(privacyApi.jobs.path, async (c) => c.json((await lastRuns(c.env.DB)) satisfies JobRun[]))

const houseOf = (c: Context<AppEnv>): House => ({
  db: c.env.DB,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})
