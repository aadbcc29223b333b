import { env } from 'cloudflare:test'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readCheckInCode } from '../check-in/check-in-code'
import { openDb } from '../db/client'
import { HOUR_MS } from '../lib/clock'
import { newBrowser } from '../testing/client'
import { addTrack } from '../testing/fixtures'
import { fakeOidcProvider, GOOGLE_ENV, logInWithGoogle } from '../testing/oidc-provider'
import { addProduct, DEMO_ENV } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { isTestCode, sources } from '../testing/sources'
import { addNamedUser, PASSWORD, uniqueIp } from '../testing/users'

beforeAll(async () => {
  await seedSite(env.DB, { show: { startsAt: NOON, endsAt: NOON + HOUR_MS } })
  await addNamedUser('gus', { role: 'administrator' })
  await addTrack({ id: 1, audioKey: 'audio/1.mp3' })
  await env.FILES.put('audio/1.mp3', new Uint8Array(2000))
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('every cookie is host-bound, Secure, HttpOnly and expires', async () => {
  const issuer = await fakeOidcProvider(NOON)
  vi.spyOn(globalThis, 'fetch').mockImplementation(issuer.fetch)
  const browser = newBrowser({ address: uniqueIp(), at: NOON, env: { ...DEMO_ENV, ...GOOGLE_ENV } })
  const setCookieLines: string[] = []
  const recordingBrowser = {
    ...browser,
    send: async (...call: Parameters<typeof browser.send>) => {
      const response = await browser.send(...call)
      setCookieLines.push(...response.headers.getSetCookie())
      return response
    },
  }
  const productId = await addProduct(3)
  for (const path of ['/api/auth/login', '/api/admin/login'])
    await recordingBrowser.send('POST', path, { username: 'gus', password: PASSWORD })
  await recordingBrowser.send('POST', '/api/create-payment-intent', { amount: 20, productId, quantity: 1 })
  for (const path of ['/api/admin/logout', '/api/auth/logout']) await recordingBrowser.send('POST', path)
  await logInWithGoogle(issuer, recordingBrowser, { sub: 'new', email: 'new@mail.example', name: 'New' })
  await recordingBrowser.send('GET', '/api/tracks/1/audio')
  const checkIn = await readCheckInCode({ db: openDb(env.DB), secret: env.SIGNING_SECRET }, 'show-1', NOON)
  await recordingBrowser.send('POST', '/api/concerts/show-1/arrivals', { code: checkIn.code })

  const names = setCookieLines.map((line) => line.slice(0, line.indexOf('=')))
  expect([...new Set(names)].sort()).toEqual([
    '__Host-admin',
    '__Host-arrival',
    '__Host-bookmark',
    '__Host-checkout',
    '__Host-device',
    '__Host-oauth',
    '__Host-session',
    'listen_1',
  ])
  // A listen cookie is limited to the tracks' paths, which the `__Host-` prefix forbids.
  for (const line of setCookieLines)
    expect(line).toMatch(
      line.startsWith('listen_')
        ? /^listen_\d+=[\w.-]+; Max-Age=\d+; Path=\/api\/tracks; HttpOnly; Secure; SameSite=Lax$/
        : /^__Host-\w+=[\w.~%-]*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
})

test('only two modules set cookies', () => {
  const writers = sources.filter(
    ({ path, text }) =>
      path.startsWith('worker/') && !isTestCode(path) && /\b(setCookie|deleteCookie)\(|['"]set-cookie['"]/i.test(text),
  )
  expect(writers.map(({ path }) => path)).toEqual(['worker/auth/cookies.ts', 'worker/tracks/tracks.routes.ts'])
})
