import { env } from 'cloudflare:test'
import { Secret } from 'otpauth'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { totpCode } from '../lib/totp'
import { type Browser, errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { fakeOidcProvider, GOOGLE_ENV, logInWithGoogle } from '../testing/oidc-provider'
import { seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, uniqueIp } from '../testing/users'

const errorCode = async (response: Response) => (await statusAndCodeOf(response))[1]

let now = Date.parse('2027-07-01T16:00:00Z')
let issuer: Awaited<ReturnType<typeof fakeOidcProvider>>

beforeAll(() => seedSite(env.DB))
beforeEach(async () => {
  // Each test uses another day: the issuer's metadata is cached for an hour.
  now += DAY_MS
  issuer = await fakeOidcProvider(now)
  vi.spyOn(globalThis, 'fetch').mockImplementation(issuer.fetch)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const browserAt = (at: number, from?: Browser) => {
  const browser = newBrowser({ address: uniqueIp(), at, env: GOOGLE_ENV })
  for (const [name, value] of from?.cookies ?? []) browser.cookies.set(name, value)
  return browser
}
const signIn = (browser: Browser, name: string, query = '?for=admin') =>
  logInWithGoogle(issuer, browser, { sub: name, email: `${name}@mail.example` }, query)
const startSession = (browser: Browser, body: { code?: string } = {}) =>
  browser.send('POST', '/api/admin/login/google', body)

/** Adds an owner whose account was created with Google. Returns the user id. */
async function addGoogleAdmin(name: string) {
  await signIn(browserAt(now), name, '')
  const user = await env.DB.prepare(
    "UPDATE users SET role = 'administrator' WHERE email = ?1 RETURNING id, password_hash AS passwordHash",
  )
    .bind(`${name}@mail.example`)
    .first<{ id: number; passwordHash: string | null }>()
  expect(user?.passwordHash).toBeNull()
  await env.DB.prepare("UPDATE team_members SET role = 'owner' WHERE user_id = ?1").bind(user?.id).run()
  return user!.id
}

test('an administrator without a password logs in with Google', async () => {
  await addGoogleAdmin('boss')
  const browser = browserAt(now)
  const { location } = await signIn(browser, 'boss', '?for=admin&return=/admin?tab=orders')
  expect(location).toBe('/admin-login?google=confirmed&return=%2Fadmin%3Ftab%3Dorders')
  expect((await browser.send('GET', '/api/admin/session')).status).toBe(401)
  const response = await startSession(browser)
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ hasPassword: false, google: true, teamRole: 'owner' }),
  ])
  expect((await browser.send('GET', '/api/admin/session')).status).toBe(200)
  // This starts no supporter session, and works only once.
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toBeNull()
  expect(await errorCode(await startSession(browser))).toBe('bad_token')
})

test('Google re-authenticates an old admin session', async () => {
  await addGoogleAdmin('late')
  const early = browserAt(now)
  await signIn(early, 'late')
  await startSession(early)
  const browser = browserAt(now + 16 * MINUTE_MS, early)
  const exportLedger = () => browser.send('POST', '/api/admin/exports', { kind: 'points' })
  expect(await errorCode(await exportLedger())).toBe('recent_auth_required')
  issuer = await fakeOidcProvider(now + 16 * MINUTE_MS)
  vi.mocked(globalThis.fetch).mockImplementation(issuer.fetch)
  await signIn(browser, 'late')
  await startSession(browser)
  expect((await exportLedger()).status).toBe(202)
})

test('Google does not replace the second factor', async () => {
  await addGoogleAdmin('careful')
  const browser = browserAt(now)
  await signIn(browser, 'careful')
  await startSession(browser)
  const { secret } = await (await browser.send('POST', '/api/admin/second-factor/begin')).json<{ secret: string }>()
  const codeAt = (at: number) => totpCode(Secret.fromBase32(secret).bytes.slice(), Math.floor(at / 30_000))
  expect((await browser.send('POST', '/api/admin/second-factor/confirm', { code: codeAt(now) })).status).toBe(200)
  const other = browserAt(now + MINUTE_MS)
  await signIn(other, 'careful')
  expect(await errorCode(await startSession(other))).toBe('second_factor_required')
  expect(await errorCode(await startSession(other, { code: '000000' }))).toBe('bad_credentials')
  expect((await startSession(other, { code: codeAt(now + MINUTE_MS) })).status).toBe(200)
})

