import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { AdminPointsEntry, AdminSupporter, AuditEntry, TeamMember } from '../contract/admin'
import { listStatement, readList } from '../db/list'
import type { Page } from '../db/pagination'
import { eraseUser } from '../gdpr/erase-user'
import { MINUTE_MS } from '../lib/clock'
import { pointsEntryList } from '../points/admin-list'
import { errorOf, statusAndCodeOf } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { staleKV } from '../testing/stores'
import { addNamedUser, logInWithPassword } from '../testing/users'
import { supporterList } from '../users/admin-list'
import { changeTeamRole, removeTeamMember } from './team'

let admin: Awaited<ReturnType<typeof logInWithPassword>>
beforeAll(async () => {
  await seedSite(env.DB)
  for (let i = 0; i < 60; i++) await addUser({ username: `load-${i}`, email: `load${i}@fan.example` })
  await addUser({ username: '100%_"sure"', email: `${'long'.repeat(15)}@fan.example` })
  await addNamedUser('admin', { role: 'administrator' })
  await addNamedUser('fan')
  admin = await logInWithPassword('admin', { as: 'administrator', at: NOON })
})
const searchSupporters = async (q: string) =>
  (await (await admin.send('GET', `/api/admin/supporters?q=${encodeURIComponent(q)}`)).json()) as AdminSupporter[]
const searchUsernames = async (q: string) => (await searchSupporters(q)).map(({ username }) => username)
/** The cursor after a row with sort key 5 and id 5. */
const CURSOR = 'after.~5B5~2C5~5D'

test.each([
  ['LOAD-5', [...Array.from({ length: 10 }, (_, i) => `load-${59 - i}`), 'load-5']],
  ['Load12@fan.example', ['load-12']],
  ['d12@fan', []],
  ['0%_', ['100%_"sure"']],
  ['"sure"', ['100%_"sure"']],
  ['long'.repeat(15), []],
  [`${'long'.repeat(15)}@fan.example`, ['100%_"sure"']],
  ['fa', ['fan']],
  ["' OR 1=1 --", []],
  ['admin', []],
])('supporter search %j finds %j', async (q, found) => {
  expect(await searchUsernames(q)).toEqual(found)
})

test('lists every supporter once with masked emails', async () => {
  const usernames: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<AdminSupporter> = await readList(db, supporterList, { q: '', sort: null, cursor, filters: {} })
    usernames.push(...page.rows.map(({ username }) => username))
    expect(JSON.stringify(page)).not.toContain('load1@')
    cursor = page.next
    if (!cursor) break
  }
  expect([usernames.length, new Set(usernames).size]).toEqual([62, 62])
  const searched = listStatement(supporterList, { q: 'abc', sort: null, cursor: CURSOR, filters: {} })
  expect(await queryPlan(db.run(searched).getQuery())).toEqual([
    expect.stringContaining('VIRTUAL TABLE INDEX'),
    expect.stringContaining('INTEGER PRIMARY KEY'),
    expect.stringContaining('CORRELATED SCALAR SUBQUERY'),
    expect.stringContaining('INDEX poll_votes_excluded (user_id=?)'),
  ])
})

test('bans and unbans a supporter despite stale KV', async () => {
  const supporter = await logInWithPassword('fan', { at: NOON, env: { SESSIONS: staleKV(env.SESSIONS) } })
  expect((await supporter.send('GET', '/api/auth/user')).status).toBe(200)
  const [{ id } = { id: '' }] = await searchSupporters('fan')
  expect((await admin.send('POST', `/api/admin/supporters/${id}/ban`, { reason: 'Spam' })).status).toBe(204)
  expect([(await searchSupporters('fan'))[0]?.banned, (await supporter.send('GET', '/api/auth/user')).status]).toEqual([
    true,
    403,
  ])
  expect((await admin.send('POST', `/api/admin/supporters/${id}/unban`)).status).toBe(204)
  expect((await supporter.send('GET', '/api/auth/user')).status).toBe(401)
  expect((await logInWithPassword('fan', { at: NOON })).cookies.size).toBeGreaterThan(0)
  const audit: AuditEntry[] = await (await admin.send('GET', '/api/admin/audit?q=banned')).json()
  expect(audit.map(({ action, actor, subject, detail }) => [action, actor, subject, detail])).toEqual([
    ['supporter.unbanned', 'admin', `user:${id}`, {}],
    ['supporter.banned', 'admin', `user:${id}`, { reason: 'Spam' }],
  ])
})

