import { Hono } from 'hono'
import { authApi } from '../contract/auth'
import { drainOutbox } from '../email/outbox.middleware'
import type { AppEnv } from '../http/app-env'
import { depsWithD1 } from '../http/deps'
import { clientIp, rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { findKnownDevice, rememberDevice } from './device'
import { resetPassword, sendPasswordResetEmail, sendVerificationEmail, verifyEmail } from './email-links'

export const emailLinksRoutes = new Hono<AppEnv>()

emailLinksRoutes.post(authApi.forgot.path, rateLimit('LIMIT_MAIL'), validateBody(authApi.forgot), (c) => {
  const { email } = c.req.valid('json')
  // After the answer, so that its time does not tell a known address from an unknown one.
  c.executionCtx.waitUntil(
    sendPasswordResetEmail(
      depsWithD1(c),
      { email, knownDevice: (userId) => findKnownDevice(c, userId) },
      c.var.now(),
    ).then(
      () => drainOutbox(c),
      (error: Error) => console.error(JSON.stringify({ at: 'reset-mail', id: c.var.requestId, name: error.name })),
    ),
  )
  return c.body(null, 202)
})

emailLinksRoutes.post(authApi.reset.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.reset), async (c) => {
  const userId = await resetPassword(depsWithD1(c), { ...c.req.valid('json'), network: clientIp(c) }, c.var.now())
  // Who can read the mailbox is the owner: from here on this browser has tries of its own.
  await rememberDevice(c, userId)
  return c.body(null, 204)
})

emailLinksRoutes.post(authApi.verify.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.verify), async (c) => {
  await verifyEmail(depsWithD1(c), c.req.valid('json').token, c.var.now())
  return c.json({ verified: true } as const)
})

emailLinksRoutes.post(authApi.resend.path, rateLimit('LIMIT_MAIL'), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  await sendVerificationEmail(depsWithD1(c), userId, c.var.now())
  return c.body(null, 202)
})
