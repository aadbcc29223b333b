import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Endpoint } from '../contract/endpoint'
import type { Db } from '../db/client'
import type { AppEnv, Session } from '../http/app-env'
import { AppError } from '../lib/app-error'
import { readCookie, SESSION_COOKIE } from './cookies'
import { type Caller, checkSession, type SessionCheck, updateLastActive } from './current-user'
import { requireRecentAuthentication } from './reauthentication'
import {
  bannedError,
  needsRenewal,
  readSession,
  renewSession,
  type SessionKind,
  type SessionPayload,
  signedOutError,
} from './sessions'

/** Sets `c.var.session`. KV and D1 are read lazily, at most once per request. */
export const sessionMiddleware = createMiddleware<AppEnv>(async (c, next) => {
  const token = c.get('apiToken')
  c.set('session', token ? createTokenSession(token.caller) : createRequestSession(c))
  await next()
})

/** An access token acts as an administrator, never as a supporter. `apiTokenAuth` has checked its scope. */
function createTokenSession(caller: Caller): Session {
  const none = async () => null
  const notAllowed = async (): Promise<never> => {
    throw new AppError('token_not_allowed', 'An access token cannot be used for this. Please use the dashboard.')
  }
  return {
    payload: none,
    requirePayload: notAllowed,
    payloadIfAvailable: none,
    user: none,
    userIfAvailable: none,
    requireSupporter: notAllowed,
    requireAdmin: async () => caller,
  }
}

function createRequestSession(c: Context<AppEnv>): Session {
  // The primary database: handlers of public reads later replace `c.var.db` by a replica.
  const { db, now, sessionCache } = c.var
  const loadSession = memoizePerKind((kind) =>
    readSession(c.env.SESSIONS, kind, readCookie(c, SESSION_COOKIE[kind]), now()),
  )
  const cachedSession = memoizePerKind(async (kind) => {
    const cached = await sessionCache.get(readCookie(c, SESSION_COOKIE[kind]), now())
    const session = cached ?? (await loadSession(kind))
    if (session && !cached) sessionCache.set(session, now())
    return session
  })
  const checkOnce = memoizePerKind(async (kind): Promise<SessionCheck | null> => {
    const session = await loadSession(kind)
    if (!session) return null
    const check = await checkSession(db, session)
    if ('caller' in check && needsRenewal(session, now()))
      c.executionCtx.waitUntil(renewAndRecordActivity(c, db, session))
    return check
  })
  const user = async () => {
    const check = await checkOnce('supporter')
    return check && 'caller' in check ? check.caller : null
  }
  return {
    payload: () => cachedSession('supporter'),
    requirePayload: async () => {
      const session = await cachedSession('supporter')
      if (!session) throw signedOutError(null)
      return session
    },
    payloadIfAvailable: () => loadSession('supporter').catch(() => null),
    user,
    userIfAvailable: () => user().catch(() => null),
    requireSupporter: async () => {
      const check = await checkOnce('supporter')
      if (check && 'caller' in check) return check.caller
      if (check?.rejected === 'banned') throw bannedError()
      throw signedOutError(null)
    },
    requireAdmin: () => requireAdministrator(c, loadSession, checkOnce),
  }
}

/** @throws 403 for a supporter and for a removed or banned admin; 401 without an admin session or after it expired. */
async function requireAdministrator(
  c: Context<AppEnv>,
  loadSession: (kind: SessionKind) => Promise<SessionPayload | null>,
  checkOnce: (kind: SessionKind) => Promise<SessionCheck | null>,
): Promise<Caller> {
  const check = await checkOnce('administrator')
  if (check && 'caller' in check) return check.caller
  if (check && check.rejected !== 'ended')
    throw new AppError('forbidden', 'This account is no longer an administrator.')
  if (readCookie(c, SESSION_COOKIE.administrator) !== undefined)
    throw new AppError('session_expired', 'Your session has expired. Please log in again.')
  if (await loadSession('supporter')) throw new AppError('forbidden', 'This is for administrators.')
  throw new AppError('signed_out', 'Please log in as an administrator.')
}

/** Runs at most once a day per session, because of `needsRenewal`. */
async function renewAndRecordActivity(c: Context<AppEnv>, db: Db, session: SessionPayload): Promise<void> {
  const now = c.var.now()
  await renewSession(c.env.SESSIONS, session, now)
  await updateLastActive(db, session.userId, now)
}

/**
 * Enforces the assurance of the endpoint definition, before an uploaded file is read. If the endpoint checks the
 * session in its own SQL, this rejects only visitors.
 */
export const accessControl = createMiddleware<AppEnv>(async (c, next) => {
  const { endpoint } = c.var
  // Otherwise a route whose definition is missing in its route group would be open to everyone.
  if (!endpoint && c.req.path.startsWith('/api/')) return c.notFound()
  if (endpoint && endpoint.auth !== 'visitor') await requireAssurance(c, endpoint)
  await next()
})

async function requireAssurance(
  c: Context<AppEnv>,
  { auth, roles, recentAuth, signInMessage, checksSessionInSql }: Endpoint,
): Promise<void> {
  if (checksSessionInSql) {
    if (!(await c.get('session').payload())) throw signedOutError(signInMessage)
    return
  }
  const caller = auth === 'admin' ? await c.var.session.requireAdmin() : await requireUser(c, signInMessage)
  if (roles && !(caller.teamRole && roles.includes(caller.teamRole)))
    throw new AppError('role_required', 'Your role in the team does not include this. Please ask an owner.')
  if (auth === 'confirmed' && !caller.emailVerified)
    throw new AppError('confirm_email', 'Please confirm your email address first.')
  if (recentAuth) requireRecentAuthentication(caller.session, c.var.now())
}

const requireUser = (c: Context<AppEnv>, signInMessage: string | null): Promise<Caller> =>
  c.var.session.requireSupporter().catch((error) => {
    throw error instanceof AppError && error.code === 'signed_out' ? signedOutError(signInMessage) : error
  })

/** A function that calls `read` at most once per session kind. */
function memoizePerKind<T>(read: (kind: SessionKind) => Promise<T>): (kind: SessionKind) => Promise<T> {
  const results = new Map<SessionKind, Promise<T>>()
  return (kind) => {
    const result = results.get(kind) ?? read(kind)
    results.set(kind, result)
    return result
  }
}
