import { Hono } from 'hono'
import { mailApi } from '../contract/mail'
import type { AppEnv } from '../http/app-env'
import { Refused } from '../lib/refused'
import { newestMails } from './outbox'

export const mailRoutes = new Hono<AppEnv>()

// Other people's mail: in production there is no such call.
mailRoutes.get(mailApi.demoOutbox.path, async (c) => {
  if (!c.var.config.demo) throw new Refused('not_found', 'There is nothing at this address.')
  return c.json(await newestMails(c.env.DB))
})
