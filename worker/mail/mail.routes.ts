import { type Context, Hono } from 'hono'
import { type DemoMail, mailApi } from '../contract/mail'
import type { AppEnv } from '../http/app-env'
import { listHouse } from '../http/house'
import { Refused } from '../lib/refused'
import { letterPage, newestMails } from './mailbox'

export const mailRoutes = new Hono<AppEnv>()

/** Other people's mail: in production there are no such calls. */
function demoHouse(c: Context<AppEnv>) {
  if (!c.var.config.demo) throw new Refused('not_found', 'There is nothing at this address.')
  return { ...listHouse(c), db: c.env.DB }
}

mailRoutes.get(mailApi.demoOutbox.path, async (c) => c.json((await newestMails(demoHouse(c))) satisfies DemoMail[]))

/**
 * A frame of our own page may show it, and nothing in it may run or fetch: its styles are its own, its links are
 * followed by a press alone.
 */
const FRAMED = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

mailRoutes.get(mailApi.demoLetter.path, async (c) => {
  const page = await letterPage(demoHouse(c), c.req.param('id'))
  c.header('content-security-policy', FRAMED)
  c.header('x-frame-options', 'SAMEORIGIN')
  c.header('referrer-policy', 'no-referrer')
  return c.html(page)
})
