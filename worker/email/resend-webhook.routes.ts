import { Hono } from 'hono'
import { emailApi } from '../contract/email'
import type { AppEnv } from '../http/app-env'
import { handleResendWebhook } from './resend-webhook'

export const resendWebhookRoutes = new Hono<AppEnv>()

resendWebhookRoutes.post(emailApi.resendWebhook.path, async (c) => {
  const { signingSecret: secret, mail } = c.var.config
  const deps = { db: c.env.DB, secret, webhookSecret: mail.resendWebhookSecret, from: mail.from }
  const signed = {
    id: c.req.header('svix-id') ?? '',
    timestamp: c.req.header('svix-timestamp') ?? '',
    signature: c.req.header('svix-signature') ?? '',
  }
  await handleResendWebhook(deps, { payload: await c.req.text(), signed }, c.var.now())
  return c.body(null, 200)
})
