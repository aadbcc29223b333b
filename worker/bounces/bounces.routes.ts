import { Hono } from 'hono'
import { mailApi } from '../contract/mail'
import type { AppEnv } from '../http/app-env'
import { takeIn } from './bounces'

export const bouncesRoutes = new Hono<AppEnv>()

bouncesRoutes.post(mailApi.resendWebhook.path, async (c) => {
  const { signingSecret: secret, mail } = c.var.config
  const house = { db: c.env.DB, secret, webhookSecret: mail.resendWebhookSecret, from: mail.from }
  const signed = {
    id: c.req.header('svix-id') ?? '',
    timestamp: c.req.header('svix-timestamp') ?? '',
    signature: c.req.header('svix-signature') ?? '',
  }
  await takeIn(house, { payload: await c.req.text(), signed }, c.var.now())
  return c.body(null, 200)
})
