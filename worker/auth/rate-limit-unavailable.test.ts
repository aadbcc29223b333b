import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send, statusAndCodeOf } from '../testing/client'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, type Role } from '../testing/users'

beforeAll(() => seedSite(env.DB))

const failingLimiter = { limit: () => Promise.reject(new Error('down')) }
const bindings = { LIMIT_AUTH: failingLimiter, LIMIT_MAIL: failingLimiter }

// These endpoints hash passwords, accept guesses or send email.
test.each<[string, Role]>([
  ['POST /api/auth/signup', 'visitor'],
  ['POST /api/auth/login', 'visitor'],
  ['POST /api/auth/google', 'visitor'],
  ['GET /api/auth/google', 'visitor'],
  ['POST /api/auth/password/forgot', 'visitor'],
  ['POST /api/auth/password/reset', 'visitor'],
  ['POST /api/auth/email/verify', 'visitor'],
  ['POST /api/auth/email/not-me', 'visitor'],
  ['POST /api/auth/email/resend', 'supporter'],
  ['POST /api/auth/password/change', 'supporter'],
  ['POST /api/auth/confirm', 'supporter'],
  ['POST /api/auth/confirm/code', 'supporter'],
  ['DELETE /api/account', 'supporter'],
  ['POST /api/admin/login', 'visitor'],
  ['POST /api/admin/confirm/code', 'administrator'],
  ['POST /api/admin/second-factor/confirm', 'administrator'],
  ['POST /api/admin/second-factor/end', 'administrator'],
  ['POST /api/newsletter/subscribe', 'visitor'],
  ['POST /api/shows/alerts', 'visitor'],
  ['POST /api/email/golden-verse-csv', 'administrator'],
])('%s is rejected while the rate limiter fails', async (route, role) => {
  const [method = '', path = ''] = route.split(' ')
  const headers = { cookie: await cookieHeaderFor(role) }
  const response = await send(method, path, method === 'GET' ? undefined : {}, { at: NOON, headers, env: bindings })
  expect(await statusAndCodeOf(response)).toEqual([429, 'rate_limited'])
})
