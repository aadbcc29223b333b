import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sign, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { attemptCount, countAttempt } from './attempts'
import { readCookie, writeCookie } from './cookies'

const COOKIE = 'arrival'
const PURPOSE = 'door-pass'

/** A signup may come at the end of the scan's lifetime and redeem it at the end of its own. */
export const CHECK_IN_TOKEN_TTL_MS: Millis = 2 * limits.checkInTokenTtlMinutes * MINUTE_MS

/**
 * `cookie` is the encrypted scan of a browser without a login; signup or login redeems it. `codeHash` identifies the
 * check-in code for counting signups.
 */
type CheckInToken = { cookie: string; codeHash: string }

/** The valid check-in token of this browser, else null. */
export async function readCheckInToken(c: Context<AppEnv>): Promise<CheckInToken | null> {
  const cookie = readCookie(c, COOKIE)
  const value = cookie === undefined ? null : await verifySignedValue(c.var.config.signingSecret, PURPOSE, cookie)
  const [code, until] = value?.split('~') ?? []
  return cookie === undefined || code === undefined || Number(until) <= c.var.now() ? null : { cookie, codeHash: code }
}

/** Creates a token for a browser that entered a valid check-in `code`. */
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

/** The raw cookie, valid or not; the caller decrypts and checks it. */
export const readCheckInCookie = (c: Context<AppEnv>) => readCookie(c, COOKIE)

const signupCountKey = ({ codeHash: code }: CheckInToken) => `door-signups:${code}`

/**
 * Rate limit key of a signup. At a show many visitors share one IP address, so a browser with a check-in token is
 * limited by its token, up to the code's signup limit. Null for all others.
 */
export async function signupRateLimitKey(c: Context<AppEnv>): Promise<string | null> {
  const token = await readCheckInToken(c)
  if (!token) return null
  const spent = await attemptCount(c.env.DB, signupCountKey(token), c.var.now())
  return spent < limits.maxCheckInsPerCode ? `pass ${token.cookie}` : null
}

/** Counts a signup in a browser with a check-in token. */
export async function countCheckInSignup(c: Context<AppEnv>): Promise<void> {
  const token = await readCheckInToken(c)
  if (token)
    await countAttempt(c.env.DB, { key: signupCountKey(token), per: CHECK_IN_TOKEN_TTL_MS, now: c.var.now() }).run()
}
