import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { clientNetwork64, clientPrefix48 } from '../http/rate-limit'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sign, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { consumeQuotas, hasQuotasLeft, QUOTAS, type QuotaUse } from '../quotas/quotas'
import { readCookie, writeCookie } from './cookies'
import type { SignupNetworks } from './signup-quota'

const COOKIE = 'arrival'
const PURPOSE = 'door-pass'

/** A visitor may sign up just before the token expires; the sign-up extends it by its TTL. */
const CHECK_IN_COOKIE_TTL_MS: Millis = 2 * limits.checkInTokenTtlMinutes * MINUTE_MS

/**
 * Binds check-in tokens to the browser that scanned. `codeHash` identifies the scanned code, for counting sign-ups;
 * `value` is the whole cookie.
 */
type CheckInCookie = { value: string; codeHash: string }

/** This browser's cookie; null if it is missing, forged or expired. */
export async function readCheckInCookie(c: Context<AppEnv>): Promise<CheckInCookie | null> {
  const value = readCookie(c, COOKIE)
  const payload = value === undefined ? null : await verifySignedValue(c.var.config.signingSecret, PURPOSE, value)
  const [codeHash, expiresAt] = payload?.split('~') ?? []
  return value === undefined || codeHash === undefined || Number(expiresAt) <= c.var.now() ? null : { value, codeHash }
}

/** Value of the cookie for a browser that entered a valid check-in `code`. */
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

/** The value, valid or not: a check-in token holds its hash. */
export const readRawCheckInCookie = (c: Context<AppEnv>) => readCookie(c, COOKIE)

const signupUse = ({ codeHash }: CheckInCookie): QuotaUse => {
  const quota = QUOTAS.checkInSignupsPerCode
  return { quota, key: `${quota.name}:${codeHash}` }
}

/**
 * Rate limit key of a sign-up. At a show many visitors share one IP address, so a browser with a check-in cookie is
 * limited by its cookie, up to the code's sign-up limit. Null for all others.
 */
export async function signupRateLimitKey(c: Context<AppEnv>): Promise<string | null> {
  const cookie = await readCookieWithSignupsLeft(c)
  return cookie && `pass ${cookie.value}`
}

/**
 * The networks whose quotas count a sign-up. Null while the quota of the browser's check-in code counts it instead: a
 * whole venue signs up from one network.
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

/** Counts a sign-up in a browser with a check-in cookie. */
export async function countCheckInSignup(c: Context<AppEnv>): Promise<void> {
  const cookie = await readCheckInCookie(c)
  if (cookie) await consumeQuotas(c.var, [signupUse(cookie)], c.var.now())
}
