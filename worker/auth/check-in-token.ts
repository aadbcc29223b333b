import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sign, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { attemptCount, countAttempt } from './attempts'
import { readCookie, writeCookie } from './cookies'

const COOKIE = 'arrival'
const PURPOSE = 'door-pass'
/** As long as a scan lasts at the latest: signed up at the last moment, and redeemed as late. */
export const CHECK_IN_TOKEN_TTL_MS: Millis = 2 * limits.checkInTokenTtlMinutes * MINUTE_MS

/**
 * The sealed cookie of a browser that scanned a right code while nobody was logged in: whoever signs up in it, or logs
 * in, redeems the scan. `code` stands for the code of the show, unreadably; sign-ups are counted by it.
 */
type CheckInToken = { cookie: string; codeHash: string }

/** The pass of this browser while it lasts, else null. */
export async function readCheckInToken(c: Context<AppEnv>): Promise<CheckInToken | null> {
  const cookie = readCookie(c, COOKIE)
  const value = cookie === undefined ? null : await verifySignedValue(c.var.config.signingSecret, PURPOSE, cookie)
  const [code, until] = value?.split('~') ?? []
  return cookie === undefined || code === undefined || Number(until) <= c.var.now() ? null : { cookie, codeHash: code }
}

/** A new pass for a browser that gave `code` at a show's door; it is of use once it is given out. */
export async function createCheckInToken(
  c: Context<AppEnv>,
  { id, code }: { id: string; code: string },
): Promise<string> {
  const { signingSecret } = c.var.config
  const name = await sign(signingSecret, PURPOSE, `${id}\n${code}`)
  return signValue(signingSecret, PURPOSE, `${name}~${c.var.now() + CHECK_IN_TOKEN_TTL_MS}~${randomSecret()}`)
}

export const setCheckInCookie = (c: Context<AppEnv>, cookie: string) =>
  writeCookie(c, COOKIE, cookie, CHECK_IN_TOKEN_TTL_MS)

/** What the browser that redeems holds, sound or not: the scan itself says whose it is. */
export const readCheckInCookie = (c: Context<AppEnv>) => readCookie(c, COOKIE)

const signupCountKey = ({ codeHash: code }: CheckInToken) => `door-signups:${code}`

/**
 * Whose sign-ups a limiter counts: a hall signs up behind one address, and whoever scanned there is told apart by their
 * pass, until as many have signed up with one code's as may come in with it; null for all others.
 */
export async function signupRateLimitKey(c: Context<AppEnv>): Promise<string | null> {
  const token = await readCheckInToken(c)
  if (!token) return null
  const spent = await attemptCount(c.env.DB, signupCountKey(token), c.var.now())
  return spent < limits.maxCheckInsPerCode ? `pass ${token.cookie}` : null
}

/** Counts an account that was made in a browser that scanned. */
export async function countCheckInSignup(c: Context<AppEnv>): Promise<void> {
  const token = await readCheckInToken(c)
  if (token)
    await countAttempt(c.env.DB, { key: signupCountKey(token), per: CHECK_IN_TOKEN_TTL_MS, now: c.var.now() }).run()
}
