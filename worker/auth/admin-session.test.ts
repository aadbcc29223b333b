import { env } from 'cloudflare:test'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from '../http/app-env'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { staleKV } from '../testing/stores'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { accessControl } from './session.middleware'

// Less than 24 hours before daylight-saving time starts in New York: a session lasts 24 hours of elapsed time.
const NOW = Date.parse('2026-03-07T16:00:00Z')
const SESSION_REQUEST = ['GET', '/api/admin/session'] as const
const openSession = (username: string, options = {}) =>
  browserWithSession(username, { as: 'administrator', at: NOW, ...options })
const auditedActions = (actor: number) =>
  env.DB.prepare('SELECT action FROM audit_log WHERE actor_id = ? ORDER BY id')
    .bind(actor)
    .all<{ action: string }>()
    .then(({ results }) => results.map(({ action }) => action))

test('an admin session lasts exactly 24 hours', async () => {
  await addNamedUser('ana', { role: 'administrator' })
  const browser = await logInWithPassword('ana', { as: 'administrator', at: NOW })
  for (let hours = 1; hours < 24; hours += 4)
    expect((await browser.send(...SESSION_REQUEST, undefined, { at: NOW + hours * HOUR_MS })).status).toBe(200)
  const last = await browser.send(...SESSION_REQUEST, undefined, { at: NOW + 24 * HOUR_MS - 1 })
  expect([last.status, await last.json()]).toEqual([
    200,
    {
      userId: expect.any(Number),
      username: 'ana',
      teamRole: 'owner',
      hasPassword: true,
      google: false,
      emailedCode: false,
      expiresAt: '2026-03-08T16:00:00.000Z',
      secondsLeft: 1,
    },
  ])
  expect(await errorOf(await browser.send(...SESSION_REQUEST, undefined, { at: NOW + 24 * HOUR_MS }))).toEqual([
    401,
    'session_expired',
    'Your session has expired. Please log in again.',
  ])
})

test('an expired admin session gets 401, a supporter session 403', async () => {
  await addNamedUser('bo', { role: 'administrator' })
  const browser = await openSession('bo')
  expect((await browser.send(...SESSION_REQUEST, undefined, { at: NOW + 25 * HOUR_MS })).status).toBe(401)
  const supporter = await browserWithSession('bo', { at: NOW })
  expect(await statusAndCodeOf(await supporter.send(...SESSION_REQUEST))).toEqual([403, 'forbidden'])
  expect(await statusAndCodeOf(await newBrowser().send(...SESSION_REQUEST))).toEqual([401, 'signed_out'])
})

test('admin and supporter cookies are not interchangeable', async () => {
  await addNamedUser('cy', { role: 'administrator' })
  const browser = await openSession('cy')
  const swapped = newBrowser({ at: NOW })
  swapped.cookies.set('__Host-session', browser.cookies.get('__Host-admin')!)
  swapped.cookies.set('__Host-admin', browser.cookies.get('__Host-session')!)
  expect([
    (await swapped.send('GET', '/api/auth/user')).status,
    (await swapped.send(...SESSION_REQUEST)).status,
  ]).toEqual([401, 401])
})

test('admin login does not reveal a supporter’s correct password', async () => {
  await addNamedUser('di')
  await addNamedUser('ed', { role: 'administrator' })
  for (const [username, password] of [
    ['di', PASSWORD],
    ['ed', 'wrong password'],
    ['nobody-at-all', PASSWORD],
  ]) {
    const response = await newBrowser({ address: uniqueIp() }).send('POST', '/api/admin/login', {
      username,
      password,
    })
    expect(await errorOf(response)).toEqual([401, 'bad_credentials', 'Invalid username or password'])
  }
})

test.each([
  ['demoted', "UPDATE users SET role = 'supporter', session_epoch = session_epoch + 1 WHERE id = ?", 403],
  ['banned', 'UPDATE users SET banned_at = 1, session_epoch = session_epoch + 1 WHERE id = ?', 403],
  ['given a new password', 'UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?', 401],
])('an administrator who was %s is logged out immediately', async (action, change, status) => {
  const username = `flo-${action.replaceAll(' ', '-')}`
  const { id } = await addNamedUser(username, { role: 'administrator' })
  const browser = await openSession(username, { env: { SESSIONS: staleKV(env.SESSIONS) } })
  expect((await browser.send(...SESSION_REQUEST)).status).toBe(200)
  await env.DB.prepare(change).bind(id).run()
  expect((await browser.send(...SESSION_REQUEST)).status).toBe(status)
})

