import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { DAY_MS } from '../lib/clock'
import { newId, signValue, verifySignedValue } from '../lib/crypto'
import { readCookie, writeCookie } from './cookies'

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
