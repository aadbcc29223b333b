import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { adminSessionApi } from '../contract/admin'
import { authApi } from '../contract/auth'
import { adminReturnPath, returnPath } from '../contract/pages'
import { AGE_NOTICE_VERSION } from '../contract/retention'
import type { AppEnv } from '../http/app-env'
import { depsOf, siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, SECOND_MS } from '../lib/clock'
import { base64url, fromBase64url, randomSecret, signValue, verifySignedValue } from '../lib/crypto'
import { logError } from '../lib/log'
import { signupNetworks } from './check-in-cookie'
import { clearCookie, readBrowserUserIds, readCookie, writeCookie } from './cookies'
import { toMe, type UserRow } from './current-user'
import { findAdministrator, findGoogleAdministrator, findOrCreateGoogleUser, googleLoginError } from './google'
import { discoverIssuer, type OidcIdentity, verifyIdToken } from './id-token'
import { consumeOneTimeValue } from './one-time-values'
import { readSecondFactorStatus, requireSecondFactor } from './second-factor'
import { withSignupQuota } from './signup-quota'
import { startAdminSession, startSession } from './start-session'

export const googleRoutes = new Hono<AppEnv>()

/** OAuth state in a signed cookie: valid for ten minutes, used once. */
const OAuthState = z.object({
  state: z.string(),
  /** PKCE code verifier. */
  verifier: z.string(),
  nonce: z.string(),
  /** Path to return to after the sign-in. */
  back: z.string(),
  referralCode: z.string(),
  /** Whether the sign-in is for the dashboard. */
  isAdmin: z._default(z.boolean(), false),
})
const OAUTH_COOKIE = 'oauth'
const OAUTH_COOKIE_TTL_MS = 10 * MINUTE_MS

/** What the login page gets back after a failed sign-in, for a retry. */
type ReturnParams = Pick<z.infer<typeof OAuthState>, 'back' | 'referralCode' | 'isAdmin'>

function redirectToLogin(c: Context<AppEnv>, params: ReturnParams | null, error: 'google' | 'signups' = 'google') {
  const query = new URLSearchParams({ error })
  if (params?.isAdmin) return redirectToAdminLogin(c, params, query)
  if (params && params.back !== '/') query.set('return', params.back)
  if (params?.referralCode) query.set('ref', params.referralCode)
  return c.redirect(`/login?${query}`, 303)
}

function redirectToAdminLogin(c: Context<AppEnv>, { back }: ReturnParams, query: URLSearchParams) {
  if (back !== '/admin') query.set('return', back)
  return c.redirect(`/admin-login?${query}`, 303)
}

