import { type Context, Hono } from 'hono'
import { clearCookie, SESSION_COOKIE } from '../auth/cookies'
import { cancelEmailChange } from '../auth/email-change'
import { invalidLinkError } from '../auth/email-links'
import { type ReauthenticationInput, reauthenticate } from '../auth/reauthentication'
import { findUnconfirmedUserId } from '../auth/verify-email'
import { accountApi, authApi } from '../contract/auth'
import {
  type AddressErasure,
  type AddressExport,
  type AddressLookup,
  type Inquiry,
  type InquiryRecord,
  type JobRun,
  privacyApi,
} from '../contract/privacy'
import { readRecords } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { listLastRuns } from '../jobs/job-runs'
import { lastOwnerError } from '../users/last-owner'
import { countAddressData, emailAddressFile, type InquiryAction, readAddressFile } from './address-data'
import { inquiryList } from './admin-list'
import { exportUserData } from './data-export'
import { dataExportPage } from './data-export-page'
import { eraseAddress } from './erase-address'
import { eraseUser } from './erase-user'
import { answerInquiry, confirmInquiry, createInquiry } from './inquiries'
import { readInquiryPage } from './inquiry-page'

export const gdprRoutes = new Hono<AppEnv>()

gdprRoutes.get(accountApi.export.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const deps = depsOf(c)
  const data = await exportUserData(deps, userId, c.var.now())
  if (c.req.query('format') === 'html') {
    c.header('content-disposition', 'attachment; filename="my-data.html"')
    return c.html(dataExportPage(data, new URL(deps.origin).host))
  }
  c.header('content-disposition', 'attachment; filename="my-data.json"')
  return c.json(data)
})

gdprRoutes.delete(accountApi.erase.path, rateLimit('LIMIT_AUTH'), validateBody(accountApi.erase), async (c) => {
  const caller = await c.var.session.requireSupporter()
  const input = c.req.valid('json')
  // After recent authentication an empty body suffices; API clients can re-authenticate in the same request.
  if (Object.keys(input).length > 0)
    await reauthenticate(depsOf(c), caller, input as ReauthenticationInput, c.var.now())
  const isErased = await eraseUser(depsOf(c), { userId: caller.userId, byUserRequest: true }, c.var.now())
  if (!isErased) throw lastOwnerError('You are')
  // The raised epoch has ended all sessions; the KV entries of other browsers expire.
  const session = await c.var.session.payload()
  if (session) await c.env.SESSIONS.delete(session.key).catch(() => undefined)
  clearCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})

gdprRoutes.post(authApi.notMe.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.notMe), async (c) => {
  const { token } = c.req.valid('json')
  if (await cancelEmailChange(depsOf(c), token)) return c.body(null, 204)
  const userId = await findUnconfirmedUserId(depsOf(c), token, c.var.now())
  const input = { userId, byUserRequest: true, onlyUnconfirmed: true }
  if (!(await eraseUser(depsOf(c), input, c.var.now()))) throw invalidLinkError()
  return c.body(null, 204)
})

gdprRoutes.post(
  privacyApi.createInquiry.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(privacyApi.createInquiry),
  async (c) => {
    const userId = (await c.var.session.userIfAvailable())?.userId ?? null
    const caller = { userId, network: clientNetwork48(c), at: c.var.now() }
    await createInquiry(depsOf(c), { ...c.req.valid('json'), ...caller })
    return c.body(null, 202)
  },
)

gdprRoutes.post(privacyApi.confirm.path, rateLimit('LIMIT_AUTH'), validateBody(privacyApi.confirm), async (c) => {
  await confirmInquiry(depsOf(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
})

gdprRoutes.get(privacyApi.inquiries.path, async (c) =>
  sendPage(c, await readRecords(c.var.db, inquiryList(c.var.now()), parseListQuery(c))),
)

gdprRoutes.get(privacyApi.inquiry.path, async (c) =>
  c.json((await readInquiryPage(c.var.db, c.req.param('id'))) satisfies InquiryRecord),
)

gdprRoutes.post(privacyApi.answer.path, validateBody(privacyApi.answer), async (c) => {
  const input = { ...(await inquiryAction(c, c.req.param('id'))), ...c.req.valid('json') }
  return c.json((await answerInquiry(depsOf(c), input)) satisfies Inquiry)
})

gdprRoutes.get(privacyApi.lookUpAddress.path, async (c) =>
  c.json((await countAddressData(c.var.db, c.req.param('id'), c.var.now())) satisfies AddressLookup),
)

gdprRoutes.post(privacyApi.exportAddress.path, async (c) => {
  const action = await inquiryAction(c, c.req.param('id'))
  return c.json((await readAddressFile(depsOf(c), action)) satisfies AddressExport)
})

gdprRoutes.post(privacyApi.sendAddressExport.path, async (c) => {
  await emailAddressFile(depsOf(c), await inquiryAction(c, c.req.param('id')))
  return c.body(null, 202)
})

gdprRoutes.post(privacyApi.eraseAddress.path, validateBody(privacyApi.eraseAddress), async (c) => {
  const input = { ...(await inquiryAction(c, c.req.param('id'))), ...c.req.valid('json') }
  return c.json((await eraseAddress(depsOf(c), input)) satisfies AddressErasure)
})

gdprRoutes.get(privacyApi.jobs.path, async (c) => c.json((await listLastRuns(c.var.db)) satisfies JobRun[]))

/** An inquiry, the administrator who acts on it, and the current time. */
async function inquiryAction(c: Context<AppEnv>, id: string): Promise<InquiryAction> {
  return { id, ...(await actorOf(c)) }
}
