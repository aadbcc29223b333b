import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { AppError } from '../lib/app-error'
import { createPayments, type PaymentServices } from './payments'

/** The payment services for this request; null if this deployment takes no payments. */
export const getPayments = (c: Context<AppEnv>): PaymentServices | null =>
  createPayments({ config: c.var.config, db: c.var.db, now: c.var.now, origin: siteOrigin(c) })

/** The payment services for this request. @throws AppError `payments_off`. */
export function requirePayments(c: Context<AppEnv>): PaymentServices {
  const services = getPayments(c)
  if (!services) throw new AppError('payments_off', 'Card payment is not set up on this site yet.')
  return services
}
