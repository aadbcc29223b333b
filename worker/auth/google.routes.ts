import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { authApi } from '../contract/auth'
import { returnPath } from '../contract/pages'
import { AGE_NOTICE_VERSION } from '../contract/retention'
import type { AppEnv } from '../http/app-env'
import { depsOf, siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, SECOND_MS } from '../lib/clock'
import { base64url, fromBase64url, randomSecret, signValue, verifySignedValue } from '../lib/crypto'
import { signupNetworks } from './check-in-cookie'
import { clearCookie, readBrowserUserIds, readCookie, writeCookie } from './cookies'
import { toMe, type UserRow } from './current-user'
import { findOrCreateGoogleUser, googleLoginError } from './google'
import { discoverIssuer, verifyIdToken } from './id-token'
import { secondFactorStatus } from './second-factor'
import { withSignupQuota } from './signup-quota'
import { startSession } from './start-session'

export const googleRoutes = new Hono<AppEnv>()

/** OAuth state in a signed cookie: valid for ten minutes, used once. */
const OAuthState = z.object({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  back: z.string(),
  referralCode: z.string(),
})
const COOKIE = 'oauth'
const OAUTH_COOKIE_TTL_MS = 10 * MINUTE_MS

/** Survives a failed sign-in: the return path and a referral code. */
type ReturnParams = Pick<z.infer<typeof OAuthState>, 'back' | 'referralCode'>

/** Redirects to the login page with an error and the parameters for a retry. */
function redirectToLogin(c: Context<AppEnv>, params: ReturnParams | null, error: 'google' | 'signups' = 'google') {
  const query = new URLSearchParams({ error })
  if (params && params.back !== '/') query.set('return', params.back)
  if (params?.referralCode) query.set('ref', params.referralCode)
  return c.redirect(`/login?${query}`, 303)
}
const oauthClient = (c: Context<AppEnv>, { clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  new OAuth2Client(clientId, clientSecret, `${siteOrigin(c)}${authApi.googleCallback.path}`)

googleRoutes.get(authApi.google.path, rateLimit('LIMIT_AUTH'), async (c) => {
  const { google, signingSecret } = c.var.config
  const returnParams: ReturnParams = {
    back: returnPath(c.req.query('return')),
    referralCode: (c.req.query('referralCode') ?? '').slice(0, 64),
  }
  if (!google) return redirectToLogin(c, returnParams)
  const endpoints = await discoverIssuer(google.issuer, c.var.now()).catch(() => null)
  if (!endpoints) return redirectToLogin(c, returnParams)
  const oauthState = { ...returnParams, state: randomSecret(), verifier: generateCodeVerifier(), nonce: randomSecret() }
  const url = oauthClient(c, google).createAuthorizationURLWithPKCE(
    endpoints.authorization_endpoint,
    oauthState.state,
    CodeChallengeMethod.S256,
    oauthState.verifier,
    ['openid', 'email', 'profile'],
  )
  url.searchParams.set('nonce', oauthState.nonce)
  const value = base64url(new TextEncoder().encode(JSON.stringify(oauthState)))
  writeCookie(c, COOKIE, await signValue(signingSecret, COOKIE, `${c.var.now()}~${value}`), OAUTH_COOKIE_TTL_MS)
  return c.redirect(url.href, 302)
})

googleRoutes.get(authApi.googleCallback.path, rateLimit('LIMIT_AUTH'), async (c) => {
  const oauthState = await readOAuthState(c)
  clearCookie(c, COOKIE)
  const { google } = c.var.config
  const { state, code } = c.req.query()
  if (!google || !oauthState || !code || state !== oauthState.state) return redirectToLogin(c, oauthState)
  const user = await exchangeCode(c, google, oauthState, code).catch((error: Error) => {
    if (error instanceof AppError && error.code === 'rate_limited') return 'signups' as const
    console.error(JSON.stringify({ at: 'google', id: c.var.requestId, name: error.name }))
    return 'google' as const
  })
  if (typeof user === 'string') return redirectToLogin(c, oauthState, user)
  await startGoogleSession(c, user)
  return c.redirect(oauthState.back, 303)
})

googleRoutes.post(authApi.googleToken.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.googleToken), async (c) => {
  const { google } = c.var.config
  if (!google) throw new AppError('google_off', 'Google sign-in is not set up on this site yet.')
  const { googleToken } = c.req.valid('json')
  const user = await userOfIdToken(c, google, googleToken, null, '')
  await startGoogleSession(c, user)
  return c.json(toMe(user))
})

/** An administrator with a second factor still has to enter it before a sensitive action. */
async function startGoogleSession(c: Context<AppEnv>, user: UserRow): Promise<void> {
  const isProven = user.role !== 'administrator' || !(await secondFactorStatus(c.var.db, user.id)).enabled
  await startSession(c, user, isProven ? {} : { provenAt: 0 })
}

type GoogleConfig = NonNullable<AppEnv['Variables']['config']['google']>

async function readOAuthState(c: Context<AppEnv>): Promise<z.infer<typeof OAuthState> | null> {
  const payload = await verifySignedValue(c.var.config.signingSecret, COOKIE, readCookie(c, COOKIE) ?? '')
  const [startedAt, value] = payload?.split('~') ?? []
  if (!startedAt || !value || c.var.now() - Number(startedAt) > OAUTH_COOKIE_TTL_MS) return null
  return OAuthState.safeParse(JSON.parse(new TextDecoder().decode(fromBase64url(value)))).data ?? null
}

/** Exchanges the authorization code for a verified ID token. @throws if Google's response is invalid. */
async function exchangeCode(
  c: Context<AppEnv>,
  google: GoogleConfig,
  oauthState: z.infer<typeof OAuthState>,
  code: string,
) {
  const { token_endpoint } = await discoverIssuer(google.issuer, c.var.now())
  const exchange = oauthClient(c, google).validateAuthorizationCode(token_endpoint, code, oauthState.verifier)
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(googleLoginError()), 10 * SECOND_MS))
  const tokens = await Promise.race([exchange, timeout])
  return userOfIdToken(c, google, tokens.idToken(), oauthState.nonce, oauthState.referralCode)
}

async function userOfIdToken(
  c: Context<AppEnv>,
  google: GoogleConfig,
  token: string,
  nonce: string | null,
  referralCode: string,
) {
  const now = c.var.now()
  const identity = await verifyIdToken(token, {
    ...google,
    nonce,
    now,
  })
  if (!identity) throw googleLoginError()
  const browserUserIds = await readBrowserUserIds(c)
  // Only a redirect flow (with nonce) started below our age notice.
  const ageWording = nonce === null ? null : AGE_NOTICE_VERSION
  const withQuota = async (create: () => Promise<void>) =>
    withSignupQuota(depsOf(c), await signupNetworks(c), now, create)
  return findOrCreateGoogleUser(depsOf(c), identity, { code: referralCode, browserUserIds, ageWording, withQuota }, now)
}