test('rejects Google accounts not linked to an active administrator', async () => {
  await signIn(browserAt(now), 'fan', '')
  const banned = await addGoogleAdmin('banned')
  await env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(banned).run()
  // A Google account has the same address as this administrator but is not linked.
  await addNamedUser('unlinked', { email: 'unlinked@mail.example', role: 'administrator' })
  const count = () => env.DB.prepare('SELECT count(*) AS n FROM users').first('n')
  const before = await count()
  for (const name of ['fan', 'stranger', 'banned', 'unlinked']) {
    const browser = browserAt(now)
    expect((await signIn(browser, name)).location).toBe('/admin-login?error=google')
    expect(await errorCode(await startSession(browser))).toBe('bad_token')
  }
  expect(await count()).toBe(before)
})

test('rejects Google login for an administrator with a password', async () => {
  const id = await addGoogleAdmin('linked')
  const { passwordHash } = (await env.DB.prepare('SELECT password_hash AS passwordHash FROM users WHERE id = ?1')
    .bind((await addNamedUser('other')).id)
    .first<{ passwordHash: string }>())!
  await env.DB.prepare('UPDATE users SET password_hash = ?2 WHERE id = ?1').bind(id, passwordHash).run()
  for (const query of ['?for=admin', '']) {
    const browser = browserAt(now)
    await signIn(browser, 'linked', query)
    expect(await errorCode(await startSession(browser))).toBe('bad_token')
    expect(await (await browser.send('GET', '/api/auth/status')).json()).toBeNull()
  }
})

test('a Google sign-in expires after five minutes, demotion or revocation', async () => {
  const id = await addGoogleAdmin('gone')
  const browser = browserAt(now)
  await signIn(browser, 'gone')
  expect(await errorCode(await startSession(browserAt(now + 5 * MINUTE_MS, browser)))).toBe('bad_token')
  const change = (sql: string) => env.DB.prepare(`UPDATE users SET ${sql} WHERE id = ?1`).bind(id).run()
  await change("role = 'supporter'")
  expect(await errorCode(await startSession(browserAt(now, browser)))).toBe('bad_token')
  await change("role = 'administrator', session_epoch = session_epoch + 1")
  expect(await errorCode(await startSession(browserAt(now, browser)))).toBe('bad_token')
  const forged = browserAt(now)
  forged.cookies.set('__Host-google-admin', `${id}~1~${now + HOUR_MS}.AAAA`)
  expect(await errorCode(await startSession(forged))).toBe('bad_token')
})

test('accepts a sign-in for the dashboard once', async () => {
  await addGoogleAdmin('replayed')
  const browser = browserAt(now)
  await signIn(browser, 'replayed')
  const copy = browserAt(now, browser)
  expect((await startSession(browser)).status).toBe(200)
  expect(await errorCode(await startSession(copy))).toBe('bad_token')
})

const promptOf = async (browser: Browser, query: string) =>
  new URL((await browser.send('GET', `/api/auth/google${query}`)).headers.get('location')!).searchParams.get('prompt')

test('makes Google prompt for dashboard login and re-authentication', async () => {
  await signIn(browserAt(now), 'asked', '')
  const loggedIn = browserAt(now)
  await signIn(loggedIn, 'asked', '')
  expect([
    await promptOf(browserAt(now), '?for=admin'),
    await promptOf(loggedIn, '?return=/account'),
    await promptOf(browserAt(now), ''),
  ]).toEqual(['select_account', 'select_account', null])
})

const linkCount = (id: number) =>
  env.DB.prepare('SELECT count(*) AS n FROM identities WHERE user_id = ?').bind(id).first<number>('n')
const addPasskeyTo = (id: number) =>
  env.DB.prepare(
    `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
      VALUES ('p' || ?1, ?1, 'x', 0, '[]', 'Phone', 0)`,
  )
    .bind(id)
    .run()

