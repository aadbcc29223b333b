import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env'
import { mayBePlain } from '../http/https-only'
import { DAY, type Millis, SECOND } from '../lib/clock'
import { SESSION_LIFE, type SessionKind } from './sessions'

// Every cookie is Secure and __Host- prefixed: no sibling domain can plant one. A browser takes neither from
// http://localhost for granted (Safari refuses), so local runs and a demo in plain text use the bare name.
export const secure = (c: Context<AppEnv>) => new URL(c.req.url).protocol === 'https:' || !mayBePlain(c)

/** Reads one of our cookies, by the only name that counts here. */
export function ownCookie(c: Context<AppEnv>, name: string): string | undefined {
  return secure(c) ? getCookie(c, name, 'host') : getCookie(c, name)
}

/** Sets one of our cookies: HttpOnly, SameSite=Lax, for the whole site, for `life`. */
export function setOwnCookie(c: Context<AppEnv>, name: string, value: string, life: Millis): void {
  const https = secure(c)
  setCookie(c, name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: https,
    maxAge: Math.floor(life / SECOND),
    ...(https && { prefix: 'host' as const }),
  })
}

/** Takes one of our cookies out of the browser. */
export function dropOwnCookie(c: Context<AppEnv>, name: string): void {
  const https = secure(c)
  deleteCookie(c, name, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: https,
    ...(https && { prefix: 'host' as const }),
  })
}

export const SESSION_COOKIE: Record<SessionKind, string> = { supporter: 'session', administrator: 'admin' }

// The administrator's cookie outlives its session, so that the worker can tell 'expired' (401) from 'never' (ruling 7).
const COOKIE_LIFE: Record<SessionKind, Millis> = {
  supporter: SESSION_LIFE.supporter.absolute,
  administrator: 30 * DAY,
}

/** Puts a session's token into the browser. */
export function setSessionCookie(c: Context<AppEnv>, kind: SessionKind, token: string): void {
  setOwnCookie(c, SESSION_COOKIE[kind], token, COOKIE_LIFE[kind])
}