test('logout ends the admin session; audits login and logout', async () => {
  const { id } = await addNamedUser('gus', { role: 'administrator' })
  const SESSIONS = staleKV(env.SESSIONS)
  const browser = await logInWithPassword('gus', { as: 'administrator', at: NOW, env: { SESSIONS } })
  const thief = newBrowser({ at: NOW, env: { SESSIONS } })
  thief.cookies.set('__Host-admin', browser.cookies.get('__Host-admin')!)
  expect((await thief.send(...SESSION_REQUEST)).status).toBe(200)
  expect((await browser.send('POST', '/api/admin/logout')).status).toBe(204)
  expect((await thief.send(...SESSION_REQUEST)).status).toBe(401)
  expect((await thief.send('POST', '/api/admin/logout')).status).toBe(204)
  expect(await auditedActions(id)).toEqual(['session.opened', 'session.closed'])
})

test('rejects changes and deletions in the audit log', async () => {
  await expect(env.DB.prepare("UPDATE audit_log SET action = 'nothing'").run()).rejects.toThrow('append-only')
  await expect(env.DB.prepare('DELETE FROM audit_log').run()).rejects.toThrow('append-only')
})

test('limits password guesses at the admin login', async () => {
  await addNamedUser('hal', { role: 'administrator' })
  const guess = (password: string, at = NOW) =>
    newBrowser({ address: '192.0.2.50', at }).send('POST', '/api/admin/login', { username: 'hal', password })
  for (let i = 0; i < 10; i++) await guess('wrong password')
  expect((await guess(PASSWORD)).status).toBe(429)
  expect((await guess(PASSWORD, NOW + 15 * MINUTE_MS)).status).toBe(200)
})

test('an emailed code re-authenticates an admin without other credentials', async () => {
  await addNamedUser('ivy', { role: 'administrator', passwordHash: null })
  const browser = await openSession('ivy')
  const later = { at: NOW + 20 * MINUTE_MS }
  const exports = () => browser.send('POST', '/api/admin/exports', { kind: 'points' }, later)
  const confirm = (emailedCode: string) => browser.send('POST', '/api/admin/confirm', { emailedCode }, later)
  const codeRequest = () => browser.send('POST', '/api/admin/confirm/code', undefined, later)
  expect((await errorOf(await exports()))[1]).toBe('recent_auth_required')
  expect((await codeRequest()).status).toBe(202)
  const code = await tokenFromEmail('confirm', 'ivy@fan.example')
  expect(await statusAndCodeOf(await confirm(code === '000000' ? '000001' : '000000'))).toEqual([
    401,
    'bad_credentials',
  ])
  const confirmed = await confirm(code)
  expect([confirmed.status, await confirmed.json()]).toMatchObject([200, { username: 'ivy', emailedCode: true }])
  expect((await confirm(code)).status).toBe(401)
  expect((await exports()).ok).toBe(true)
})

test('emails codes to confirmed addresses only, within the quota', async () => {
  await addNamedUser('jo', { role: 'administrator', passwordHash: null, emailVerifiedAt: null })
  const unconfirmed = await openSession('jo')
  expect((await errorOf(await unconfirmed.send('POST', '/api/admin/confirm/code')))[1]).toBe('confirm_email')
  await addNamedUser('kit', { role: 'administrator', passwordHash: null })
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const browser = await openSession('kit')
    statuses.push((await browser.send('POST', '/api/admin/confirm/code')).status)
  }
  expect([...new Set(statuses)]).toEqual([202, 429])
})

test('rejects a call to a route without an endpoint definition', async () => {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set('endpoint', null)
    await next()
  })
  app.use(accessControl)
  app.get('/api/undefined', (c) => c.text('served'))
  expect((await app.request('/api/undefined')).status).toBe(404)
})
