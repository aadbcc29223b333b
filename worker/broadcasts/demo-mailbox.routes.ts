import { type Context, Hono } from 'hono'
import { type DemoEmail, emailApi } from '../contract/email'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { AppError } from '../lib/app-error'
import { listNewestEmails, renderEmailPage } from './demo-mailbox'

export const demoMailboxRoutes = new Hono<AppEnv>()

/** The mailbox shows everyone's email, so it exists in the demo only. @throws AppError `not_found` elsewhere. */
function requireDemoDeps(c: Context<AppEnv>) {
  if (!c.var.config.isDemo) throw new AppError('not_found', 'This page does not exist.')
  return depsOf(c)
}

demoMailboxRoutes.get(emailApi.demoOutbox.path, async (c) =>
  c.json((await listNewestEmails(requireDemoDeps(c))) satisfies DemoEmail[]),
)

/** Only the site's own pages can frame an email. In it no script runs, only images load, and links need a click. */
const FRAMED_EMAIL_CSP = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

demoMailboxRoutes.get(emailApi.demoEmailHtml.path, async (c) => {
  const page = await renderEmailPage(requireDemoDeps(c), c.req.param('id'))
  c.header('content-security-policy', FRAMED_EMAIL_CSP)
  c.header('x-frame-options', 'SAMEORIGIN')
  c.header('referrer-policy', 'no-referrer')
  return c.html(page)
})
