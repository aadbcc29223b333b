import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import wrangler from '../../wrangler.toml?raw'
import worker from '../index'
import { newBrowser } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { NOON, seedSite } from '../testing/seed'
import { uniqueIp } from '../testing/users'

beforeAll(() => seedSite(env.DB))

const EMAIL = 'Petunia.Logs@mail.example'
const PHONE = '+1 813 555 0177'
const PASSWORD = 'seven golden lanterns'
const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** Runs `work` and returns the text that it logs, one entry per line. */
async function captureLogs(work: () => Promise<void>): Promise<string> {
  const lines: string[] = []
  for (const level of LEVELS)
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => void lines.push(args.map(String).join(' ')))
  await work().finally(() => vi.restoreAllMocks())
  return lines.join('\n')
}

test('logs contain no addresses, phone numbers or tokens', async () => {
  const address = uniqueIp()
  const browser = newBrowser({ address, at: NOON })
  const secrets: string[] = []
  const post = (path: string, body: unknown, status: number) =>
    browser.send('POST', path, body).then((response) => expect([path, response.status]).toEqual([path, status]))
  const logText = await captureLogs(async () => {
    const signup = { username: 'petunialogs', email: EMAIL, password: PASSWORD }
    await post('/api/auth/signup', { ...signup, phoneNumber: PHONE }, 201)
    await post('/api/auth/signup', signup, 409)
    const verifyToken = await tokenFromEmail('verify', EMAIL)
    await post('/api/auth/email/verify', { token: verifyToken, password: PASSWORD }, 200)
    await post('/api/auth/login', { username: EMAIL, password: 'petunia wrong guess' }, 401)
    await post('/api/auth/login', { username: EMAIL, password: PASSWORD }, 200)
    await post('/api/auth/password/forgot', { email: EMAIL }, 202)
    const resetToken = await tokenFromEmail('reset', EMAIL)
    await post('/api/auth/password/reset', { token: resetToken, password: 'eight golden lanterns' }, 204)
    await post('/api/newsletter/subscribe', { email: EMAIL }, 200)
    const confirmToken = await tokenFromEmail('newsletter_confirm', EMAIL)
    await post('/api/newsletter/confirm', { token: confirmToken }, 200)
    await post('/api/shows/alerts', { entry: EMAIL }, 202)
    await post('/api/privacy/inquiries', { email: EMAIL, kind: 'other', message: `Call ${PHONE}.` }, 202)
    await post('/api/create-payment-intent', { amount: 19.99, productId: 'clip', quantity: 1, email: EMAIL }, 503)
    await browser.send('GET', `/verify-email?token=${verifyToken}`)
    await browser.send('GET', `/api/newsletter/unsubscribe?token=${confirmToken}&email=${EMAIL}`)
    await browser.send('GET', `/api/orders/order_1?client_secret=pi_petunia_secret_x`)
    await browser.send('POST', '/api/auth/login', `{"username":"${EMAIL}`)
    secrets.push(verifyToken, resetToken, confirmToken, ...browser.cookies.values())
    // A database error contains the query's values: none may be logged.
    const failingBrowser = newBrowser({
      address,
      at: NOON,
      env: { DB: failingDatabase(`near "${EMAIL}" ${PHONE} ${verifyToken}`) },
    })
    for (const [path, body] of [
      ['/api/auth/signup', { ...signup, username: 'petunia2' }],
      ['/api/newsletter/subscribe', { email: EMAIL }],
    ] as const)
      expect((await failingBrowser.send('POST', path, body)).status).toBeGreaterThanOrEqual(500)
    await worker.scheduled(
      { scheduledTime: NOON } as ScheduledController,
      { ...env, DB: failingDatabase(EMAIL) } as never,
    )
    await worker.scheduled({ scheduledTime: NOON } as ScheduledController, env as never)
  })
  // Requests and failures were logged, so the next checks have something to search.
  expect([logText.match(/"at":"request"/g)!.length > 15, /"at":"unhandled"/.test(logText)]).toEqual([true, true])
  expect(logText).not.toMatch(/petunia|555.?0177|lanterns|wrong guess/i)
  expect(logText).not.toContain(address)
  for (const secret of secrets) expect(logText).not.toContain(secret)
})

test('Cloudflare’s invocation logs and traces are disabled', () => {
  const section = (name: string) => new RegExp(`^\\[${name}\\]\\n([^[#]*)`, 'm').exec(wrangler)?.[1]?.trim().split('\n')
  expect(section('observability')).toEqual(['enabled = true', 'redact_query_string = true'])
  expect(section('observability.logs')).toEqual(['enabled = true', 'invocation_logs = false'])
  expect(section('observability.traces')).toEqual(['enabled = false'])
})

/** A database whose calls all fail with this text. */
function failingDatabase(text: string): D1Database {
  const fail = () => Promise.reject(new Error(`D1_ERROR: ${text}`))
  const statement = { bind: () => statement, first: fail, run: fail, all: fail, raw: fail }
  return { prepare: () => statement, batch: fail, exec: fail } as never
}
