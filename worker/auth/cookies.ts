import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env'
import { allowsPlainHttp } from '../http/origin'
import { DAY_MS, type Millis, SECOND_MS } from '../lib/clock'
import { SESSION_TTL_MS, type SessionKind } from './sessions'

// Every cookie is Secure and __Host- prefixed: no sibling domain can plant one. A browser takes neither from
// http://localhost for granted (Safari refuses), so local runs and a demo in plain text use the bare name.
export const isSecureRequest = (c: Context<AppEnv>) => new URL(c.req.url).protocol === 'https:' || !allowsPlainHttp(c)

/** Reads one of our cookies, by the only name that counts here. */
export function readCookie(c: Context<AppEnv>, name: string): string | undefined {
  return isSecureRequest(c) ? getCookie(c, name, 'host') : getCookie(c, name)
}

/** Sets one of our cookies: HttpOnly, SameSite=Lax, for the whole site, for `life`. */
export function writeCookie(c: Context<AppEnv>, name: string, value: string, life: Millis): void {
  const https = isSecureRequest(c)
  setCookie(c, name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: https,
    maxAge: Math.floor(life / SECOND_MS),
    ...(https && { prefix: 'host' as const }),
  })
}

/** Takes one of our cookies out of the browser. */
export function clearCookie(c: Context<AppEnv>, name: string): void {
  const https = isSecureRequest(c)
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
const SESSION_COOKIE_TTL_MS: Record<SessionKind, Millis> = {
  supporter: SESSION_TTL_MS.supporter.absolute,
  administrator: 30 * DAY_MS,
}

/** Puts a session's token into the browser. */
export function setSessionCookie(c: Context<AppEnv>, kind: SessionKind, token: string): void {
  writeCookie(c, SESSION_COOKIE[kind], token, SESSION_COOKIE_TTL_MS[kind])
}
