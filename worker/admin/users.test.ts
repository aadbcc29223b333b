import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminSupporter, AuditEntry } from '../contract/admin'
import { MINUTE_MS } from '../lib/clock'
import { errorOf } from '../testing/client'
import { addUser, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { staleKV } from '../testing/stores'
import { addVerifiedUser, logInWithPassword } from '../testing/users'
import { listSupporters, revokeAdministrator, SUPPORTERS_BY_TRIGRAM } from './users'

let desk: Awaited<ReturnType<typeof logInWithPassword>>
beforeAll(async () => {
  await seedSite(env.DB)
  for (let i = 0; i < 60; i++) await addUser({ username: `crowd-${i}`, email: `crowd${i}@fan.example` })
  await addUser({ username: '100%_"sure"', email: `${'long'.repeat(15)}@fan.example` })
  await addVerifiedUser('desk', { role: 'administrator' })
  await addVerifiedUser('fan')
  desk = await logInWithPassword('desk', { as: 'administrator', at: NOON })
})
const list = async (q: string) =>
  (await (await desk.send('GET', `/api/admin/supporters?q=${encodeURIComponent(q)}`)).json()) as AdminSupporter[]
const names = async (q: string) => (await list(q)).map(({ username }) => username)

test.each([
  [
    'CROWD-5',
    [
      'crowd-59',
      'crowd-58',
      'crowd-57',
      'crowd-56',
      'crowd-55',
      'crowd-54',
      'crowd-53',
      'crowd-52',
      'crowd-51',
      'crowd-50',
      'crowd-5',
    ],
  ],
  ['d12@fan', ['crowd-12']],
  ['0%_', ['100%_"sure"']],
  ['"sure"', ['100%_"sure"']],
  ['long'.repeat(15), ['100%_"sure"']],
  ['fa', ['fan']],
  ["' OR 1=1 --", []],
  ['desk', []],
])('%j finds %j', async (q, found) => {
  expect(await names(q)).toEqual(found)
})

test('pages hold every supporter once, and no whole address', async () => {
  const seen: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await listSupporters(env.DB, { q: '', cursor })
    seen.push(...page.supporters.map(({ username }) => username))
    expect(JSON.stringify(page)).not.toContain('crowd1@')
    cursor = page.next
    if (!cursor) break
  }
  expect([seen.length, new Set(seen).size]).toEqual([62, 62])
  expect(await queryPlan({ sql: SUPPORTERS_BY_TRIGRAM, params: [1, '"abc"'] })).toEqual([
    expect.stringContaining('VIRTUAL TABLE INDEX'),
    expect.stringContaining('INTEGER PRIMARY KEY'),
  ])
})

test('who is banned is out at once although KV still answers, and in again when let in', async () => {
  const fan = await logInWithPassword('fan', { at: NOON, env: { SESSIONS: staleKV(env.SESSIONS) } })
  expect((await fan.send('GET', '/api/auth/user')).status).toBe(200)
  const [{ id } = { id: '' }] = await list('fan')
  expect((await desk.send('POST', `/api/admin/supporters/${id}/ban`, { reason: 'Spam' })).status).toBe(204)
  expect([(await list('fan'))[0]?.banned, (await fan.send('GET', '/api/auth/user')).status]).toEqual([true, 403])
  expect((await desk.send('POST', `/api/admin/supporters/${id}/unban`)).status).toBe(204)
  // Whoever had the session before does not come in again with it: only the password opens a new one.
  expect((await fan.send('GET', '/api/auth/user')).status).toBe(401)
  expect((await logInWithPassword('fan', { at: NOON })).cookies.size).toBeGreaterThan(0)
  const audit: AuditEntry[] = await (await desk.send('GET', '/api/admin/audit?q=banned')).json()
  expect(audit.map(({ action, actor, subject, detail }) => [action, actor, subject, detail])).toEqual([
    ['supporter.unbanned', 'desk', `user:${id}`, {}],
    ['supporter.banned', 'desk', `user:${id}`, { reason: 'Spam' }],
  ])
})

