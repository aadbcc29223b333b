import { type Context, Hono } from 'hono'
import { type DemoEmail, emailApi } from '../contract/email'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { AppError } from '../lib/app-error'
import { emailPage, newestEmails } from './demo-mailbox'

export const demoMailboxRoutes = new Hono<AppEnv>()

/** Other people's mail: in production there are no such calls. */
function demoDeps(c: Context<AppEnv>) {
  if (!c.var.config.demo) throw new AppError('not_found', 'There is nothing at this address.')
  return { ...depsOf(c), db: c.env.DB }
}

demoMailboxRoutes.get(emailApi.demoOutbox.path, async (c) =>
  c.json((await newestEmails(demoDeps(c))) satisfies DemoEmail[]),
)

/**
 * A frame of our own page may show it, and nothing in it may run or fetch: its styles are its own, its links are
 * followed by a press alone.
 */
const FRAMED_EMAIL_CSP = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

demoMailboxRoutes.get(emailApi.demoEmailHtml.path, async (c) => {
  const page = await emailPage(demoDeps(c), c.req.param('id'))
  c.header('content-security-policy', FRAMED_EMAIL_CSP)
  c.header('x-frame-options', 'SAMEORIGIN')
  c.header('referrer-policy', 'no-referrer')
  return c.html(page)
})
