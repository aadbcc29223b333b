import { type Context, Hono } from 'hono'
import { authApi } from '../contract/auth'
import { drainOutbox } from '../email/outbox.middleware'
import type { AppEnv } from '../http/app-env'
import { clientAddress64 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { requireTurnstile } from '../http/turnstile'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { logError } from '../lib/log'
import { resetPassword } from './change-password'
import { countCheckInSignup, signupNetworks, signupRateLimitKey } from './check-in-cookie'
import { clearCookie, findKnownDevice, readBrowserUserIds, readCookie, rememberDevice, SESSION_COOKIE } from './cookies'
import { callerToMe, toMe } from './current-user'
import { confirmEmailChange, undoEmailChange } from './email-change'
import { sendPasswordResetEmail, sendVerificationEmail } from './email-links'
import { requireSecondFactor } from './second-factor'
import { revokeAllSessions, revokeSession } from './sessions'
import { signUp } from './signup'
import { withSignupQuota } from './signup-quota'
import { authenticate, startSession } from './start-session'
import { type LinkCaller, verifyEmail } from './verify-email'

export const authRoutes = new Hono<AppEnv>()

authRoutes.get(authApi.status.path, async (c) => {
  const caller = await c.var.session.user()
  if (!caller && readCookie(c, SESSION_COOKIE.supporter) !== undefined) clearCookie(c, SESSION_COOKIE.supporter)
  return c.json(caller && callerToMe(caller))
})

authRoutes.get(authApi.user.path, async (c) => c.json(callerToMe(await c.var.session.requireSupporter())))

authRoutes.post(
  authApi.signup.path,
  rateLimit('LIMIT_AUTH', signupRateLimitKey),
  validateBody(authApi.signup),
  requireTurnstile('sign_up'),
  async (c) => {
    const browserUserIds = await readBrowserUserIds(c)
    const { user, emailSent } = await withSignupQuota(depsOf(c), await signupNetworks(c), c.var.now(), () =>
      signUp(depsOf(c), c.req.valid('json'), { browserUserIds, now: c.var.now() }),
    )
    await Promise.all([countCheckInSignup(c), startSession(c, user)]).catch((cause) => {
      // The account exists: a second attempt would fail with 'name_taken'.
      throw new AppError('unavailable', 'Your account is ready, but we could not log you in. Please log in.', {
        cause,
      })
    })
    return c.json({ ...toMe(user), emailSent }, 201)
  },
)

authRoutes.post(authApi.login.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.login), async (c) => {
  const { code, ...credentials } = c.req.valid('json')
  const user = await authenticate(c, credentials)
  if (user.role === 'administrator') await requireSecondFactor(depsOf(c), user.id, code, c.var.now())
  await startSession(c, user)
  return c.json(toMe(user))
})

authRoutes.post(authApi.logout.path, async (c) => {
  const session = await c.var.session.payload()
  if (session) await revokeSession(c.var.db, c.env.SESSIONS, session)
  clearCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})

authRoutes.post(authApi.logoutEverywhere.path, async (c) => {
  await revokeAllSessions(c.var.db, await c.var.session.requireSupporter(), c.var.now())
  clearCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})

export const emailLinksRoutes = new Hono<AppEnv>()

emailLinksRoutes.post(
  authApi.forgot.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(authApi.forgot),
  requireTurnstile('forgot_password'),
  (c) => {
    const { email } = c.req.valid('json')
    // After the response, so that its timing does not reveal whether the address is known.
    c.executionCtx.waitUntil(
      sendPasswordResetEmail(
        depsOf(c),
        { email, findKnownDevice: (userId) => findKnownDevice(c, userId) },
        c.var.now(),
      ).then(
        () => drainOutbox(c),
        (error: unknown) => logError('reset-mail', error, { id: c.var.requestId }),
      ),
    )
    return c.body(null, 202)
  },
)

emailLinksRoutes.post(authApi.reset.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.reset), async (c) => {
  const userId = await resetPassword(depsOf(c), { ...c.req.valid('json'), network: clientAddress64(c) }, c.var.now())
  // Reading the mailbox proves ownership, so this browser gets its own attempt limits.
  await rememberDevice(c, userId)
  return c.body(null, 204)
})

const linkCallerOf = async (c: Context<AppEnv>, password: string | undefined): Promise<LinkCaller> => ({
  userId: (await c.var.session.user())?.userId ?? null,
  password,
  network: clientAddress64(c),
  findKnownDevice: (userId) => findKnownDevice(c, userId),
})

emailLinksRoutes.post(authApi.verify.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.verify), async (c) => {
  const { token, password } = c.req.valid('json')
  const linkCaller = await linkCallerOf(c, password)
  const changedAccount = await confirmEmailChange(depsOf(c), token, linkCaller, c.var.now())
  if (!changedAccount) await verifyEmail(depsOf(c), token, linkCaller, c.var.now())
  else if (changedAccount.id === linkCaller.userId) {
    const caller = await c.var.session.requireSupporter()
    await startSession(c, changedAccount, { provenAt: caller.session.provenAt })
  }
  return c.json({ verified: true } as const)
})

emailLinksRoutes.post(
  authApi.undoEmailChange.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(authApi.undoEmailChange),
  async (c) => {
    await undoEmailChange(depsOf(c), c.req.valid('json'), c.var.now())
    return c.body(null, 204)
  },
)

emailLinksRoutes.post(authApi.resend.path, rateLimit('LIMIT_MAIL'), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  await sendVerificationEmail(depsOf(c), userId, c.var.now())
  return c.body(null, 202)
})
