import { type Context, Hono } from 'hono'
import { type PasskeyAssertion, passkeysApi } from '../contract/passkeys'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { signValue, verifySignedValue } from '../lib/crypto'
import { clearCookie, readCookie, writeCookie } from './cookies'
import { toMe } from './current-user'
import {
  addPasskey,
  createAuthenticationOptions,
  createRegistrationOptions,
  listPasskeys,
  PASSKEY_CHALLENGE_TTL_MS,
  type PasskeyChallenge,
  removePasskey,
  renamePasskey,
  verifyPasskey,
} from './passkeys'
import { startAdminSession, startSession } from './start-session'

export const passkeysRoutes = new Hono<AppEnv>()

/**
 * Signing purpose of a challenge. For a new passkey it names the account (`addingUserId`), so that no other account in
 * the same browser can use the challenge. `addingUserId` is null when a passkey is used.
 */
const purposeOf = (addingUserId: number | null) =>
  addingUserId === null ? 'passkey-use' : `passkey-add ${addingUserId}`

async function setChallenge(c: Context<AppEnv>, challenge: string, addingUserId: number | null): Promise<void> {
  const value = `${challenge}~${c.var.now() + PASSKEY_CHALLENGE_TTL_MS}`
  const signed = await signValue(c.var.config.signingSecret, purposeOf(addingUserId), value)
  writeCookie(c, 'passkey', signed, PASSKEY_CHALLENGE_TTL_MS)
}

/** Removes and returns the browser's challenge for this purpose, if any. */
async function takeChallenge(c: Context<AppEnv>, addingUserId: number | null): Promise<PasskeyChallenge | null> {
  const cookie = readCookie(c, 'passkey')
  if (cookie === undefined) return null
  clearCookie(c, 'passkey')
  const text = await verifySignedValue(c.var.config.signingSecret, purposeOf(addingUserId), cookie)
  const [value, expiresAt] = text?.split('~') ?? []
  return value === undefined ? null : { value, expiresAt: Number(expiresAt) }
}

passkeysRoutes.get(passkeysApi.list.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  return c.json(await listPasskeys(c.var.db, userId))
})

passkeysRoutes.post(passkeysApi.addOptions.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const caller = await c.var.session.requireSupporter()
  const options = await createRegistrationOptions(depsOf(c), caller)
  await setChallenge(c, options.challenge, caller.userId)
  return c.json(options)
})

passkeysRoutes.post(passkeysApi.add.path, rateLimit('LIMIT_WRITES'), validateBody(passkeysApi.add), async (c) => {
  const caller = await c.var.session.requireSupporter()
  const challenge = await takeChallenge(c, caller.userId)
  return c.json(await addPasskey(depsOf(c), caller, { ...c.req.valid('json'), challenge }, c.var.now()), 201)
})

passkeysRoutes.patch(
  passkeysApi.rename.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(passkeysApi.rename),
  async (c) => {
    const { userId } = await c.var.session.requireSupporter()
    return c.json(await renamePasskey(c.var.db, userId, c.req.param('id'), c.req.valid('json').name))
  },
)

passkeysRoutes.delete(passkeysApi.remove.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const caller = await c.var.session.requireSupporter()
  await removePasskey(depsOf(c), caller, c.req.param('id'), c.var.now())
  return c.body(null, 204)
})

passkeysRoutes.post(passkeysApi.options.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const options = await createAuthenticationOptions(depsOf(c))
  await setChallenge(c, options.challenge, null)
  return c.json(options)
})

/** Checks this request's passkey and returns its owner, who must be `userId` if given. @throws as `verifyPasskey`. */
async function authenticateByPasskey(c: Context<AppEnv>, passkey: PasskeyAssertion, userId: number | null = null) {
  const challenge = await takeChallenge(c, null)
  return verifyPasskey(depsOf(c), { passkey, challenge, userId }, c.var.now())
}

passkeysRoutes.post(passkeysApi.login.path, rateLimit('LIMIT_AUTH'), validateBody(passkeysApi.login), async (c) => {
  const user = await authenticateByPasskey(c, c.req.valid('json').passkey)
  await startSession(c, user)
  return c.json(toMe(user))
})

passkeysRoutes.post(
  passkeysApi.reauthenticate.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(passkeysApi.reauthenticate),
  async (c) => {
    const { userId } = await c.var.session.requireSupporter()
    await startSession(c, await authenticateByPasskey(c, c.req.valid('json').passkey, userId))
    return c.body(null, 204)
  },
)

// The passkey has verified its user, so it replaces password and second factor.
passkeysRoutes.post(
  passkeysApi.adminLogin.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(passkeysApi.adminLogin),
  async (c) => {
    const user = await authenticateByPasskey(c, c.req.valid('json').passkey)
    if (user.role !== 'administrator')
      throw new AppError('bad_credentials', 'That passkey does not belong to an administrator.')
    return c.json(await startAdminSession(c, user))
  },
)

passkeysRoutes.post(
  passkeysApi.reauthenticateAdmin.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(passkeysApi.reauthenticateAdmin),
  async (c) => {
    const { userId } = await c.var.session.requireAdmin()
    await startAdminSession(c, await authenticateByPasskey(c, c.req.valid('json').passkey, userId))
    return c.body(null, 204)
  },
)
