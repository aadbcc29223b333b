import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { DAY } from '../lib/clock'
import { newId } from '../lib/ids'
import { seal, unseal } from '../lib/signature'
import { ownCookie, setOwnCookie } from './cookies'

const LIFE = 365 * DAY
const PURPOSE = 'device'

/** The browsers that somebody has logged in with, told by a signed cookie: `<device>` for each of up to five accounts. */
type Known = { device: string; users: number[] }

/**
 * The device of this request when this account has logged in from it before, else null. A known device has tries of
 * its own, so that a stranger who uses up an account's guesses locks nobody out (ruling 13).
 */
export async function knownDevice(c: Context<AppEnv>, userId: number): Promise<string | null> {
  const known = await readDevice(c)
  return known?.users.includes(userId) ? known.device : null
}

/** Remembers that this account has logged in from this browser. */
export async function rememberDevice(c: Context<AppEnv>, userId: number): Promise<void> {
  const known = (await readDevice(c)) ?? { device: newId('dev'), users: [] }
  const users = [userId, ...known.users.filter((id) => id !== userId)].slice(0, 5)
  const value = await seal(c.var.config.signingSecret, PURPOSE, `${known.device}~${users.join('~')}`)
  setOwnCookie(c, 'device', value, LIFE)
}

/** What the cookie says, if it is ours. */
export async function readDevice(c: Context<AppEnv>): Promise<Known | null> {
  const cookie = ownCookie(c, 'device')
  const value = cookie === undefined ? null : await unseal(c.var.config.signingSecret, PURPOSE, cookie)
  const [device, ...users] = value?.split('~') ?? []
  return device === undefined ? null : { device, users: users.map(Number) }
}
