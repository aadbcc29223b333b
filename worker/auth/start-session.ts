import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { clientIp } from '../http/rate-limit'
import { findKnownDevice, rememberDevice, setSessionCookie } from './cookies'
import type { UserRow } from './current-user'
import { verifyCredentials } from './login'
import { createSession, revokeSession } from './sessions'

/** Starts a supporter session with a new token and revokes the browser's previous one. */
export async function startSession(
  c: Context<AppEnv>,
  user: Pick<UserRow, 'id' | 'epoch' | 'mailboxKey'>,
): Promise<void> {
  const previous = await c.var.session.payload()
  const { id: userId, epoch, mailboxKey } = user
  const { token } = await createSession(c.env.SESSIONS, 'supporter', { userId, epoch, mailboxKey }, c.var.now())
  if (previous) await revokeSession(c.var.db, c.env.SESSIONS, previous)
  setSessionCookie(c, 'supporter', token)
  await rememberDevice(c, user.id)
}

/** Verifies this request's username and password. @throws as `verifyCredentials`. */
export function authenticate(c: Context<AppEnv>, { username, password }: { username: string; password: string }) {
  return verifyCredentials(
    depsOf(c),
    { name: username, password, network: clientIp(c), knownDevice: (userId) => findKnownDevice(c, userId) },
    c.var.now(),
  )
}