test('appoints no account with an unconfirmed address', async () => {
  const { id } = await addNamedUser('unsure', { emailVerifiedAt: null })
  for (const account of ['unsure@fan.example', 'unsure']) {
    const response = await admin.send('POST', '/api/admin/administrators', { account, teamRole: 'manager' })
    expect(await statusAndCodeOf(response)).toEqual([404, 'not_found'])
  }
  const members = env.DB.prepare('SELECT count(*) AS n FROM team_members WHERE user_id = ?').bind(id)
  expect(await members.first('n')).toBe(0)
})

test('appoints by confirmed email and revokes despite stale KV', async () => {
  await addNamedUser('second')
  const appoint = (account: string, at = NOON) =>
    admin.send('POST', '/api/admin/administrators', { account, teamRole: 'manager' }, { at })
  expect((await errorOf(await appoint('second@fan.example', NOON + 16 * MINUTE_MS)))[1]).toBe('recent_auth_required')
  expect((await appoint('Second@fan.example')).status).toBe(204)
  expect(await statusAndCodeOf(await appoint('second'))).toEqual([409, 'conflict'])
  const emails = await env.DB.prepare("SELECT recipient, text FROM outbox WHERE kind = 'appointed'").all<{
    text: string
  }>()
  expect(emails.results).toMatchObject([{ recipient: 'second@fan.example' }])
  expect(emails.results[0]?.text).toContain('https://fan.example/admin-login')
  const staleSessions = { SESSIONS: staleKV(env.SESSIONS) }
  const second = await logInWithPassword('second', { as: 'administrator', at: NOON, env: staleSessions })
  expect((await second.send('GET', '/api/admin/audit')).status).toBe(200)
  const { id } = (await env.DB.prepare("SELECT id FROM users WHERE username = 'second'").first<{ id: number }>())!
  expect((await admin.send('DELETE', `/api/admin/administrators/${id}`)).status).toBe(204)
  for (const path of ['/api/admin/session', '/api/admin/audit'])
    expect((await second.send('GET', path)).status).toBe(403)
  const lateRevocation = await admin.send('DELETE', `/api/admin/administrators/${id}`, undefined, {
    at: NOON + 16 * MINUTE_MS,
  })
  expect((await errorOf(lateRevocation))[1]).toBe('recent_auth_required')
  const audit: AuditEntry[] = await (await admin.send('GET', '/api/admin/audit?q=administrator')).json()
  expect(audit.map(({ action, subject }) => [action, subject])).toEqual([
    ['administrator.revoked', `user:${id}`],
    ['administrator.appointed', `user:${id}`],
  ])
})

