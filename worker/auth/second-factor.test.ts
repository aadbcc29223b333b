import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../lib/clock'
import { base32, totpCode } from '../lib/totp'
import { type Browser, errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, PASSWORD, uniqueIp } from '../testing/users'

const STEP_MS = 30 * SECOND_MS
const FIVE_MINUTES_LATER = NOON + 5 * MINUTE_MS
const CODE_REQUIRED = [401, 'second_factor_required', 'Please enter the code of your authenticator app.']

beforeAll(() => seedSite(env.DB, { site: { name: 'Any Artist' } }))

const decodeBase32 = (secret: string) => {
  const bits = [...secret]
    .map((character) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
const codeOf = (secret: string, at: number) => totpCode(decodeBase32(secret), Math.floor(at / STEP_MS))
const logIn = (username: string, code: string | undefined, at: number) =>
  newBrowser({ address: uniqueIp(), at }).send('POST', '/api/admin/login', { username, password: PASSWORD, code })

/** Adds an administrator whose second factor was enabled at NOON. */
async function addSecuredAdmin(username: string) {
  await addNamedUser(username, { role: 'administrator' })
  const browser = await browserWithSession(username, { as: 'administrator', at: NOON })
  const { secret, uri, qr } = await (await browser.send('POST', '/api/admin/second-factor/begin')).json<
    Record<'secret' | 'uri' | 'qr', string>
  >()
  const response = await browser.send('POST', '/api/admin/second-factor/confirm', { code: codeOf(secret, NOON) })
  const { recoveryCodes } = await response.json<{ recoveryCodes: string[] }>()
  return { browser, secret, uri, qr, recoveryCodes }
}

test('TOTP codes match RFC 6238', () => {
  const secret = new Uint8Array(new TextEncoder().encode('12345678901234567890'))
  const codes = [59, 1111111109, 1234567890, 2000000000].map((seconds) => totpCode(secret, Math.floor(seconds / 30)))
  expect(codes).toEqual(['287082', '081804', '005924', '279037'])
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test('with a second factor the password alone is rejected', async () => {
  const { secret, uri, qr } = await addSecuredAdmin('ana')
  expect(uri).toBe(`otpauth://totp/Any%20Artist%3Aana?secret=${secret}&issuer=Any%20Artist`)
  expect(qr).toMatch(/^<svg/)
  expect(await errorOf(await logIn('ana', undefined, FIVE_MINUTES_LATER))).toEqual(CODE_REQUIRED)
  expect(await statusAndCodeOf(await logIn('ana', '000000', FIVE_MINUTES_LATER))).toEqual([401, 'bad_credentials'])
  expect((await logIn('ana', codeOf(secret, FIVE_MINUTES_LATER), FIVE_MINUTES_LATER)).status).toBe(200)
})

test('accepts a code once, at most one time step off', async () => {
  const { secret } = await addSecuredAdmin('bob')
  const code = codeOf(secret, FIVE_MINUTES_LATER)
  const responses = await Promise.all([logIn('bob', code, FIVE_MINUTES_LATER), logIn('bob', code, FIVE_MINUTES_LATER)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await logIn('bob', codeOf(secret, FIVE_MINUTES_LATER + STEP_MS), FIVE_MINUTES_LATER)).status).toBe(200)
  expect((await logIn('bob', codeOf(secret, FIVE_MINUTES_LATER - 3 * STEP_MS), FIVE_MINUTES_LATER)).status).toBe(401)
})

test('each of ten recovery codes logs in once', async () => {
  const { browser, recoveryCodes } = await addSecuredAdmin('cyd')
  expect(new Set(recoveryCodes).size).toBe(10)
  const [code = ''] = recoveryCodes
  expect([(await logIn('cyd', code.toLowerCase(), NOON)).status, (await logIn('cyd', code, NOON)).status]).toEqual([
    200, 401,
  ])
  expect(await (await browser.send('GET', '/api/admin/second-factor')).json()).toEqual({
    enabled: true,
    recoveryCodesLeft: 9,
  })
})

test('after concurrent confirmations, the successful one’s recovery codes work', async () => {
  await addNamedUser('twice', { role: 'administrator' })
  const browser = await browserWithSession('twice', { as: 'administrator', at: NOON })
  const beginResponse = await browser.send('POST', '/api/admin/second-factor/begin')
  const { secret } = await beginResponse.json<{ secret: string }>()
  const responses = await Promise.all(
    [NOON - STEP_MS, NOON].map((at) =>
      browser.send('POST', '/api/admin/second-factor/confirm', { code: codeOf(secret, at) }),
    ),
  )
  const winners = responses.filter(({ ok }) => ok)
  expect(winners).toHaveLength(1)
  const { recoveryCodes } = await winners[0]!.json<{ recoveryCodes: string[] }>()
  expect((await logIn('twice', recoveryCodes[0], FIVE_MINUTES_LATER)).status).toBe(200)
})

test('limits code guesses across networks', async () => {
  const { browser, secret } = await addSecuredAdmin('dia')
  // Endpoints that require only a code share the login's limit. Enabling was the first attempt.
  for (let guess = 1; guess < 10; guess++) {
    const options = { at: FIVE_MINUTES_LATER, headers: { 'cf-connecting-ip': uniqueIp() } }
    const response = await browser.send('POST', '/api/admin/second-factor/end', { code: '000000' }, options)
    expect(response.status).toBe(401)
  }
  expect((await logIn('dia', codeOf(secret, FIVE_MINUTES_LATER), FIVE_MINUTES_LATER)).status).toBe(429)
})

test('disabling requires a code; enabling and disabling are audited', async () => {
  const { browser, secret } = await addSecuredAdmin('edd')
  expect((await browser.send('POST', '/api/admin/second-factor/begin')).status).toBe(409)
  expect((await browser.send('POST', '/api/admin/second-factor/end', { code: '000000' })).status).toBe(401)
  expect(
    (
      await browser.send(
        'POST',
        '/api/admin/second-factor/end',
        { code: codeOf(secret, FIVE_MINUTES_LATER) },
        { at: FIVE_MINUTES_LATER },
      )
    ).status,
  ).toBe(204)
  expect((await logIn('edd', undefined, FIVE_MINUTES_LATER)).status).toBe(200)
  const { results } = await env.DB.prepare(
    "SELECT action FROM audit_log JOIN users ON users.id = actor_id WHERE username = 'edd' ORDER BY audit_log.id",
  ).all<{ action: string }>()
  expect(results.map(({ action }) => action)).toEqual([
    'second_factor.on',
    'session.opened',
    'second_factor.off',
    'session.opened',
  ])
})

test('enabling requires a login within the last 15 minutes', async () => {
  await addNamedUser('gia', { role: 'administrator' })
  const browser = await browserWithSession('gia', { as: 'administrator', at: NOON })
  const begin = (at: number) => browser.send('POST', '/api/admin/second-factor/begin', undefined, { at })
  expect(await errorOf(await begin(NOON + 15 * MINUTE_MS + 1))).toEqual([
    403,
    'recent_auth_required',
    'Please confirm that it is you, then try again.',
  ])
  expect((await begin(NOON + 15 * MINUTE_MS)).status).toBe(200)
})

test('stores neither the secret nor recovery codes in plain text', async () => {
  const { secret, recoveryCodes } = await addSecuredAdmin('flo')
  const dump = JSON.stringify(
    await env.DB.batch([
      env.DB.prepare('SELECT * FROM authenticators'),
      env.DB.prepare('SELECT * FROM recovery_codes'),
    ]),
  )
  for (const text of [secret, ...recoveryCodes]) expect(dump).not.toContain(text)
})

const supporterLogin = (username: string, body: object, at: number) =>
  newBrowser({ address: uniqueIp(), at }).send('POST', '/api/auth/login', { username, password: PASSWORD, ...body })

test('an administrator’s supporter login requires the second factor', async () => {
  const { secret } = await addSecuredAdmin('hal')
  expect(await errorOf(await supporterLogin('hal', {}, FIVE_MINUTES_LATER))).toEqual(CODE_REQUIRED)
  expect((await supporterLogin('hal', { code: '000000' }, FIVE_MINUTES_LATER)).status).toBe(401)
  expect((await supporterLogin('hal', { code: codeOf(secret, FIVE_MINUTES_LATER) }, FIVE_MINUTES_LATER)).status).toBe(
    200,
  )
})

test('an administrator’s password alone changes and deletes nothing', async () => {
  await addSecuredAdmin('hana')
  const thief = newBrowser({ address: uniqueIp(), at: FIVE_MINUTES_LATER })
  expect(await errorOf(await thief.send('POST', '/api/auth/login', { username: 'hana', password: PASSWORD }))).toEqual(
    CODE_REQUIRED,
  )
  // A stolen session whose login is too old does not help either.
  const stolen = await browserWithSession('hana', { at: NOON })
  const at = NOON + 16 * MINUTE_MS
  const password = 'eleven paper boats'
  const outcomes = async (browser: Browser) => [
    await statusAndCodeOf(await browser.send('POST', '/api/auth/confirm', { password: PASSWORD }, { at })),
    await statusAndCodeOf(
      await browser.send('POST', '/api/auth/password/change', { current: PASSWORD, password }, { at }),
    ),
    await statusAndCodeOf(await browser.send('POST', '/api/account/email', { email: 'thief@mail.example' }, { at })),
    await statusAndCodeOf(await browser.send('DELETE', '/api/account', { password: PASSWORD }, { at })),
  ]
  expect(await outcomes(thief)).toEqual(Array(4).fill([401, 'signed_out']))
  const outdated = [403, 'recent_auth_required']
  expect(await outcomes(stolen)).toEqual([[401, 'second_factor_required'], outdated, outdated, outdated])
  expect((await supporterLogin('hana', {}, at)).status).toBe(401)
})

test('an administrator’s re-authentication and erasure require the second factor', async () => {
  const { secret } = await addSecuredAdmin('ivy')
  const browser = await browserWithSession('ivy', { at: FIVE_MINUTES_LATER })
  for (const [method, path] of [
    ['POST', '/api/auth/confirm'],
    ['DELETE', '/api/account'],
  ] as const)
    expect(await errorOf(await browser.send(method, path, { password: PASSWORD }))).toEqual(CODE_REQUIRED)
  const credentials = { password: PASSWORD, secondFactorCode: codeOf(secret, FIVE_MINUTES_LATER) }
  expect((await browser.send('POST', '/api/auth/confirm', credentials)).status).toBe(204)
})

test('re-authenticates an admin session with password and code', async () => {
  const { browser, secret } = await addSecuredAdmin('iva')
  const confirm = async (code?: string) =>
    browser.send('POST', '/api/admin/confirm', { password: PASSWORD, code }, { at: FIVE_MINUTES_LATER })
  expect(await errorOf(await confirm())).toEqual(CODE_REQUIRED)
  expect((await confirm('000000')).status).toBe(401)
  expect((await confirm(codeOf(secret, FIVE_MINUTES_LATER))).status).toBe(200)
})

test('enabling ends every session but this browser’s', async () => {
  await addNamedUser('ines', { role: 'administrator' })
  const ownBrowser = await browserWithSession('ines', { as: 'administrator', at: NOON })
  const otherBrowsers = [
    await browserWithSession('ines', { as: 'administrator', at: NOON }),
    await browserWithSession('ines', { at: NOON }),
  ]
  ownBrowser.cookies.set(
    '__Host-session',
    (await browserWithSession('ines', { at: NOON })).cookies.get('__Host-session')!,
  )
  const { secret } = await (await ownBrowser.send('POST', '/api/admin/second-factor/begin')).json<{ secret: string }>()
  const before = [...ownBrowser.cookies.values()]
  await ownBrowser.send('POST', '/api/admin/second-factor/confirm', { code: codeOf(secret, NOON) })
  const statuses = async (browser: Browser) => [
    (await browser.send('GET', '/api/admin/session')).status,
    (await browser.send('GET', '/api/account')).status,
  ]
  expect(await statuses(ownBrowser)).toEqual([200, 200])
  expect([...ownBrowser.cookies.values()].filter((value) => before.includes(value))).toEqual([])
  expect([await statuses(otherBrowsers[0]!), await statuses(otherBrowsers[1]!)]).toEqual([
    [401, 401],
    [403, 401],
  ])
})

test('an administrator’s password reset requires the second factor', async () => {
  const { secret } = await addSecuredAdmin('jan')
  const browser = newBrowser({ address: uniqueIp(), at: FIVE_MINUTES_LATER })
  await browser.send('POST', '/api/auth/password/forgot', { email: 'jan@fan.example' })
  const body = { token: await tokenFromEmail('reset', 'jan@fan.example'), password: 'eleven paper boats' }
  expect(await errorOf(await browser.send('POST', '/api/auth/password/reset', body))).toEqual(CODE_REQUIRED)
  const secondFactorCode = codeOf(secret, FIVE_MINUTES_LATER)
  expect((await browser.send('POST', '/api/auth/password/reset', { ...body, secondFactorCode })).status).toBe(204)
})

test('after a new signing secret only recovery codes log in', async () => {
  const { secret, recoveryCodes } = await addSecuredAdmin('kay')
  const newSecretEnv = { SIGNING_SECRET: 'another secret of at least 32 characters' }
  const browser = newBrowser({ address: uniqueIp(), at: FIVE_MINUTES_LATER, env: newSecretEnv })
  const login = (code: string) =>
    browser.send('POST', '/api/admin/login', { username: 'kay', password: PASSWORD, code })
  expect(await errorOf(await login(codeOf(secret, FIVE_MINUTES_LATER)))).toEqual([
    401,
    'bad_credentials',
    'Your authenticator app no longer works here. Please use a recovery code.',
  ])
  expect((await login(recoveryCodes[0] ?? '')).status).toBe(200)
})