test('an administrator is appointed by a confirmed address, shortly after logging in, and revoked at once', async () => {
  await addVerifiedUser('second')
  await addVerifiedUser('unsure', { emailVerifiedAt: null })
  const appoint = (email: string, at = NOON) => desk.send('POST', '/api/admin/administrators', { email }, { at })
  expect((await errorOf(await appoint('unsure@fan.example'))).slice(0, 2)).toEqual([404, 'not_found'])
  expect((await errorOf(await appoint('second@fan.example', NOON + 16 * MINUTE_MS)))[1]).toBe('confirm_required')
  expect((await appoint('Second@fan.example')).status).toBe(204)
  // Told once, and nobody else is.
  const emails = await env.DB.prepare("SELECT recipient, text FROM outbox WHERE kind = 'appointed'").all<{
    text: string
  }>()
  expect(emails.results).toMatchObject([{ recipient: 'second@fan.example' }])
  expect(emails.results[0]?.text).toContain('https://fan.example/admin-login')
  const far = { SESSIONS: staleKV(env.SESSIONS) }
  const second = await logInWithPassword('second', { as: 'administrator', at: NOON, env: far })
  expect((await second.send('GET', '/api/admin/audit')).status).toBe(200)
  const { id } = (await env.DB.prepare("SELECT id FROM users WHERE username = 'second'").first<{ id: number }>())!
  expect((await desk.send('DELETE', `/api/admin/administrators/${id}`)).status).toBe(204)
  for (const path of ['/api/admin/session', '/api/admin/audit'])
    expect((await second.send('GET', path)).status).toBe(403)
  const revoking = await desk.send('DELETE', `/api/admin/administrators/${id}`, undefined, {
    at: NOON + 16 * MINUTE_MS,
  })
  expect((await errorOf(revoking))[1]).toBe('confirm_required')
  const audit: AuditEntry[] = await (await desk.send('GET', '/api/admin/audit?q=administrator')).json()
  expect(audit.map(({ action, subject }) => [action, subject])).toEqual([
    ['administrator.revoked', `user:${id}`],
    ['administrator.appointed', `user:${id}`],
  ])
})

test('an administrator who is banned is out of the desk at once although KV still answers', async () => {
  const { id } = await addVerifiedUser('third', { role: 'administrator' })
  const third = await logInWithPassword('third', {
    as: 'administrator',
    at: NOON,
    env: { SESSIONS: staleKV(env.SESSIONS) },
  })
  expect((await third.send('GET', '/api/admin/audit')).status).toBe(200)
  await env.DB.prepare('UPDATE users SET banned_at = 1, session_epoch = session_epoch + 1 WHERE id = ?').bind(id).run()
  expect((await third.send('GET', '/api/admin/audit')).status).toBe(403)
  await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE id = ?").bind(id).run()
})

test('the last administrator stays, also when two revoke each other at once', async () => {
  const last = (await env.DB.prepare("SELECT id FROM users WHERE username = 'desk'").first<{ id: number }>())!.id
  expect((await errorOf(await desk.send('DELETE', `/api/admin/administrators/${last}`)))[1]).toBe('conflict')
  for (let round = 0; round < 5; round++) {
    await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE role = 'administrator'").run()
    const [a, b] = [await addUser({ role: 'administrator' }), await addUser({ role: 'administrator' })]
    const by = (actorId: number) => ({ actorId, at: NOON })
    const outcomes = await Promise.allSettled([
      revokeAdministrator(env.DB, a.id, by(b.id)),
      revokeAdministrator(env.DB, b.id, by(a.id)),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = await env.DB.prepare("SELECT count(*) AS n FROM users WHERE role = 'administrator'").first()
    expect(left).toEqual({ n: 1 })
  }
})

test('an administrator of the last 15 minutes erases who asked for it, once, and it is written down', async () => {
  const boss = await addVerifiedUser('eraser', { role: 'administrator' })
  const administrator = await logInWithPassword('eraser', { as: 'administrator', at: NOON })
  const { id } = await addVerifiedUser('wants-out')
  const path = `/api/admin/supporters/${id}`
  const late = await administrator.send('DELETE', path, undefined, { at: NOON + 16 * MINUTE_MS })
  expect((await errorOf(late))[1]).toBe('confirm_required')
  expect((await administrator.send('DELETE', path)).status).toBe(204)
  const row = await env.DB.prepare('SELECT email, erased_at AS at FROM users WHERE id = ?').bind(id).first()
  expect(row).toEqual({ email: null, at: NOON })
  expect((await administrator.send('DELETE', path)).status).toBe(404)
  const acts = env.DB.prepare("SELECT count(*) AS n FROM audit_log WHERE action = 'supporter.erased' AND subject = ?")
  expect(await acts.bind(`user:${id}`).first('n')).toBe(1)
  expect((await errorOf(await administrator.send('DELETE', `/api/admin/supporters/${boss.id}`)))[1]).toBe('conflict')
})
