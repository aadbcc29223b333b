import { env } from 'cloudflare:test'
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { VERSE_TERMS } from '../contract/draft-rules'
import type { Env } from '../env'
import { MINUTE_MS, SECOND_MS } from '../lib/clock'
import { errorOf, getJson, ORIGIN, send } from '../testing/client'
import { seedSite } from '../testing/seed'

declare module 'vitest' {
  interface ProvidedContext {
    turnstileUrl: string
  }
}

const bindings = {
  TURNSTILE_SITE_KEY: 'site-key',
  TURNSTILE_SECRET_KEY: 'secret-key',
  TURNSTILE_VERIFY_URL: inject('turnstileUrl'),
}
const NOT_HUMAN = [400, 'turnstile_failed', 'Please confirm that you are human, then send the form again.']
const EXPIRED = [400, 'turnstile_failed', 'The check that you are human has expired. Please send the form again.']
const UNAVAILABLE = [503, 'unavailable', 'We could not check that you are human. Please try again in a moment.']

beforeAll(() => seedSite(env.DB))

let uniqueCount = 0
/** A token for the local verifier, scripts/fakes/turnstile.ts, which describes the fields. */
const newToken = (fields: Record<string, string> = {}) => {
  const defaults = { id: `${++uniqueCount}`, hostname: new URL(ORIGIN).hostname, action: 'newsletter' }
  return new URLSearchParams({ ...defaults, ...fields }).toString()
}
const options = (overrides: Partial<Env> = {}, ip = `198.51.100.${++uniqueCount}`) => ({
  env: { ...bindings, ...overrides },
  headers: { 'cf-connecting-ip': ip },
})
const subscribe = (turnstileToken: string | undefined, request = options()) =>
  send('POST', '/api/newsletter/subscribe', { email: `fan${++uniqueCount}@fan.example`, turnstileToken }, request)

const EMAIL = 'fan@fan.example'
const VERSE = { name: 'Fan', email: EMAIL, phoneNumber: '(813) 555-0142', recording: 'r', terms: VERSE_TERMS.version }
test.each([
  ['/api/auth/signup', { username: 'fan', email: EMAIL, password: 'four quiet gulls' }],
  ['/api/auth/password/forgot', { email: EMAIL }],
  ['/api/newsletter/subscribe', { email: EMAIL }],
  ['/api/shows/alerts', { entry: EMAIL }],
  ['/api/challenges/bars/submissions', VERSE],
])('%s needs a token while Turnstile is on', async (path, body) => {
  expect(await errorOf(await send('POST', path, body, options()))).toEqual(NOT_HUMAN)
  const bodyOfOtherForm = { ...body, turnstileToken: newToken({ action: 'another_form' }) }
  expect(await errorOf(await send('POST', path, bodyOfOtherForm, options()))).toEqual(NOT_HUMAN)
})

test('accepts a token once', async () => {
  const token = newToken()
  expect((await subscribe(token)).status).toBe(200)
  expect(await errorOf(await subscribe(token))).toEqual(EXPIRED)
})

test('verifies the token with the visitor’s address', async () => {
  const [visitor, stranger] = [options({}, '203.0.113.40'), options({}, '203.0.113.41')]
  expect(await errorOf(await subscribe(newToken({ ip: '203.0.113.40' }), stranger))).toEqual(NOT_HUMAN)
  expect((await subscribe(newToken({ ip: '203.0.113.40' }), visitor)).status).toBe(200)
})

test.each([
  ['expired', { age: `${6 * MINUTE_MS}` }, EXPIRED],
  ['of another site', { hostname: 'evil.example' }, NOT_HUMAN],
  ['of another form', { action: 'sign_up' }, NOT_HUMAN],
  ['not known to the verifier', { id: '' }, NOT_HUMAN],
])('rejects a token that is %s', async (_, fields, error) => {
  expect(await errorOf(await subscribe(newToken(fields)))).toEqual(error)
})

test('rejects a token without hostname and action', async () => {
  expect(await errorOf(await subscribe('id=nameless'))).toEqual(NOT_HUMAN)
})

test.each([
  'drops the connection',
  'responds with 500',
  'responds with no JSON',
  'responds with other JSON',
  'redirects',
  'has an internal error',
])('answers 503 when the verifier %s', async (fault) => {
  vi.spyOn(console, 'error').mockReturnValue()
  expect(await errorOf(await subscribe(newToken({ fault })))).toEqual(UNAVAILABLE)
})

test('answers 503 when the verifier hangs for five seconds', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { timeout } = AbortSignal
  const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 100))
  onTestFinished(() => timeoutSpy.mockRestore())
  expect(await errorOf(await subscribe(newToken({ fault: 'hangs' })))).toEqual(UNAVAILABLE)
  expect(timeoutSpy).toHaveBeenCalledWith(5 * SECOND_MS)
})

test('answers 503 without a verifier or with a wrong secret', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const outages = [{ TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/siteverify' }, { TURNSTILE_SECRET_KEY: 'another-key' }]
  for (const outage of outages) expect(await errorOf(await subscribe(newToken(), options(outage)))).toEqual(UNAVAILABLE)
})

test('requires no token while Turnstile is off', async () => {
  for (const off of [{}, { TURNSTILE_SITE_KEY: 'only-one' }, { TURNSTILE_SECRET_KEY: 'only-one' }]) {
    const body = { email: `fan${++uniqueCount}@fan.example` }
    const response = await send('POST', '/api/newsletter/subscribe', body, { ...options(), env: off })
    expect(response.status).toBe(200)
  }
})

test('allows Turnstile’s host and publishes its key when on', async () => {
  for (const [variables, isOn] of [
    [bindings, true],
    [{}, false],
    [{ TURNSTILE_SITE_KEY: 'only-one' }, false],
  ] as const) {
    const config = await getJson<{ turnstileSiteKey: string | null }>('/api/config', { env: variables })
    expect(config.turnstileSiteKey).toBe(isOn ? 'site-key' : null)
    for (const path of ['/', '/login', '/api/config']) {
      // The policy names the host as a source of scripts and of frames.
      const policy = (await send('GET', path, undefined, { env: variables })).headers.get('content-security-policy')
      expect([path, policy?.split('https://challenges.cloudflare.com').length]).toEqual([path, isOn ? 3 : 1])
    }
  }
})
