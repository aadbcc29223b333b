import * as z from 'zod/mini'
import { HOUR, MINUTE, type Millis, SECOND } from '../lib/clock'
import { type Jwk, Jwks, keyIn } from './id-token'

const Discovery = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url(), jwks_uri: z.url() })
export type Discovery = z.infer<typeof Discovery>

const PATIENCE: Millis = 8 * SECOND
const known = new Map<string, { at: Millis; value: unknown }>()

/**
 * Fetches public JSON and keeps it in this isolate for `life`. What is under way is not kept: it ends with the request
 * that began it, and whoever waited for it with them would never be answered. @throws on anything but JSON.
 */
async function published(url: string, life: Millis, now: Millis): Promise<unknown> {
  const kept = known.get(url)
  if (kept && now - kept.at < life && now >= kept.at) return kept.value
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`The issuer answered ${answer.status}.`)
  const value = await answer.json()
  known.set(url, { at: now, value })
  return value
}

/** Where an issuer takes log-ins, hands out tokens and publishes its keys (OpenID Connect Discovery 1.0). */
export async function discover(issuer: string, now: Millis): Promise<Discovery> {
  return Discovery.parse(await published(`${issuer}/.well-known/openid-configuration`, HOUR, now))
}

/** The issuer's key of this id. A key that is not known yet is looked for again, at most once a minute. */
export async function issuerKey(issuer: string, kid: string, now: Millis): Promise<Jwk | null> {
  const { jwks_uri } = await discover(issuer, now)
  const find = async (life: Millis) => keyIn(Jwks.parse(await published(jwks_uri, life, now)), kid)
  return (await find(HOUR)) ?? (await find(MINUTE))
}
