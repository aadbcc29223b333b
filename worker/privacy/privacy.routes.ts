import { type Context, Hono } from 'hono'
import { requireProof } from '../auth/proof'
import {
  type AddressFile,
  type ErasedAddress,
  type HeldByAddress,
  type Inquiry,
  type JobRun,
  privacyApi,
} from '../contract/privacy'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { addressFile, held, mailAddressFile } from './addresses'
import { eraseAddress } from './erase-address'
import { answerInquiry, ask, confirmInquiry, type House, inquiries } from './inquiries'
import { lastRuns } from './job-runs'

export const privacyRoutes = new Hono<AppEnv>()

privacyRoutes.post(privacyApi.ask.path, limited('LIMIT_MAIL'), body(privacyApi.ask), async (c) => {
  await ask(houseOf(c), { ...c.req.valid('json'), at: c.var.now() })
  return c.body(null, 202)
})

privacyRoutes.post(privacyApi.confirm.path, limited('LIMIT_AUTH'), body(privacyApi.confirm), async (c) => {
  await confirmInquiry(houseOf(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
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

privacyRoutes.get(privacyApi.held.path, async (c) =>
  c.json((await held(c.env.DB, c.req.param('id'), c.var.now())) satisfies HeldByAddress),
)

privacyRoutes.post(privacyApi.file.path, async (c) =>
  c.json((await addressFile(houseOf(c), await provenAct(c, c.req.param('id')))) satisfies AddressFile),
)

privacyRoutes.post(privacyApi.mailFile.path, async (c) => {
  await mailAddressFile(houseOf(c), await provenAct(c, c.req.param('id')))
  return c.body(null, 202)
})

privacyRoutes.post(privacyApi.eraseAddress.path, body(privacyApi.eraseAddress), async (c) => {
  const act = { ...(await provenAct(c, c.req.param('id'))), ...c.req.valid('json') }
  return c.json((await eraseAddress(houseOf(c), act)) satisfies ErasedAddress)
})

privacyRoutes.get(privacyApi.jobs.path, async (c) => c.json((await lastRuns(c.env.DB)) satisfies JobRun[]))

const houseOf = (c: Context<AppEnv>): House => ({
  db: c.env.DB,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})

/** What is known of somebody is read and erased by who has just shown who they are. */
async function provenAct(c: Context<AppEnv>, id: string) {
  const { userId, claim } = await c.var.session.administrator()
  requireProof(claim, c.var.now())
  return { id, actorId: userId, at: c.var.now() }
}
