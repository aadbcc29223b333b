import * as z from 'zod/mini'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { fromBase64url } from '../lib/crypto'

/** A public key as issuers publish it (RFC 7517). */
const Jwk = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), n: z.string(), e: z.string() })
export type Jwk = z.infer<typeof Jwk>
/** Keys of other kinds may stand beside them. */
export const Jwks = z.object({ keys: z.array(z.unknown()) })

const Header = z.object({ alg: z.literal('RS256'), kid: z.string() })
const Claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  exp: z.number(),
  iat: z.optional(z.number()),
  nonce: z.optional(z.string()),
  email: z.string(),
  email_verified: z.union([z.boolean(), z.string()]),
  name: z.optional(z.string()),
})

/** Who the issuer says this is. */
export type Identity = { subject: string; email: string; emailVerified: boolean; name: string }

/** Clocks differ by so much. */
const CLOCK_SKEW_MS: Millis = MINUTE_MS

type Expected = {
  issuer: string
  clientId: string /** Null where no log-in of ours asked for the token. */
  nonce: string | null
  now: Millis
}

/**
 * Reads an OpenID Connect ID token once its RS256 signature, issuer, audience, expiry and nonce are right; null
 * otherwise. `keyOf` fetches the issuer's key of this id. No other algorithm is known here, `none` least of all.
 */
export async function verifyIdToken(
  token: string,
  keyOf: (kid: string) => Promise<Jwk | null>,
  { issuer, clientId, nonce, now }: Expected,
): Promise<Identity | null> {
  const [head, body, signature, ...rest] = token.split('.')
  if (!head || !body || !signature || rest.length > 0) return null
  const header = Header.safeParse(decodeJson(head)).data
  const claims = Claims.safeParse(decodeJson(body)).data
  if (!header || !claims) return null
  const jwk = await keyOf(header.kid)
  if (!jwk || !(await verifySignature(jwk, `${head}.${body}`, signature))) return null

  const audiences = [claims.aud].flat()
  const right =
    // Google leaves the scheme off in some of its tokens.
    (claims.iss === issuer || `https://${claims.iss}` === issuer) &&
    audiences.includes(clientId) &&
    (audiences.length === 1 || claims.azp === clientId) &&
    claims.exp * SECOND_MS > now - CLOCK_SKEW_MS &&
    (claims.iat ?? 0) * SECOND_MS < now + CLOCK_SKEW_MS &&
    (nonce === null || claims.nonce === nonce)
  if (!right) return null
  const { sub, email, email_verified, name = '' } = claims
  return { subject: sub, email, emailVerified: email_verified === true || email_verified === 'true', name }
}

/** The key of this id in a published set; null when there is none. */
export function findKey(set: z.infer<typeof Jwks>, kid: string): Jwk | null {
  return set.keys.map((key) => Jwk.safeParse(key).data).find((key) => key?.kid === kid) ?? null
}

async function verifySignature({ n, e }: Jwk, text: string, signature: string): Promise<boolean> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  try {
    const key = await crypto.subtle.importKey('jwk', { kty: 'RSA', n, e }, algorithm, false, ['verify'])
    return await crypto.subtle.verify(algorithm, key, fromBase64url(signature), new TextEncoder().encode(text))
  } catch {
    return false
  }
}

function decodeJson(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(fromBase64url(part)))
  } catch {
    return null
  }
}

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