test.each([
  ['a password', {}, false],
  ['a passkey', { passwordHash: null }, true],
])('Google does not link to an administrator with %s', async (credential, values, hasPasskey) => {
  const name = credential.replace(' ', '-')
  const { id } = await addNamedUser(name, { email: `${name}@mail.example`, role: 'administrator', ...values })
  if (hasPasskey) await addPasskeyTo(id)
  const browser = browserAt(now)
  expect((await signIn(browser, name, '')).location).toBe('/login?error=google')
  const googleToken = await issuer.token({ sub: name, email: `${name}@mail.example` })
  const response = await browser.send('POST', '/api/auth/google', { googleToken })
  expect(await errorOf(response)).toEqual([
    401,
    'bad_credentials',
    'Google sign-in failed. Please log in with your password or passkey.',
  ])
  expect(await (await browser.send('GET', '/api/auth/status')).json()).toBeNull()
  expect((await signIn(browser, name)).location).toBe('/admin-login?error=google')
  expect(await linkCount(id)).toBe(0)
})

test('Google links to an administrator without another credential', async () => {
  const { id } = await addNamedUser('bare', {
    email: 'bare@mail.example',
    role: 'administrator',
    passwordHash: null,
  })
  expect((await signIn(browserAt(now), 'bare', '')).location).toBe('/')
  expect(await linkCount(id)).toBe(1)
})

test.each([
  ['administrator', 0],
  ['supporter', 1],
] as const)('after a new password, a(n) %s has %i Google links', async (role, count) => {
  const password = 'eleven paper boats'
  for (const way of ['change', 'reset']) {
    const name = `${role}-${way}`
    const { id } = await addNamedUser(name, { email: `${name}@mail.example`, role, passwordHash: null })
    await signIn(browserAt(now), name, '')
    expect(await linkCount(id)).toBe(1)
    const browser = await browserWithSession(name, { at: now })
    if (way === 'reset') await browser.send('POST', '/api/auth/password/forgot', { email: `${name}@mail.example` })
    const response =
      way === 'reset'
        ? await browser.send('POST', '/api/auth/password/reset', {
            token: await tokenFromEmail('reset', `${name}@mail.example`),
            password,
          })
        : await browser.send('POST', '/api/auth/password/change', { password })
    expect([way, response.status, await linkCount(id)]).toEqual([way, 204, count])
  }
})

test('promotion unlinks Google if the account has another credential', async () => {
  await addNamedUser('owner', { role: 'administrator' })
  await env.DB.prepare(
    "UPDATE team_members SET role = 'owner' WHERE user_id = (SELECT id FROM users WHERE username = 'owner')",
  ).run()
  const owner = await browserWithSession('owner', { as: 'administrator', at: now })
  const appoint = async (name: string, values: { passwordHash?: null } = {}, hasPasskey = false) => {
    const { id } = await addNamedUser(name, { email: `${name}@mail.example`, ...values })
    await signIn(browserAt(now), name, '')
    if (hasPasskey) await addPasskeyTo(id)
    expect(await linkCount(id)).toBe(1)
    const body = { account: name, teamRole: 'manager' }
    expect((await owner.send('POST', '/api/admin/administrators', body)).status).toBe(204)
    return linkCount(id)
  }
  expect([
    await appoint('with-password'),
    await appoint('with-passkey', { passwordHash: null }, true),
    await appoint('google-only', { passwordHash: null }),
  ]).toEqual([0, 0, 1])
})

test('does not accept an old ID token as recent authentication', async () => {
  const browser = browserAt(now)
  const claims = { sub: 'old', email: 'old@mail.example', iat: (now - 20 * MINUTE_MS) / 1000 }
  const response = await browser.send('POST', '/api/auth/google', { googleToken: await issuer.token(claims) })
  expect(response.status).toBe(200)
  expect(await errorCode(await browser.send('GET', '/api/account/export'))).toBe('recent_auth_required')
})

test.each([
  ['/admin/releases/7', '/admin/releases/7'],
  ['/verse-submissions', '/verse-submissions'],
  ['//evil.example/admin', '/admin'],
  ['https://evil.example/admin', '/admin'],
  ['/account', '/admin'],
])('redirects the return path %s to %s', async (target, expected) => {
  await addGoogleAdmin('back')
  const { location } = await signIn(browserAt(now), 'back', `?for=admin&return=${encodeURIComponent(target)}`)
  expect(new URL(location!, 'https://fan.example').searchParams.get('return') ?? '/admin').toBe(expected)
})
