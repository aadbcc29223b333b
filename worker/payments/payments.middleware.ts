import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/site-origin'
import { Refused } from '../lib/refused'
import { type Opened, openPayments } from './open'

/** The payments that this deployment is set up for, for one request. */
export const paymentsOf = (c: Context<AppEnv>): Opened | null =>
  openPayments({ config: c.var.config, db: c.var.db, now: c.var.now, origin: siteOrigin(c) })

/** The same where nothing goes without. @throws Refused `payments_off`. */
export function mustHavePayments(c: Context<AppEnv>): Opened {
  const opened = paymentsOf(c)
  if (!opened) throw new Refused('payments_off', 'Card payment is not set up on this site yet.')
  return opened
}