test('denies a banned administrator despite stale KV', async () => {
  const { id } = await addNamedUser('third', { role: 'administrator' })
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

const getLedger = (path: string) => admin.send('GET', `/api/admin/supporters/${path}`)
const readEntries = async (response: Response) => (await response.json()) as AdminPointsEntry[]

/** A supporter with `count` ledger entries of 15 points, after one without points; two per timestamp. */
async function addUserWithEntries(count: number) {
  const { id } = await addUser()
  await env.DB.prepare(`INSERT INTO ledger (user_id, action, key, description, points, created_at)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    SELECT ?1, 'community_post', 'community_post:' || i, 'Entry ' || CAST(i AS INTEGER), iif(i, 15, 0), i / 2 FROM n`)
    .bind(id, count)
    .run()
  return id
}

test('lists a supporter’s ledger newest first across pages', async () => {
  const [id, otherId] = [await addUserWithEntries(120), await addUserWithEntries(3)]
  const descriptions: string[] = []
  for (let next = `${id}/points`; next !== ''; ) {
    const response = await getLedger(next)
    descriptions.push(...(await readEntries(response)).map(({ description }) => description))
    next = /supporters\/([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
  }
  expect(descriptions).toEqual(Array.from({ length: 120 }, (_, i) => `Entry ${120 - i}`))
  expect(await readEntries(await getLedger(`${otherId}/points`))).toHaveLength(3)
  const query = { q: '', sort: null, cursor: CURSOR, filters: {} }
  const statement = listStatement(pointsEntryList, query, sql`entry.user_id = ${id}`)
  expect(await queryPlan(db.run(statement).getQuery())).toEqual([
    expect.stringContaining('ledger_history'),
    expect.stringContaining('CORRELATED'),
    expect.stringContaining('ledger_once'),
  ])
})

test('shows whether a ledger entry was reversed', async () => {
  const id = await addUserWithEntries(2)
  const states = async () =>
    (await readEntries(await getLedger(`${id}/points`))).map(({ points, state }) => [points, state]).sort()
  expect(await states()).toEqual([
    [15, 'stands'],
    [15, 'stands'],
  ])
  const [latest] = await readEntries(await getLedger(`${id}/points`))
  await admin.send('POST', `/api/admin/points/${latest!.id}/void`, { reason: 'By a script' })
  expect(await states()).toEqual([
    [-15, 'reversal'],
    [15, 'stands'],
    [15, 'taken_back'],
  ])
})

test('the ledger rejects administrators, unknown ids and invalid cursors', async () => {
  const id = await env.DB.prepare("SELECT id FROM users WHERE username = 'admin'").first<number>('id')
  for (const userId of [id, 999_999, 0, 'x'])
    expect(await statusAndCodeOf(await getLedger(`${userId}/points`))).toEqual([404, 'not_found'])
  const supporterId = await addUserWithEntries(1)
  for (const cursor of ['x', '1', '1.x', `1.${'9'.repeat(20)}`])
    expect(await statusAndCodeOf(await getLedger(`${supporterId}/points?cursor=${cursor}`))).toEqual([400, 'bad_input'])
})

test.each([
  ['removals', (id: number, actorId: number) => removeTeamMember(db, id, { actorId, at: NOON })],
  ['demotions', (id: number, actorId: number) => changeTeamRole(db, { id, teamRole: 'editor' }, { actorId, at: NOON })],
  [
    'deletions',
    async (id: number) => {
      const isErased = await eraseUser({ db, secret: 'x'.repeat(32) }, { userId: id, byUserRequest: true }, NOON)
      if (!isErased) throw new Error('not erased')
    },
  ],
] as const)('keeps the last owner under concurrent %s', async (_, endOwnership) => {
  for (let round = 0; round < 3; round++) {
    await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE role = 'administrator'").run()
    const [firstOwner, secondOwner] = [
      await addUser({ role: 'administrator' }),
      await addUser({ role: 'administrator' }),
    ]
    await addUser({ role: 'administrator', teamRole: 'manager' })
    const outcomes = await Promise.allSettled([
      endOwnership(firstOwner.id, secondOwner.id),
      endOwnership(secondOwner.id, firstOwner.id),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const owners = await env.DB.prepare("SELECT count(*) AS n FROM team_members WHERE role = 'owner'").first('n')
    expect(owners).toBe(1)
  }
})

test('changes a role, ends the sessions and audits it', async () => {
  await addNamedUser('boss', { role: 'administrator' })
  const owner = await logInWithPassword('boss', { as: 'administrator', at: NOON })
  const { id } = await addNamedUser('usher', { role: 'administrator', teamRole: 'manager' })
  const usher = await logInWithPassword('usher', { as: 'administrator', at: NOON })
  expect((await usher.send('GET', '/api/admin/orders')).status).toBe(200)
  const change = await owner.send('PATCH', `/api/admin/administrators/${id}`, { teamRole: 'door' })
  expect([change.status, (await usher.send('GET', '/api/admin/session')).status]).toEqual([204, 401])
  const again = await logInWithPassword('usher', { as: 'administrator', at: NOON })
  expect(await (await again.send('GET', '/api/admin/session')).json()).toMatchObject({ teamRole: 'door' })
  expect(await statusAndCodeOf(await again.send('GET', '/api/admin/orders'))).toEqual([403, 'role_required'])
  expect((await again.send('GET', '/api/admin/concerts/show-1/check-in-code')).status).not.toBe(403)
  const members: TeamMember[] = await (await owner.send('GET', '/api/admin/administrators')).json()
  expect(members.find(({ username }) => username === 'usher')).toMatchObject({
    teamRole: 'door',
    email: 'u…@fan.example',
  })
  const [entry] = await (await owner.send('GET', '/api/admin/audit?q=role_changed')).json<AuditEntry[]>()
  expect(entry).toMatchObject({ subject: `user:${id}`, detail: { role: 'door' } })
})

test('erases a supporter once after a recent login', async () => {
  const eraser = await addNamedUser('eraser', { role: 'administrator' })
  const administrator = await logInWithPassword('eraser', { as: 'administrator', at: NOON })
  const { id } = await addNamedUser('wants-out')
  const path = `/api/admin/supporters/${id}`
  const lateResponse = await administrator.send('DELETE', path, undefined, { at: NOON + 16 * MINUTE_MS })
  expect((await errorOf(lateResponse))[1]).toBe('recent_auth_required')
  expect((await administrator.send('DELETE', path)).status).toBe(204)
  const row = await env.DB.prepare('SELECT email, erased_at AS at FROM users WHERE id = ?').bind(id).first()
  expect(row).toEqual({ email: null, at: NOON })
  expect((await administrator.send('DELETE', path)).status).toBe(404)
  const entries = env.DB.prepare(
    "SELECT count(*) AS n FROM audit_log WHERE action = 'supporter.erased' AND subject = ?",
  )
  expect(await entries.bind(`user:${id}`).first('n')).toBe(1)
  expect((await errorOf(await administrator.send('DELETE', `/api/admin/supporters/${eraser.id}`)))[1]).toBe('conflict')
})
