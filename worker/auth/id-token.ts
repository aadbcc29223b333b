import * as z from 'zod/mini'
import { MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
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
