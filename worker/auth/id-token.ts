import { decodeProtectedHeader, importJWK, type JWTVerifyResult, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import { emailError } from '../contract/credential-rules'
import { HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'

/** A public key as issuers publish it (RFC 7517). */
const Jwk = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), n: z.string(), e: z.string() })
type Jwk = z.infer<typeof Jwk>
/** `unknown`, because the list may contain keys of other types. */
const Jwks = z.object({ keys: z.array(z.unknown()) })

/** Claims that are read once jose has checked the token. */
const Claims = z.object({
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  iat: z.number(),
  nonce: z.optional(z.string()),
  email: z.string().check(z.refine((email) => emailError(email) === null)),
  email_verified: z.union([z.boolean(), z.string()]),
  name: z.optional(z.string()),
})

/** The user as the issuer describes them. */
export type OidcIdentity = { subject: string; email: string; emailVerified: boolean; name: string; issuedAt: Millis }

const CLOCK_SKEW_MS: Millis = MINUTE_MS

/** `nonce` is null if the token was not requested by this site's redirect. */
type ExpectedClaims = { issuer: string; clientId: string; nonce: string | null; now: Millis }

/**
 * Verifies an OpenID Connect ID token: RS256 signature, issuer, audience, authorized party, times, nonce and address.
 * @returns null for an invalid token.
 * @throws if the issuer's keys cannot be fetched.
 */
export async function verifyIdToken(token: string, expected: ExpectedClaims): Promise<OidcIdentity | null> {
  const kid = readKeyId(token)
  const jwk = kid === null ? null : await findIssuerKey(expected.issuer, kid, expected.now)
  const verified = jwk && (await verifyWithKey(token, jwk, expected))
  const claims = verified && Claims.safeParse(verified.payload).data
  if (!claims) return null
  const { clientId, nonce, now } = expected
  const audiences = [claims.aud].flat()
  const hasValidClaims =
    (claims.azp === undefined ? audiences.length === 1 : claims.azp === clientId) &&
    claims.iat * SECOND_MS < now + CLOCK_SKEW_MS &&
    (nonce === null || claims.nonce === nonce)
  if (!hasValidClaims) return null
  const { sub, email, email_verified, iat, name = '' } = claims
  const emailVerified = email_verified === true || email_verified === 'true'
  return { subject: sub, email, emailVerified, name, issuedAt: iat * SECOND_MS }
}

/** The key id of an RS256 token without critical extensions; null for any other. */
function readKeyId(token: string): string | null {
  try {
    const { alg, kid, crit } = decodeProtectedHeader(token)
    return alg === 'RS256' && crit === undefined ? (kid ?? null) : null
  } catch {
    return null
  }
}

async function verifyWithKey(
  token: string,
  { kty, n, e }: Jwk,
  expected: ExpectedClaims,
): Promise<JWTVerifyResult | null> {
  const { issuer, clientId, now } = expected
  try {
    return await jwtVerify(token, await importJWK({ kty, n, e }, 'RS256'), {
      algorithms: ['RS256'],
      // Google omits the scheme in some of its tokens.
      issuer: [issuer, issuer.replace(/^https:\/\//, '')],
      audience: clientId,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW_MS / SECOND_MS,
      currentDate: new Date(now),
    })
  } catch {
    return null
  }
}

const Discovery = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url(), jwks_uri: z.url() })
type Discovery = z.infer<typeof Discovery>

const ISSUER_TIMEOUT_MS: Millis = 8 * SECOND_MS
const jsonCache = new Map<string, { at: Millis; value: unknown }>()

/**
 * Fetches public JSON and caches it in this isolate. Pending fetches are not shared: in Workers a fetch ends with the
 * request that started it, and requests waiting for it would hang. That rules out jose's `createRemoteJWKSet`.
 * @throws on anything but JSON.
 */
async function fetchCachedJson(url: string, maxAgeMs: Millis, now: Millis): Promise<unknown> {
  const cached = jsonCache.get(url)
  if (cached && now - cached.at < maxAgeMs && now >= cached.at) return cached.value
  const response = await fetch(url, {
    signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The issuer responded with ${response.status}.`)
  const value = await response.json()
  jsonCache.set(url, { at: now, value })
  return value
}

/** The issuer's endpoints (OpenID Connect Discovery 1.0). */
export async function discoverIssuer(issuer: string, now: Millis): Promise<Discovery> {
  return Discovery.parse(await fetchCachedJson(`${issuer}/.well-known/openid-configuration`, HOUR_MS, now))
}

/** The issuer's key with this id. For an unknown id the keys are fetched again, at most once a minute. */
async function findIssuerKey(issuer: string, kid: string, now: Millis): Promise<Jwk | null> {
  const { jwks_uri } = await discoverIssuer(issuer, now)
  const findKey = async (maxAgeMs: Millis) => {
    const { keys } = Jwks.parse(await fetchCachedJson(jwks_uri, maxAgeMs, now))
    return keys.map((key) => Jwk.safeParse(key).data).find((key) => key?.kid === kid) ?? null
  }
  return (await findKey(HOUR_MS)) ?? (await findKey(MINUTE_MS))
}
