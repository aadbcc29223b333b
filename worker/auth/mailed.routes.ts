import { Hono } from 'hono'
import { authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { tellQueue } from '../mail/mail.middleware'
import { knownDevice, rememberDevice } from './device'
import { houseOf } from './enter'
import { mailReset, mailVerification, resetPassword, verifyEmail } from './mailed-links'

export const mailedRoutes = new Hono<AppEnv>()

mailedRoutes.post(authApi.forgot.path, limited('LIMIT_MAIL'), body(authApi.forgot), (c) => {
  const { email } = c.req.valid('json')
  // After the answer, so that its time does not tell a known address from an unknown one.
  c.executionCtx.waitUntil(
    mailReset(houseOf(c), { email, knownDevice: (userId) => knownDevice(c, userId) }, c.var.now()).then(
      () => tellQueue(c),
      (error: Error) => console.error(JSON.stringify({ at: 'reset-mail', id: c.var.requestId, name: error.name })),
    ),
  )
  return c.body(null, 202)
})

mailedRoutes.post(authApi.reset.path, limited('LIMIT_AUTH'), body(authApi.reset), async (c) => {
  const userId = await resetPassword(houseOf(c), { ...c.req.valid('json'), network: visitorAddress(c) }, c.var.now())
  // Who can read the mailbox is the owner: from here on this browser has tries of its own.
  await rememberDevice(c, userId)
  return c.body(null, 204)
})

mailedRoutes.post(authApi.verify.path, limited('LIMIT_AUTH'), body(authApi.verify), async (c) => {
  await verifyEmail(houseOf(c), c.req.valid('json').token, c.var.now())
  return c.json({ verified: true } as const)
})

mailedRoutes.post(authApi.resend.path, limited('LIMIT_MAIL'), async (c) => {
  const { userId } = await c.var.session.supporter()
  await mailVerification(houseOf(c), userId, c.var.now())
  return c.body(null, 202)
})
