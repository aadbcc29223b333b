import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { MINUTE, type Millis } from '../lib/clock'
import { randomSecret } from '../lib/secret'
import { seal, sign, unseal } from '../lib/signature'
import { limits } from '../limits'
import { countTry, triesOf } from './attempts'
import { ownCookie, setOwnCookie } from './cookies'

const COOKIE = 'arrival'
const PURPOSE = 'door-pass'
/** As long as a scan lasts at the latest: signed up at the last moment, and redeemed as late. */
export const PASS_LIFE: Millis = 2 * limits.arrivalMinutes * MINUTE

/**
 * The sealed cookie of a browser that scanned a right code while nobody was logged in: whoever signs up in it, or logs
 * in, redeems the scan. `code` stands for the code of the show, unreadably; sign-ups are counted by it.
 */
type Pass = { cookie: string; code: string }

/** The pass of this browser while it lasts, else null. */
export async function passOf(c: Context<AppEnv>): Promise<Pass | null> {
  const cookie = ownCookie(c, COOKIE)
  const value = cookie === undefined ? null : await unseal(c.var.config.signingSecret, PURPOSE, cookie)
  const [code, until] = value?.split('~') ?? []
  return cookie === undefined || code === undefined || Number(until) <= c.var.now() ? null : { cookie, code }
}

/** A new pass for a browser that gave `code` at a show's door; it is of use once it is given out. */
export async function newPass(c: Context<AppEnv>, { id, code }: { id: string; code: string }): Promise<string> {
  const { signingSecret } = c.var.config
  const name = await sign(signingSecret, PURPOSE, `${id}\n${code}`)
  return seal(signingSecret, PURPOSE, `${name}~${c.var.now() + PASS_LIFE}~${randomSecret()}`)
}

export const givePass = (c: Context<AppEnv>, cookie: string) => setOwnCookie(c, COOKIE, cookie, PASS_LIFE)

/** What the browser that redeems holds, sound or not: the scan itself says whose it is. */
export const heldPass = (c: Context<AppEnv>) => ownCookie(c, COOKIE)

const key = ({ code }: Pass) => `door-signups:${code}`

/**
 * Whose sign-ups a limiter counts: a hall signs up behind one address, and whoever scanned there is told apart by their
 * pass, until as many have signed up with one code's as may come in with it; null for all others.
 */
export async function scannedHere(c: Context<AppEnv>): Promise<string | null> {
  const pass = await passOf(c)
  if (!pass) return null
  const spent = await triesOf(c.env.DB, key(pass), c.var.now())
  return spent < limits.arrivalsPerCode ? `pass ${pass.cookie}` : null
}

/** Counts an account that was made in a browser that scanned. */
export async function countNewcomer(c: Context<AppEnv>): Promise<void> {
  const pass = await passOf(c)
  if (pass) await countTry(c.env.DB, { key: key(pass), per: PASS_LIFE, now: c.var.now() }).run()
}
