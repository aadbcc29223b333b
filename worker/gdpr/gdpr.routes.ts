import { type Context, Hono } from 'hono'
import { requireRecentAuthentication } from '../auth/reauthentication'
import {
  type AddressErasure,
  type AddressExport,
  type AddressLookup,
  type Inquiry,
  type JobRun,
  privacyApi,
} from '../contract/privacy'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { listLastRuns } from '../jobs/job-runs'
import { countAddressData, emailAddressFile, readAddressFile } from './address-data'
import { eraseAddress } from './erase-address'
import { answerInquiry, confirmInquiry, createInquiry, type InquiryDeps, listInquiries } from './inquiries'

export const gdprRoutes = new Hono<AppEnv>()

gdprRoutes.post(
  privacyApi.createInquiry.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(privacyApi.createInquiry),
  async (c) => {
    await createInquiry(inquiryDeps(c), { ...c.req.valid('json'), at: c.var.now() })
    return c.body(null, 202)
  },
)

gdprRoutes.post(privacyApi.confirm.path, rateLimit('LIMIT_AUTH'), validateBody(privacyApi.confirm), async (c) => {
  await confirmInquiry(inquiryDeps(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
})

gdprRoutes.get(privacyApi.inquiries.path, async (c) => {
  const { rows, next } = await listInquiries(c.env.DB, c.req.query('cursor') ?? null)
  if (next !== null) c.header('link', `<${privacyApi.inquiries.path}?cursor=${next}>; rel="next"`)
  return c.json(rows satisfies Inquiry[])
})

gdprRoutes.post(privacyApi.answer.path, validateBody(privacyApi.answer), async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  const input = { id: c.req.param('id'), actorId: userId, at: c.var.now(), ...c.req.valid('json') }
  return c.json((await answerInquiry(inquiryDeps(c), input)) satisfies Inquiry)
})

gdprRoutes.get(privacyApi.lookUpAddress.path, async (c) =>
  c.json((await countAddressData(c.env.DB, c.req.param('id'), c.var.now())) satisfies AddressLookup),
)

gdprRoutes.post(privacyApi.exportAddress.path, async (c) =>
  c.json(
    (await readAddressFile(inquiryDeps(c), await reauthenticatedAction(c, c.req.param('id')))) satisfies AddressExport,
  ),
)

gdprRoutes.post(privacyApi.emailAddressExport.path, async (c) => {
  await emailAddressFile(inquiryDeps(c), await reauthenticatedAction(c, c.req.param('id')))
  return c.body(null, 202)
})

gdprRoutes.post(privacyApi.eraseAddress.path, validateBody(privacyApi.eraseAddress), async (c) => {
  const input = { ...(await reauthenticatedAction(c, c.req.param('id'))), ...c.req.valid('json') }
  return c.json((await eraseAddress(inquiryDeps(c), input)) satisfies AddressErasure)
})

gdprRoutes.get(privacyApi.jobs.path, async (c) => c.json((await listLastRuns(c.env.DB)) satisfies JobRun[]))

const inquiryDeps = (c: Context<AppEnv>): InquiryDeps => ({
  db: c.env.DB,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})

/** What is known of somebody is read and erased by who has just shown who they are. */
async function reauthenticatedAction(c: Context<AppEnv>, id: string) {
  const { userId, session: claim } = await c.var.session.requireAdmin()
  requireRecentAuthentication(claim, c.var.now())
  return { id, actorId: userId, at: c.var.now() }
}
