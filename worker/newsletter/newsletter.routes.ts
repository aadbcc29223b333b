import { Hono } from 'hono'
import { newsletterApi } from '../contract/newsletter'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { subscribe } from './newsletter'

export const newsletterRoutes = new Hono<AppEnv>()

newsletterRoutes.post(newsletterApi.subscribe.path, limited('LIMIT_MAIL'), body(newsletterApi.subscribe), async (c) =>
  c.json(
    await subscribe(c.var.db, {
      email: c.req.valid('json').email,
      at: c.var.now(),
      claim: await c.var.session.reader(),
    }),
  ),
)
