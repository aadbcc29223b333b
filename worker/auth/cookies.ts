import type { Context } from 'hono'
import { deleteCookie, generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env'
import { setHeader } from '../http/headers'
import { allowsPlainHttp } from '../http/origin'
import { DAY_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId, signValue, verifySignedValue } from '../lib/crypto'
import { disqualifyReferrals } from '../users/referrals'
import { SESSION_TTL_MS, type SessionKind } from './sessions'

// Over https, cookies are Secure and have the `__Host-` prefix. Plain http (local runs, demo) uses the bare name,
// because Safari rejects Secure cookies on localhost.
export const usesSecureCookies = (c: Context<AppEnv>) => c.req.url.startsWith('https:') || !allowsPlainHttp(c)

/** Reads a cookie by the name that applies to this request's scheme. */
export function readCookie(c: Context<AppEnv>, name: string): string | undefined {
  return usesSecureCookies(c) ? getCookie(c, name, 'host') : getCookie(c, name)
}

/** Sets an HttpOnly, SameSite=Lax cookie for the whole site. */
export function writeCookie(c: Context<AppEnv>, name: string, value: string, maxAgeMs: Millis): void {
  const isSecure = usesSecureCookies(c)
  const cookie = generateCookie(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    maxAge: Math.floor(maxAgeMs / SECOND_MS),
    ...(isSecure && { prefix: 'host' as const }),
  })
  setHeader(c, 'set-cookie', cookie, { append: true })
}

export function clearCookie(c: Context<AppEnv>, name: string): void {
  const isSecure = usesSecureCookies(c)
  deleteCookie(c, name, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    ...(isSecure && { prefix: 'host' as const }),
  })
}

export const SESSION_COOKIE: Record<SessionKind, string> = { supporter: 'session', administrator: 'admin' }

// The admin cookie outlives its session, so that a request after the expiry fails with `session_expired`.
const SESSION_COOKIE_TTL_MS: Record<SessionKind, Millis> = {
  supporter: SESSION_TTL_MS.supporter.absolute,
  administrator: 30 * DAY_MS,
}

export function setSessionCookie(c: Context<AppEnv>, kind: SessionKind, token: string): void {
  writeCookie(c, SESSION_COOKIE[kind], token, SESSION_COOKIE_TTL_MS[kind])
}

const DEVICE_COOKIE_TTL_MS = 365 * DAY_MS
const DEVICE_SIGNATURE_PURPOSE = 'device'
const MAX_USERS_PER_DEVICE = 5

/** A browser's random id and the users who logged in with it last, from a signed cookie. */
type Device = { id: string; userIds: number[] }

/**
 * The device id if this user has logged in from this browser before, else null. Known devices have separate attempt
 * limits: guesses by others cannot lock the owner out.
 */
export async function findKnownDevice(c: Context<AppEnv>, userId: number): Promise<string | null> {
  const device = await readDevice(c)
  return device?.userIds.includes(userId) ? device.id : null
}

/** Adds a user to the browser's device cookie. Also disqualifies referrals between users of one browser. */
export async function rememberDevice(c: Context<AppEnv>, userId: number): Promise<void> {
  const device = (await readDevice(c)) ?? { id: newId('dev'), userIds: [] }
  const userIds = [userId, ...device.userIds.filter((id) => id !== userId)].slice(0, MAX_USERS_PER_DEVICE)
  const value = await signValue(
    c.var.config.signingSecret,
    DEVICE_SIGNATURE_PURPOSE,
    `${device.id}~${userIds.join('~')}`,
  )
  writeCookie(c, 'device', value, DEVICE_COOKIE_TTL_MS)
  await disqualifyReferrals(c.var.db, userIds, c.var.now())
}

/** This browser's device; creates one and sets its cookie if the request had none (`isNew`). */
export async function ensureDevice(c: Context<AppEnv>): Promise<Device & { isNew: boolean }> {
  const knownDevice = await readDevice(c)
  if (knownDevice) return { ...knownDevice, isNew: false }
  const device = { id: newId('dev'), userIds: [] }
  writeCookie(
    c,
    'device',
    await signValue(c.var.config.signingSecret, DEVICE_SIGNATURE_PURPOSE, device.id),
    DEVICE_COOKIE_TTL_MS,
  )
  return { ...device, isNew: true }
}

/** Ids of the users who are or were logged in with this browser. */
export async function readBrowserUserIds(c: Context<AppEnv>): Promise<number[]> {
  const session = await c.var.session.payloadIfAvailable()
  const device = await readDevice(c)
  return [...(session ? [session.userId] : []), ...(device?.userIds ?? [])]
}

/** This browser's device; null if its cookie is missing or invalid. */
export async function readDevice(c: Context<AppEnv>): Promise<Device | null> {
  const cookie = readCookie(c, 'device')
  const value =
    cookie === undefined ? null : await verifySignedValue(c.var.config.signingSecret, DEVICE_SIGNATURE_PURPOSE, cookie)
  const [id, ...userIds] = value?.split('~') ?? []
  return id === undefined ? null : { id, userIds: userIds.map(Number) }
}
