import { Hono } from 'hono'
import { mailApi } from '../contract/mail'
import type { AppEnv } from '../http/app-env'
import { notServed } from '../http/not-found'
import { newestMails } from './outbox'

export const mailRoutes = new Hono<AppEnv>()

// Other people's mail: this call is not there at all in production.
mailRoutes.get(mailApi.demoOutbox.path, async (c) =>
  c.var.config.demo ? c.json(await newestMails(c.env.DB)) : notServed(c),
)
