import type { Context } from 'hono'
import { recordAudit } from '../audit/audit'
import type { AdminSession } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { clientAddress64 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { type Millis, SECOND_MS, toIso } from '../lib/clock'
import { findKnownDevice, readCookie, rememberDevice, SESSION_COOKIE, setSessionCookie } from './cookies'
import type { UserRow } from './current-user'
import { verifyCredentials } from './login'
import { createSession, readSession, revokeSession, revokeSessionStatement, SESSION_TTL_MS } from './sessions'

/** Starts a supporter session and revokes the browser's previous one. `provenAt`: time of authentication, else now. */
export async function startSession(
  c: Context<AppEnv>,
  user: Pick<UserRow, 'id' | 'epoch' | 'mailboxKey'>,
  { provenAt }: { provenAt?: Millis } = {},
): Promise<void> {
  const previous = await c.var.session.payload()
  const { id: userId, epoch, mailboxKey } = user
  const sessionUser = { userId, epoch, mailboxKey, ...(provenAt !== undefined && { provenAt }) }
  const { token } = await createSession(c.env.SESSIONS, 'supporter', sessionUser, c.var.now())
  if (previous) await revokeSession(c.var.db, c.env.SESSIONS, previous)
  setSessionCookie(c, 'supporter', token)
  await rememberDevice(c, user.id)
}

type AdminUser = Pick<UserRow, 'username' | 'teamRole' | 'hasPassword' | 'hasGoogle' | 'usesEmailedCode'>

/** Starts an admin session, with an audit entry, and revokes the browser's previous one. */
export async function startAdminSession(
  c: Context<AppEnv>,
  user: Pick<UserRow, 'id' | 'epoch' | 'mailboxKey'> & AdminUser,
): Promise<AdminSession> {
  const now = c.var.now()
  const previous = await readSession(c.env.SESSIONS, 'administrator', readCookie(c, SESSION_COOKIE.administrator), now)
  const { id: userId, epoch, mailboxKey } = user
  const { token, session } = await createSession(c.env.SESSIONS, 'administrator', { userId, epoch, mailboxKey }, now)
  await c.env.DB.batch([
    recordAudit(c.var.db, { actorId: user.id, action: 'session.opened', at: now }),
    ...(previous ? [revokeSessionStatement(c.var.db, previous)] : []),
  ])
  setSessionCookie(c, 'administrator', token)
  await rememberDevice(c, user.id)
  return toAdminSession({ ...user, userId }, session.createdAt, now)
}

export function toAdminSession(
  { userId, username, teamRole, hasPassword, hasGoogle, usesEmailedCode }: AdminUser & { userId: number },
  createdAt: Millis,
  now: Millis,
): AdminSession {
  const end = createdAt + SESSION_TTL_MS.administrator.absolute
  const secondsLeft = Math.ceil((end - now) / SECOND_MS)
  return {
    userId,
    username,
    teamRole,
    hasPassword,
    google: hasGoogle,
    emailedCode: usesEmailedCode,
    expiresAt: toIso(end),
    secondsLeft,
  }
}

/** Returns the user with this username or email address and password. @throws as `verifyCredentials`. */
export function authenticate(c: Context<AppEnv>, { username, password }: { username: string; password: string }) {
  return verifyCredentials(
    depsOf(c),
    { name: username, password, network: clientAddress64(c), findKnownDevice: (userId) => findKnownDevice(c, userId) },
    c.var.now(),
  )
}
