import * as z from 'zod/mini'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { findKey, type Jwk, Jwks } from './id-token'

const Discovery = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url(), jwks_uri: z.url() })
export type Discovery = z.infer<typeof Discovery>

const ISSUER_TIMEOUT_MS: Millis = 8 * SECOND_MS
const cache = new Map<string, { at: Millis; value: unknown }>()

/**
 * Fetches public JSON and keeps it in this isolate for `life`. What is under way is not kept: it ends with the request
 * that began it, and whoever waited for it with them would never be answered. @throws on anything but JSON.
 */
async function fetchCachedJson(url: string, maxAgeMs: Millis, now: Millis): Promise<unknown> {
  const cached = cache.get(url)
  if (cached && now - cached.at < maxAgeMs && now >= cached.at) return cached.value
  const response = await fetch(url, {
    signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The issuer answered ${response.status}.`)
  const value = await response.json()
  cache.set(url, { at: now, value })
  return value
}

/** Where an issuer takes log-ins, hands out tokens and publishes its keys (OpenID Connect Discovery 1.0). */
export async function discoverIssuer(issuer: string, now: Millis): Promise<Discovery> {
  return Discovery.parse(await fetchCachedJson(`${issuer}/.well-known/openid-configuration`, HOUR_MS, now))
}

/** The issuer's key of this id. A key that is not known yet is looked for again, at most once a minute. */
export async function findIssuerKey(issuer: string, kid: string, now: Millis): Promise<Jwk | null> {
  const { jwks_uri } = await discoverIssuer(issuer, now)
  const findInKeys = async (life: Millis) => findKey(Jwks.parse(await fetchCachedJson(jwks_uri, life, now)), kid)
  return (await findInKeys(HOUR_MS)) ?? (await findInKeys(MINUTE_MS))
}
