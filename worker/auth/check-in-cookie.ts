import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { clientNetwork64, clientPrefix48 } from '../http/client-address'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sign, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { consumeQuotas, hasQuotasLeft, QUOTAS, type QuotaUse } from '../quotas/quotas'
import { readCookie, writeCookie } from './cookies'
import type { SignupNetworks } from './signup-quota'

const COOKIE = 'arrival'
const PURPOSE = 'door-pass'

/** Twice the token's TTL: a sign-up just before the token expires extends the token by its TTL. */
const CHECK_IN_COOKIE_TTL_MS: Millis = 2 * limits.checkInTokenTtlMinutes * MINUTE_MS

/** Binds check-in tokens to the browser that scanned the code at the door. */
type CheckInCookie = {
  /** The whole cookie. */
  value: string
  /** Identifies the scanned code, whose sign-ups are counted. */
  codeHash: string
}

/** This browser's cookie; null if it is missing, forged or expired. */
export async function readCheckInCookie(c: Context<AppEnv>): Promise<CheckInCookie | null> {
  const value = readCookie(c, COOKIE)
  if (value === undefined) return null
  const payload = await verifySignedValue(c.var.config.signingSecret, PURPOSE, value)
  const [codeHash, expiresAt] = payload?.split('~') ?? []
  if (codeHash === undefined || Number(expiresAt) <= c.var.now()) return null
  return { value, codeHash }
}

/** The value of the cookie for a browser that entered a valid check-in `code` of the show `id`. */
export async function createCheckInCookie(
  c: Context<AppEnv>,
  { id, code }: { id: string; code: string },
): Promise<string> {
  const { signingSecret } = c.var.config
  const codeHash = await sign(signingSecret, PURPOSE, `${id}\n${code}`)
  return signValue(signingSecret, PURPOSE, `${codeHash}~${c.var.now() + CHECK_IN_COOKIE_TTL_MS}~${randomSecret()}`)
}

export const setCheckInCookie = (c: Context<AppEnv>, cookie: string) =>
  writeCookie(c, COOKIE, cookie, CHECK_IN_COOKIE_TTL_MS)

/** This browser's cookie, valid or not, to compare with the hash in a check-in token; undefined without one. */
export const readRawCheckInCookie = (c: Context<AppEnv>) => readCookie(c, COOKIE)

const signupUse = ({ codeHash }: CheckInCookie): QuotaUse => {
  const quota = QUOTAS.checkInSignupsPerCode
  return { quota, key: `${quota.name}:${codeHash}` }
}

/**
 * Rate limit key of a sign-up. At a show many visitors share one IP address, so a browser with a check-in cookie is
 * limited by its cookie while the code has sign-ups left. Null for other browsers, which are limited by IP address.
 */
export async function signupRateLimitKey(c: Context<AppEnv>): Promise<string | null> {
  const cookie = await readCookieWithSignupsLeft(c)
  return cookie && `pass ${cookie.value}`
}

/**
 * The networks in whose quotas a sign-up is counted. Null if it is counted in the quota of the browser's check-in code
 * instead, because a whole venue signs up from one network.
 */
export async function signupNetworks(c: Context<AppEnv>): Promise<SignupNetworks | null> {
  if (await readCookieWithSignupsLeft(c)) return null
  const { signupsPerNetwork: maxPerNetwork } = c.var.config
  return { network64: clientNetwork64(c), prefix48: clientPrefix48(c), maxPerNetwork }
}

/** This browser's check-in cookie, if its code has sign-ups left. */
async function readCookieWithSignupsLeft(c: Context<AppEnv>): Promise<CheckInCookie | null> {
  const cookie = await readCheckInCookie(c)
  return cookie && (await hasQuotasLeft(c.var, [signupUse(cookie)], c.var.now())) ? cookie : null
}

/** Counts a sign-up in the quota of the browser's check-in code, if it has a check-in cookie. */
export async function countCheckInSignup(c: Context<AppEnv>): Promise<void> {
  const cookie = await readCheckInCookie(c)
  if (cookie) await consumeQuotas(c.var, [signupUse(cookie)], c.var.now())
}