const oauthClient = (c: Context<AppEnv>, { clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  new OAuth2Client(clientId, clientSecret, `${siteOrigin(c)}${authApi.googleCallback.path}`)

googleRoutes.get(authApi.google.path, rateLimit('LIMIT_AUTH'), async (c) => {
  const { google, signingSecret } = c.var.config
  const isAdmin = c.req.query('for') === 'admin'
  const returnParams: ReturnParams = {
    isAdmin,
    back: isAdmin ? adminReturnPath(c.req.query('return')) : returnPath(c.req.query('return')),
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
  // For the dashboard or re-authentication, Google must prompt the user.
  if (isAdmin || (await c.var.session.payloadIfAvailable())) url.searchParams.set('prompt', 'select_account')
  const value = base64url(new TextEncoder().encode(JSON.stringify(oauthState)))
  writeCookie(
    c,
    OAUTH_COOKIE,
    await signValue(signingSecret, OAUTH_COOKIE, `${c.var.now()}~${value}`),
    OAUTH_COOKIE_TTL_MS,
  )
  return c.redirect(url.href, 302)
})

googleRoutes.get(authApi.googleCallback.path, rateLimit('LIMIT_AUTH'), async (c) => {
  const oauthState = await readOAuthState(c)
  clearCookie(c, OAUTH_COOKIE)
  const { google } = c.var.config
  const { state, code } = c.req.query()
  if (!google || !oauthState || !code || state !== oauthState.state) return redirectToLogin(c, oauthState)
  const error = await logIn(c, google, oauthState, code).then(
    () => null,
    (cause: Error) => {
      if (cause instanceof AppError && cause.code === 'rate_limited') return 'signups' as const
      logError('google', cause, { id: c.var.requestId })
      return 'google' as const
    },
  )
  if (error) return redirectToLogin(c, oauthState, error)
  return oauthState.isAdmin
    ? redirectToAdminLogin(c, oauthState, new URLSearchParams({ google: 'confirmed' }))
    : c.redirect(oauthState.back, 303)
})

/** Starts a supporter's session. For the dashboard, sets the cookie with which its page starts an admin session. */
async function logIn(
  c: Context<AppEnv>,
  google: GoogleConfig,
  oauthState: z.infer<typeof OAuthState>,
  code: string,
): Promise<void> {
  const identity = await exchangeCode(c, google, oauthState, code)
  if (oauthState.isAdmin) await setGoogleAdminCookie(c, await findGoogleAdministrator(c.var.db, identity))
  else await startGoogleSession(c, await findOrCreateUser(c, identity, oauthState), identity)
}

const GOOGLE_ADMIN_COOKIE = 'google-admin'
const GOOGLE_ADMIN_COOKIE_TTL_MS = 5 * MINUTE_MS

/** Sets a signed cookie that proves the sign-in with the administrator's Google account, once and for five minutes. */
async function setGoogleAdminCookie(c: Context<AppEnv>, { id, epoch }: UserRow): Promise<void> {
  const value = `${id}~${epoch}~${c.var.now() + GOOGLE_ADMIN_COOKIE_TTL_MS}~${randomSecret()}`
  writeCookie(
    c,
    GOOGLE_ADMIN_COOKIE,
    await signValue(c.var.config.signingSecret, GOOGLE_ADMIN_COOKIE, value),
    GOOGLE_ADMIN_COOKIE_TTL_MS,
  )
}

const expiredGoogleLoginError = () =>
  new AppError('bad_token', 'Your Google sign-in has expired. Please continue with Google again.')

googleRoutes.post(
  adminSessionApi.google.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.google),
  async (c) => {
    const now = c.var.now()
    const cookie = readCookie(c, GOOGLE_ADMIN_COOKIE) ?? ''
    const value = await verifySignedValue(c.var.config.signingSecret, GOOGLE_ADMIN_COOKIE, cookie)
    const [id = 0, epoch = 0, expiresAt = 0] = value?.split('~').map(Number) ?? []
    const user = value && now < expiresAt && (await findAdministrator(c.var.db, id, epoch))
    if (!user) throw expiredGoogleLoginError()
    await requireSecondFactor(depsOf(c), user.id, c.req.valid('json').code, now)
    if (!(await consumeOneTimeValue(c.var.db, { value, expiresAt }))) throw expiredGoogleLoginError()
    clearCookie(c, GOOGLE_ADMIN_COOKIE)
    return c.json(await startAdminSession(c, user))
  },
)

googleRoutes.post(authApi.googleToken.path, rateLimit('LIMIT_AUTH'), validateBody(authApi.googleToken), async (c) => {
  const { google } = c.var.config
  if (!google) throw new AppError('google_off', 'Google sign-in is not set up on this site yet.')
  const { googleToken } = c.req.valid('json')
  const identity = await verifyIdentity(c, google, googleToken, null)
  const user = await findOrCreateUser(c, identity, null)
  await startGoogleSession(c, user, identity)
  return c.json(toMe(user))
})

/** Starts a session whose time of authentication is the ID token's issue time; 0 for an admin with a second factor. */
async function startGoogleSession(c: Context<AppEnv>, user: UserRow, { issuedAt }: OidcIdentity): Promise<void> {
  const countsAsReauthentication =
    user.role !== 'administrator' || !(await readSecondFactorStatus(c.var.db, user.id)).enabled
  await startSession(c, user, { provenAt: countsAsReauthentication ? Math.min(issuedAt, c.var.now()) : 0 })
}

type GoogleConfig = NonNullable<AppEnv['Variables']['config']['google']>

async function readOAuthState(c: Context<AppEnv>): Promise<z.infer<typeof OAuthState> | null> {
  const payload = await verifySignedValue(c.var.config.signingSecret, OAUTH_COOKIE, readCookie(c, OAUTH_COOKIE) ?? '')
  const [startedAt, value] = payload?.split('~') ?? []
  if (!startedAt || !value || c.var.now() - Number(startedAt) > OAUTH_COOKIE_TTL_MS) return null
  return OAuthState.safeParse(JSON.parse(new TextDecoder().decode(fromBase64url(value)))).data ?? null
}

/** Exchanges the authorization code for a verified identity. @throws if Google's response is invalid. */
async function exchangeCode(
  c: Context<AppEnv>,
  google: GoogleConfig,
  oauthState: z.infer<typeof OAuthState>,
  code: string,
): Promise<OidcIdentity> {
  const { token_endpoint } = await discoverIssuer(google.issuer, c.var.now())
  const exchange = oauthClient(c, google).validateAuthorizationCode(token_endpoint, code, oauthState.verifier)
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(googleLoginError()), 10 * SECOND_MS))
  const tokens = await Promise.race([exchange, timeout])
  return verifyIdentity(c, google, tokens.idToken(), oauthState.nonce)
}

async function verifyIdentity(
  c: Context<AppEnv>,
  google: GoogleConfig,
  token: string,
  nonce: string | null,
): Promise<OidcIdentity> {
  const identity = await verifyIdToken(token, { ...google, nonce, now: c.var.now() })
  if (!identity) throw googleLoginError()
  return identity
}

/** The user of an identity, created if new. `oauthState` is that of the redirect flow; null for a posted token. */
async function findOrCreateUser(
  c: Context<AppEnv>,
  identity: OidcIdentity,
  oauthState: { referralCode: string } | null,
): Promise<UserRow> {
  const now = c.var.now()
  const browserUserIds = await readBrowserUserIds(c)
  const referralCode = oauthState?.referralCode ?? ''
  // Only the redirect flow showed the age notice.
  const ageWording = oauthState && AGE_NOTICE_VERSION
  const withQuota = async (create: () => Promise<void>) =>
    withSignupQuota(depsOf(c), await signupNetworks(c), now, create)
  return findOrCreateGoogleUser(depsOf(c), identity, { referralCode, browserUserIds, ageWording, withQuota }, now)
}
