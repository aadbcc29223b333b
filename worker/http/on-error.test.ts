import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { afterEach, expect, test, vi } from 'vitest'
import { errorOf, fillPath, send, servedRoutes } from '../testing/client'
import type { AppEnv } from './app-env'
import { onError } from './on-error'
import { requestLog } from './request-log'

afterEach(() => vi.restoreAllMocks())

const PRIVATE_TEXT = 'hunter2 fan@mail.example +1 813 555 0123 4242424242424242 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'
const failingApp = (error: unknown) => {
  const app = new Hono<AppEnv>().use(requestLog)
  app.onError(onError)
  return app.get('/:token', () => {
    throw error
  })
}
const silenceConsole = () => ({
  log: vi.spyOn(console, 'log').mockReturnValue(),
  error: vi.spyOn(console, 'error').mockReturnValue(),
})

test('responses do not contain the messages of internal errors', async () => {
  silenceConsole()
  const errors = [
    new Error(PRIVATE_TEXT),
    new TypeError(PRIVATE_TEXT, { cause: new Error(PRIVATE_TEXT) }),
    Object.assign(new Error(`Failed query: select ${PRIVATE_TEXT}`), { name: 'DrizzleQueryError' }),
    new HTTPException(500, { message: PRIVATE_TEXT }),
    new HTTPException(400, { message: PRIVATE_TEXT }),
    new HTTPException(418, { res: new Response(PRIVATE_TEXT) }),
  ]
  for (const error of errors) {
    const response = await failingApp(error).request('/x', {}, env)
    const [status, code, message] = await errorOf(response)
    // An HTTPException of status 400 becomes `bad_json`, every other error 500.
    expect([400, 500]).toContain(status)
    expect(code).toBe(status === 500 ? 'internal' : 'bad_json')
    for (const word of ['hunter2', 'fan@mail', '813 555', '4242424242', 'eyJhbGci'])
      expect(message + JSON.stringify([...response.headers])).not.toContain(word)
    if (status === 500) expect(message).toContain(response.headers.get('x-request-id'))
  }
})

test('masks personal data in the error log', async () => {
  const { error } = silenceConsole()
  await failingApp(new Error(`Unexpected token in "hunter2": ${PRIVATE_TEXT}`)).request('/x', {}, env)
  const line = JSON.parse(error.mock.calls[0]?.[0])
  expect(line).toMatchObject({
    at: 'unhandled',
    name: 'Error',
    message: expect.stringMatching(/^Unexpected token in "…"/),
  })
  expect(line.where).toContain('on-error.test')
  expect(line.message).not.toMatch(/fan@|555|4242|eyJ/)
})

test('logs no SQL or parameters of failed queries', async () => {
  const { error } = silenceConsole()
  const cause = new Error('D1_ERROR: UNIQUE constraint failed: users.email_key: SQLITE_CONSTRAINT')
  const failed = new Error(`Failed query: insert into users params: ${PRIVATE_TEXT}`, { cause })
  await failingApp(failed).request('/x', {}, env)
  expect(JSON.parse(error.mock.calls[0]?.[0]).message).toBe(cause.message)
})

test('logs requests without path, query or IP address', async () => {
  const { log } = silenceConsole()
  const id = (await send('GET', '/media/secret-token/x.webp?email=fan@mail.example')).headers.get('x-request-id')
  await send('POST', '/nowhere-secret?token=secret', { email: 'fan@mail.example' })
  expect(log.mock.calls).toHaveLength(2)
  const lines = log.mock.calls.map(([line]) => JSON.parse(line))
  expect(lines[0]).toMatchObject({
    at: 'request',
    id,
    method: 'GET',
    status: expect.any(Number),
    ms: expect.any(Number),
  })
  expect(lines[1]).toMatchObject({ method: 'POST', route: null, status: 404 })
  expect(JSON.stringify(log.mock.calls)).not.toMatch(/secret|fan@|203\.0\.113/)
})

test('answers 503 when the configuration is invalid', async () => {
  const { error } = silenceConsole()
  const overrides = { SIGNING_SECRET: 'too-short-to-be-a-secret', SITE_MODE: 'staging-of-somebody' }
  for (const { method, path } of [
    ...servedRoutes(),
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/nowhere' },
  ]) {
    const response = await send(method, fillPath(path), undefined, { env: overrides })
    expect([path, ...(await errorOf(response))]).toEqual([
      path,
      503,
      'unavailable',
      'This site is not set up yet. Please try again later.',
    ])
  }
  const logged = JSON.stringify(error.mock.calls)
  expect(logged).toContain('SITE_MODE')
  expect(logged).toContain('SIGNING_SECRET')
  expect(logged).not.toMatch(/too-short|staging-of/)
})

test('names a missing binding in the log', async () => {
  const { error } = silenceConsole()
  const response = await send('GET', '/healthz', undefined, { env: { LIMIT_MAIL: undefined } })
  expect(response.status).toBe(503)
  expect(JSON.stringify(error.mock.calls)).toContain('LIMIT_MAIL')
})

test('a site without email sending needs no email binding', async () => {
  const withoutBinding = { EMAIL: undefined, EMAIL_SENDING: 'off' }
  expect((await send('GET', '/healthz', undefined, { env: withoutBinding })).status).toBe(200)
  const { error } = silenceConsole()
  expect((await send('GET', '/healthz', undefined, { env: { EMAIL: undefined } })).status).toBe(503)
  expect(JSON.stringify(error.mock.calls)).toContain('EMAIL (missing)')
})

test.each([
  [{ PUBLIC_IMAGES: env.FILES }, 'PUBLIC_IMAGES_ORIGIN (missing)'],
  [{ PUBLIC_IMAGES_ORIGIN: 'https://images.fan.example' }, 'PUBLIC_IMAGES (missing)'],
])('a public bucket needs its binding and its origin', async (bindings, missing) => {
  const { error } = silenceConsole()
  expect((await send('GET', '/healthz', undefined, { env: bindings })).status).toBe(503)
  expect(JSON.stringify(error.mock.calls)).toContain(missing)
})

test('a path cannot inject response headers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
      const path = `/subscribe/?${encodeURIComponent(text)}\r\nset-cookie: a=b`
      const response = await send('GET', path)
      expect([response.headers.get('set-cookie'), /[\r\n]/.test(response.headers.get('location') ?? '')]).toEqual([
        null,
        false,
      ])
    }),
    { numRuns: 20 },
  )
})
