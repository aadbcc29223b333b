import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { AGE_WORDING } from '../contract/age'
import { authApi } from '../contract/auth'
import { returnPath } from '../contract/return-path'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { MINUTE, SECOND } from '../lib/clock'
import { Refused } from '../lib/refused'
import { base64url, fromBase64url, randomSecret } from '../lib/secret'
import { seal, unseal } from '../lib/signature'
import { dropOwnCookie, ownCookie, setOwnCookie } from './cookies'
import { enter } from './enter'
import { googleFailed, personOfGoogle } from './google'
import { readIdToken } from './id-token'
import { discover, issuerKey } from './openid'
import { meOf } from './people'

export const googleRoutes = new Hono<AppEnv>()

/** What a log-in on its way to Google leaves in the browser: signed, for ten minutes, used once. */
const Journey = z.object({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  back: z.string(),
  referralCode: z.string(),
})
const COOKIE = 'oauth'
const LIFE = 10 * MINUTE

/** What a journey that fails must not lose: where the visitor came from, and a friend's code. */
type Luggage = Pick<z.infer<typeof Journey>, 'back' | 'referralCode'>

/** Back to the door, with its toast and the luggage: the second try knows what the first one knew. */
function failed(c: Context<AppEnv>, luggage: Luggage | null) {
  const query = new URLSearchParams({ error: 'google' })
  if (luggage && luggage.back !== '/') query.set('return', luggage.back)
  if (luggage?.referralCode) query.set('ref', luggage.referralCode)
  return c.redirect(`/login?${query}`, 303)
}
const clientOf = (c: Context<AppEnv>, { clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  new OAuth2Client(clientId, clientSecret, `${siteOrigin(c)}${authApi.googleCallback.path}`)

googleRoutes.get(authApi.google.path, limited('LIMIT_AUTH'), async (c) => {
  const { google, signingSecret } = c.var.config
  const luggage: Luggage = {
    back: returnPath(c.req.query('return')),
    referralCode: (c.req.query('referralCode') ?? '').slice(0, 64),
  }
  if (!google) return failed(c, luggage)
  const endpoints = await discover(google.issuer, c.var.now()).catch(() => null)
  if (!endpoints) return failed(c, luggage)
  const journey = { ...luggage, state: randomSecret(), verifier: generateCodeVerifier(), nonce: randomSecret() }
  const url = clientOf(c, google).createAuthorizationURLWithPKCE(
    endpoints.authorization_endpoint,
    journey.state,
    CodeChallengeMethod.S256,
    journey.verifier,
    ['openid', 'email', 'profile'],
  )
  url.searchParams.set('nonce', journey.nonce)
  const value = base64url(new TextEncoder().encode(JSON.stringify(journey)))
  setOwnCookie(c, COOKIE, await seal(signingSecret, COOKIE, `${c.var.now()}~${value}`), LIFE)
  return c.redirect(url.href, 302)
})

googleRoutes.get(authApi.googleCallback.path, limited('LIMIT_AUTH'), async (c) => {
  const journey = await journeyOf(c)
  dropOwnCookie(c, COOKIE)
  const { google } = c.var.config
  const { state, code } = c.req.query()
  if (!google || !journey || !code || state !== journey.state) return failed(c, journey)
  const person = await exchanged(c, google, journey, code).catch((error: Error) => {
    console.error(JSON.stringify({ at: 'google', id: c.var.requestId, name: error.name }))
    return null
  })
  if (!person) return failed(c, journey)
  await enter(c, person)
  return c.redirect(journey.back, 303)
})

googleRoutes.post(authApi.googleToken.path, limited('LIMIT_AUTH'), body(authApi.googleToken), async (c) => {
  const { google } = c.var.config
  if (!google) throw new Refused('google_off', 'Google sign-in is not set up on this site yet.')
  const { googleToken } = c.req.valid('json')
  const person = await whoHolds(c, google, googleToken, null, '')
  await enter(c, person)
  return c.json(meOf(person))
})

type Google = NonNullable<AppEnv['Variables']['config']['google']>

async function journeyOf(c: Context<AppEnv>): Promise<z.infer<typeof Journey> | null> {
  const opened = await unseal(c.var.config.signingSecret, COOKIE, ownCookie(c, COOKIE) ?? '')
  const [begun, value] = opened?.split('~') ?? []
  if (!begun || !value || c.var.now() - Number(begun) > LIFE) return null
  return Journey.safeParse(JSON.parse(new TextDecoder().decode(fromBase64url(value)))).data ?? null
}

/** Trades the code for an ID token and reads it. @throws when Google does not answer as it should. */
async function exchanged(c: Context<AppEnv>, google: Google, journey: z.infer<typeof Journey>, code: string) {
  const { token_endpoint } = await discover(google.issuer, c.var.now())
  const trade = clientOf(c, google).validateAuthorizationCode(token_endpoint, code, journey.verifier)
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(googleFailed()), 10 * SECOND))
  const tokens = await Promise.race([trade, late])
  return whoHolds(c, google, tokens.idToken(), journey.nonce, journey.referralCode)
}

async function whoHolds(c: Context<AppEnv>, google: Google, token: string, nonce: string | null, referralCode: string) {
  const now = c.var.now()
  const identity = await readIdToken(token, (kid) => issuerKey(google.issuer, kid, now), { ...google, nonce, now })
  if (!identity) throw googleFailed()
  const here = (await c.var.session.reader())?.userId ?? null
  // A journey began at our button, and the sentence stands below it; a token may come from anywhere.
  const ageWording = nonce === null ? null : AGE_WORDING
  return personOfGoogle(
    { db: c.env.DB, secret: c.var.config.signingSecret },
    identity,
    { code: referralCode, here, ageWording },
    now,
  )
}
