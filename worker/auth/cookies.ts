import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env'
import { allowsPlainHttp } from '../http/origin'
import { DAY_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId, signValue, verifySignedValue } from '../lib/crypto'
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

const DEVICE_COOKIE_TTL_MS = 365 * DAY_MS
const PURPOSE = 'device'

/** The browsers that somebody has logged in with, told by a signed cookie: `<device>` for each of up to five accounts. */
type KnownDevice = { id: string; users: number[] }

/**
 * The device of this request when this account has logged in from it before, else null. A known device has tries of
 * its own, so that a stranger who uses up an account's guesses locks nobody out (ruling 13).
 */
export async function findKnownDevice(c: Context<AppEnv>, userId: number): Promise<string | null> {
  const device = await readDevice(c)
  return device?.users.includes(userId) ? device.id : null
}

/** Remembers that this account has logged in from this browser. */
export async function rememberDevice(c: Context<AppEnv>, userId: number): Promise<void> {
  const device = (await readDevice(c)) ?? { id: newId('dev'), users: [] }
  const users = [userId, ...device.users.filter((id) => id !== userId)].slice(0, 5)
  const value = await signValue(c.var.config.signingSecret, PURPOSE, `${device.id}~${users.join('~')}`)
  writeCookie(c, 'device', value, DEVICE_COOKIE_TTL_MS)
}

/** What the cookie says, if it is ours. */
export async function readDevice(c: Context<AppEnv>): Promise<KnownDevice | null> {
  const cookie = readCookie(c, 'device')
  const value = cookie === undefined ? null : await verifySignedValue(c.var.config.signingSecret, PURPOSE, cookie)
  const [device, ...users] = value?.split('~') ?? []
  return device === undefined ? null : { id: device, users: users.map(Number) }
}
