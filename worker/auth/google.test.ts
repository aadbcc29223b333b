import { env } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { AGE_NOTICE_VERSION } from '../contract/retention'
import { DAY_MS, MINUTE_MS } from '../lib/clock'
import { type Browser, newBrowser, statusAndCodeOf } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { fakeOidcProvider, GOOGLE_ENV, ISSUER, logInWithGoogle } from '../testing/oidc-provider'
import { seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, PASSWORD, uniqueIp } from '../testing/users'

let now = Date.parse('2026-07-01T16:00:00Z')
let issuer: Awaited<ReturnType<typeof fakeOidcProvider>>
const LOGIN_ERROR_PATH = '/login?error=google'

beforeAll(() => seedSite(env.DB, { site: { name: 'Coral Kingsley', referralPrefix: 'CORAL' } }))
beforeEach(async () => {
  // Each test uses another day: the issuer's metadata is cached for an hour.
  now += DAY_MS
  issuer = await fakeOidcProvider(now)
  vi.spyOn(globalThis, 'fetch').mockImplementation(issuer.fetch)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const newVisitor = () => newBrowser({ address: uniqueIp(), at: now, env: GOOGLE_ENV })
const userRow = (column: string, value: unknown) =>
  env.DB.prepare(`SELECT * FROM users WHERE ${column} = ?`).bind(value).first<Record<string, unknown>>()

type LogInParameters = Parameters<typeof logInWithGoogle>
const signIn = (
  browser: Browser,
  claims?: LogInParameters[2],
  query?: LogInParameters[3],
  change?: LogInParameters[4],
) => logInWithGoogle(issuer, browser, claims, query, change)
const getStatus = async (browser: Browser) =>
  (await browser.send('GET', '/api/auth/status')).json<Record<string, unknown> | null>()

test('Google sign-up creates a confirmed, logged-in account with a username', async () => {
  const browser = newVisitor()
  const { url, location } = await signIn(
    browser,
    { sub: 'new', email: 'New.Fan@mail.example', name: 'Zoë Fan' },
    '?return=/subscribe',
  )
  expect([url.origin, url.searchParams.get('code_challenge_method'), url.searchParams.get('scope')]).toEqual([
    ISSUER,
    'S256',
    'openid email profile',
  ])
  expect(url.searchParams.get('redirect_uri')).toBe('https://fan.example/api/auth/google/callback')
  expect(location).toBe('/subscribe')
  expect(await getStatus(browser)).toMatchObject({
    username: 'Zoe.Fan',
    email: 'New.Fan@mail.example',
    emailVerified: true,
    referralCode: expect.stringMatching(/^CORAL\d+[A-Z0-9]{3}$/),
  })
  expect(await userRow('username', 'Zoe.Fan')).toMatchObject({ age_confirmed_at: now, age_wording: AGE_NOTICE_VERSION })
  const tokenRequest = new URLSearchParams(issuer.requests.find(({ path }) => path === '/token')?.body)
  expect([tokenRequest.get('code'), tokenRequest.get('code_verifier')?.length]).toEqual(['c1', 43])
})

test('a Google sign-up with a referral code rewards both users', async () => {
  const { id } = await addNamedUser('friend', { referralCode: 'CORAL77XYZ' })
  const browser = newVisitor()
  await signIn(browser, { sub: 'ref', email: 'ref@mail.example' }, '?referralCode=coral77xyz')
  expect(await getStatus(browser)).toMatchObject({ points: 50 })
  expect((await userRow('id', id))?.points).toBe(200)
})

test('the same Google user keeps the account after changing address', async () => {
  const [before, after] = [newVisitor(), newVisitor()]
  await signIn(before, { sub: 'same', email: 'before@mail.example' })
  await signIn(after, { sub: 'same', email: 'after@mail.example' })
  expect((await getStatus(after))?.id).toBe((await getStatus(before))?.id)
})

test('links Google to a confirmed account and keeps its password', async () => {
  const { id } = await addNamedUser('joined', { email: 'joined@mail.example' })
  const browser = newVisitor()
  await signIn(browser, { sub: 'join', email: 'Joined@mail.example' })
  expect((await getStatus(browser))?.id).toBe(id)
  const login = { username: 'joined', password: PASSWORD }
  expect((await newVisitor().send('POST', '/api/auth/login', login)).status).toBe(200)
})

test('linking Google to an unconfirmed account deletes its other credentials', async () => {
  await addNamedUser('referrer-of-squatter', { referralCode: 'CORAL76XYZ' })
  const attacker = newBrowser({ address: uniqueIp(), at: now })
  await attacker.send('POST', '/api/auth/signup', {
    username: 'squatter',
    referralCode: 'CORAL76XYZ',
    email: 'victim@mail.example',
    password: PASSWORD,
  })
  const link = await tokenFromEmail('verify', 'victim@mail.example')
  const victim = newVisitor()
  await signIn(victim, { sub: 'victim', email: 'victim@mail.example' })
  expect(await getStatus(victim)).toMatchObject({ email: 'victim@mail.example', emailVerified: true })
  expect(await getStatus(attacker)).toBe(null)
  expect((await userRow('username', 'referrer-of-squatter'))?.points).toBe(0)
  const again = newBrowser({ address: uniqueIp(), at: now })
  expect((await again.send('POST', '/api/auth/login', { username: 'squatter', password: PASSWORD })).status).toBe(401)
  expect((await again.send('POST', '/api/auth/email/verify', { token: link })).status).toBe(400)
})

test('rejects an address that another account can restore', async () => {
  await addNamedUser('moved')
  const thief = await browserWithSession('moved', { at: now })
  await thief.send('POST', '/api/account/email', { email: 'thief@mail.example' })
  await thief.send('POST', '/api/auth/email/verify', {
    token: await tokenFromEmail('email_change', 'thief@mail.example'),
  })
  const owner = newVisitor()
  const { location } = await signIn(owner, { sub: 'moved', email: 'moved@fan.example' })
  expect([location, await getStatus(owner)]).toEqual([LOGIN_ERROR_PATH, null])
  const token = await tokenFromEmail('email_changed', 'moved@fan.example')
  expect((await owner.send('POST', '/api/auth/email/undo', { token })).status).toBe(204)
  await signIn(owner, { sub: 'moved', email: 'moved@fan.example' })
  expect(await getStatus(owner)).toMatchObject({ username: 'moved' })
})

test.each<[string, Record<string, unknown>]>([
  ['an unverified address', { email_verified: false }],
  ['another authorized party', { azp: 'another-client' }],
  ['no issue time', { iat: undefined }],
  ['a future start', { nbf: 99_999_999_999 }],
  ['a line break in the address', { email: 'a@mail.example\r\nBcc:x@y.example' }],
  ['an invalid address', { email: 'fan' }],
  ['another audience', { aud: 'another-client' }],
  ['several audiences and no authorized party', { aud: ['our-client', 'another-client'] }],
  ['another issuer', { iss: 'https://evil.example' }],
  ['a past expiry', { exp: 1 }],
  ['a future issue time', { iat: 99_999_999_999 }],
  ['another nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['no address', { email: undefined }],
])('rejects a token with %s', async (flaw, claims) => {
  const browser = newVisitor()
  const { location } = await signIn(browser, {
    sub: `bad ${flaw}`,
    email: `bad-${flaw.length}@mail.example`,
    ...claims,
  })
  expect([location, await getStatus(browser)]).toEqual([LOGIN_ERROR_PATH, null])
})

test('rejects a token signed with another key', async () => {
  const browser = newVisitor()
  expect((await signIn(browser, { sub: 'forged' }, '', { key: issuer.unpublishedKey })).location).toBe(LOGIN_ERROR_PATH)
  expect(await getStatus(browser)).toBe(null)
})

test.each([
  ['with algorithm none', { alg: 'none' }],
  ['with algorithm HS256', { alg: 'HS256' }],
  ['with an unknown key id', { kid: 'k2' }],
  ['with a critical header', { crit: ['b64'], b64: true }],
  ['with an unknown critical header', { crit: ['http://x.example'], 'http://x.example': 1 }],
  ['of a key of another type', { kid: 'other' }],
])('rejects a token %s', async (_, header) => {
  const browser = newVisitor()
  expect((await signIn(browser, { sub: 'alg' }, '', { header })).location).toBe(LOGIN_ERROR_PATH)
})

test('rejects a token modified after signing', async () => {
  const [head, , signature] = (await issuer.token()).split('.')
  const forged = `${head}.${issuer.encodePart(issuer.claims({ email: 'admin@mail.example' }))}.${signature}`
  expect(await statusAndCodeOf(await newVisitor().send('POST', '/api/auth/google', { googleToken: forged }))).toEqual([
    401,
    'bad_credentials',
  ])
})

test('rejects a callback without this browser’s OAuth state', async () => {
  const browser = newVisitor()
  const { state } = await signIn(browser, { sub: 'replay', email: 'replay@mail.example' })
  const before = await getStatus(browser)
  // Replay in the same browser: the state was used.
  expect((await browser.send('GET', `/api/auth/google/callback?code=c1&state=${state}`)).headers.get('location')).toBe(
    LOGIN_ERROR_PATH,
  )
  expect(await getStatus(browser)).toEqual(before)
  // Login CSRF: an attacker's callback in a victim's browser.
  const victim = newVisitor()
  await victim.send('GET', '/api/auth/google')
  for (const query of [`?code=c1&state=${state}`, '?code=c1', `?state=${state}`, '?error=access_denied', ''])
    expect((await victim.send('GET', `/api/auth/google/callback${query}`)).headers.get('location')).toBe(
      LOGIN_ERROR_PATH,
    )
  expect(await getStatus(victim)).toBe(null)
})

test('rejects forged OAuth state and state older than ten minutes', async () => {
  const browser = newVisitor()
  const redirect = await browser.send('GET', '/api/auth/google')
  const state = new URL(redirect.headers.get('location')!).searchParams.get('state')
  const cookie = browser.cookies.get('__Host-oauth')!
  const lateResponse = await browser.send('GET', `/api/auth/google/callback?code=c1&state=${state}`, undefined, {
    at: now + 11 * MINUTE_MS,
  })
  expect(lateResponse.headers.get('location')).toBe(LOGIN_ERROR_PATH)
  browser.cookies.set('__Host-oauth', `${cookie.slice(0, -3)}AAA`)
  expect((await browser.send('GET', `/api/auth/google/callback?code=c1&state=${state}`)).headers.get('location')).toBe(
    LOGIN_ERROR_PATH,
  )
})

test.each([
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '%2f%2fevil.example',
  '/admin',
  '/login',
])('the return path %s redirects to the home page', async (returnPath) => {
  const { location } = await signIn(
    newVisitor(),
    { sub: 'home', email: 'home@mail.example' },
    `?return=${encodeURIComponent(returnPath)}`,
  )
  expect(location).toBe('/')
})

test.each<[string, () => Response | Promise<Response>]>([
  ['500', () => new Response('down', { status: 500 })],
  ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
  ['no response', () => Promise.reject(new TypeError('fetch failed'))],
  ['an error', () => Response.json({ error: 'invalid_grant' }, { status: 400 })],
  ['no ID token', () => Response.json({ access_token: 'a', token_type: 'Bearer' })],
])('redirects to login when the token endpoint returns %s', async (_, response) => {
  issuer.responses['/token'] = response
  const browser = newVisitor()
  expect((await signIn(browser)).location).toBe(LOGIN_ERROR_PATH)
  expect(await getStatus(browser)).toBe(null)
})

test('a token request times out after ten seconds', async () => {
  issuer.responses['/token'] = () => new Promise(() => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const browser = newVisitor()
  const signedIn = signIn(browser)
  await vi.waitUntil(() => vi.getTimerCount() > 0 && issuer.requests.some(({ path }) => path === '/token'), {
    timeout: 5000,
  })
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  expect((await signedIn).location).toBe(LOGIN_ERROR_PATH)
  expect(await getStatus(browser)).toBe(null)
})

test('a Google button token logs in; a forged one fails', async () => {
  const browser = newVisitor()
  const response = await browser.send('POST', '/api/auth/google', {
    googleToken: await issuer.token({ sub: 'button', email: 'button@mail.example' }),
  })
  expect([response.status, await response.json()]).toMatchObject([200, { email: 'button@mail.example' }])
  expect(await getStatus(browser)).toMatchObject({ email: 'button@mail.example' })
  const forged = await issuer.token({ sub: 'button' }, { key: issuer.unpublishedKey })
  for (const googleToken of [forged, 'a.b.c', 'x', '..'])
    expect(await statusAndCodeOf(await newVisitor().send('POST', '/api/auth/google', { googleToken }))).toEqual([
      401,
      'bad_credentials',
    ])
})

test('a failed sign-in keeps return path and referral code', async () => {
  const query = '?return=/checkout%3Fproduct%3Dx&referralCode=CORAL77XYZ'
  const expected = '/login?error=google&return=%2Fcheckout%3Fproduct%3Dx&ref=CORAL77XYZ'
  expect((await signIn(newVisitor(), { nonce: 'another' }, query)).location).toBe(expected)
  const declined = newVisitor()
  await declined.send('GET', `/api/auth/google${query}`)
  const response = await declined.send('GET', '/api/auth/google/callback?error=access_denied')
  expect(response.headers.get('location')).toBe(expected)
  const unconfigured = newBrowser({ address: uniqueIp(), at: now })
  expect((await unconfigured.send('GET', `/api/auth/google${query}`)).headers.get('location')).toBe(expected)
  expect((await unconfigured.send('GET', '/api/auth/google?return=//evil.example')).headers.get('location')).toBe(
    LOGIN_ERROR_PATH,
  )
})

test('a sign-in does not wait for another request’s fetch', async () => {
  let fetchCount = 0
  vi.mocked(fetch).mockImplementation((...request) =>
    fetchCount++ === 0 ? new Promise(() => {}) : issuer.fetch(...request),
  )
  const response = await Promise.race(
    [newVisitor(), newVisitor()].map((browser) => browser.send('GET', '/api/auth/google')),
  )
  expect(new URL(response.headers.get('location') ?? '').origin).toBe(ISSUER)
})

test('Google sign-ups count in the quota of the network', async () => {
  const quotaEnv = { ...GOOGLE_ENV, SIGNUPS_PER_NETWORK_PER_DAY: '2' }
  const signUp = async (sub: string) => {
    const browser = newBrowser({ address: '198.51.100.7', at: now, env: quotaEnv })
    return (await signIn(browser, { sub, email: `${sub}@mail.example` })).location
  }
  expect([await signUp('quota-1'), await signUp('quota-2'), await signUp('quota-3')]).toEqual([
    '/',
    '/',
    '/login?error=signups',
  ])
  expect(await userRow('email', 'quota-3@mail.example')).toBe(null)
  // Logging in again does not count.
  expect(await signUp('quota-1')).toBe('/')
})

test('a banned account cannot log in with Google', async () => {
  await signIn(newVisitor(), { sub: 'banned', email: 'banned@mail.example' })
  await env.DB.prepare("UPDATE users SET banned_at = 1 WHERE email_key = 'banned@mail.example'").run()
  const browser = newVisitor()
  expect((await signIn(browser, { sub: 'banned', email: 'banned@mail.example' })).location).toBe(LOGIN_ERROR_PATH)
  expect(await getStatus(browser)).toBe(null)
})

test('six concurrent sign-ins of one user create one account', async () => {
  const browsers = Array.from({ length: 6 }, newVisitor)
  const token = await issuer.token({ sub: 'racer', email: 'racer@mail.example' })
  const responses = await Promise.all(
    browsers.map((browser) => browser.send('POST', '/api/auth/google', { googleToken: token })),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(
    await env.DB.prepare("SELECT count(*) AS n FROM users WHERE email_key = 'racer@mail.example'").first('n'),
  ).toBe(1)
})

test('without Google configured, redirects to login and rejects API calls', async () => {
  const browser = newBrowser({ address: uniqueIp(), at: now })
  expect((await browser.send('GET', '/api/auth/google')).headers.get('location')).toBe(LOGIN_ERROR_PATH)
  expect(await statusAndCodeOf(await browser.send('POST', '/api/auth/google', { googleToken: 'a.b.c' }))).toEqual([
    503,
    'google_off',
  ])
})
