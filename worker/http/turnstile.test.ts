import { env } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { VERSE_TERMS } from '../contract/challenge'
import { errorOf, getJson, ORIGIN, send } from '../testing/client'
import { seedSite } from '../testing/seed'

const VERIFY_URL = 'http://localhost:9/siteverify'
const bindings = {
  TURNSTILE_SITE_KEY: 'site-key',
  TURNSTILE_SECRET_KEY: 'secret-key',
  TURNSTILE_VERIFY_URL: VERIFY_URL,
}
const HOSTNAME = new URL(ORIGIN).hostname
const verifier = vi.fn<(request: { secret: string; response: string; remoteip: string }) => unknown>()

beforeAll(() => seedSite(env.DB))
beforeEach(() => {
  verifier.mockReset().mockReturnValue({ success: true, hostname: HOSTNAME, action: 'newsletter' })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    expect(String(input)).toBe(VERIFY_URL)
    const result = verifier(JSON.parse(String(init?.body)))
    return result instanceof Response ? result : Response.json(result)
  })
})
afterEach(() => vi.restoreAllMocks())

let count = 0
const subscribe = (turnstileToken?: string) =>
  send('POST', '/api/newsletter/subscribe', { email: `fan${++count}@fan.example`, turnstileToken }, options())
const options = () => ({ env: bindings, headers: { 'cf-connecting-ip': `198.51.100.${++count}` } })

const EMAIL = 'fan@fan.example'
const VERSE = { name: 'Fan', email: EMAIL, phoneNumber: '(813) 555-0142', recording: 'r', terms: VERSE_TERMS.version }
test.each([
  ['/api/auth/signup', { username: 'fan', email: EMAIL, password: 'four quiet gulls' }],
  ['/api/auth/password/forgot', { email: EMAIL }],
  ['/api/newsletter/subscribe', { email: EMAIL }],
  ['/api/shows/alerts', { entry: EMAIL }],
  ['/api/challenges/bars/submissions', VERSE],
])('%s needs a token while Turnstile is on', async (path, body) => {
  expect(await errorOf(await send('POST', path, body, options()))).toEqual([
    400,
    'turnstile_failed',
    'Please confirm that you are human, then send the form again.',
  ])
  expect(verifier).not.toHaveBeenCalled()
})

test('verifies the token with secret and address', async () => {
  expect((await subscribe('good')).status).toBe(200)
  expect(verifier.mock.calls).toEqual([
    [{ secret: 'secret-key', response: 'good', remoteip: expect.stringMatching(/^198\.51\.100\./) }],
  ])
})

test.each([
  ['used or expired', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['foreign', { success: true, hostname: 'evil.example', action: 'newsletter' }],
  ['other form’s', { success: true, hostname: HOSTNAME, action: 'sign_up' }],
  ['nameless', { success: true }],
])('rejects a(n) %s token', async (_, result) => {
  verifier.mockReturnValue(result)
  expect((await errorOf(await subscribe('bad'))).slice(0, 2)).toEqual([400, 'turnstile_failed'])
})

test.each<[string, () => unknown]>([
  ['refuses connections', () => Promise.reject(new TypeError('connection refused'))],
  ['times out', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ['fails', () => new Response('<h1>Error</h1>', { status: 500 })],
  ['answers nonsense', () => ({ ok: 1 })],
])('asks to try again when the verifier %s', async (_, respond) => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.mocked(fetch).mockImplementation(async () => {
    const result = await respond()
    return result instanceof Response ? result : Response.json(result)
  })
  expect(await errorOf(await subscribe('good'))).toEqual([
    503,
    'unavailable',
    'We could not check that you are human. Please try again in a moment.',
  ])
})

test('asks for no token while Turnstile is off', async () => {
  for (const off of [{}, { TURNSTILE_SITE_KEY: 'only-one' }, { TURNSTILE_SECRET_KEY: 'only-one' }]) {
    const body = { email: `fan${++count}@fan.example` }
    const response = await send('POST', '/api/newsletter/subscribe', body, { ...options(), env: off })
    expect(response.status).toBe(200)
  }
  expect(verifier).not.toHaveBeenCalled()
})

test('allows Turnstile’s host and names its key only when on', async () => {
  for (const [variables, isOn] of [
    [bindings, true],
    [{}, false],
    [{ TURNSTILE_SITE_KEY: 'only-one' }, false],
  ] as const) {
    const config = await getJson<{ turnstileSiteKey: string | null }>('/api/config', { env: variables })
    expect(config.turnstileSiteKey).toBe(isOn ? 'site-key' : null)
    for (const path of ['/', '/login', '/api/config']) {
      const policy = (await send('GET', path, undefined, { env: variables })).headers.get('content-security-policy')
      expect([path, policy?.split('https://challenges.cloudflare.com').length]).toEqual([path, isOn ? 3 : 1])
    }
  }
})
