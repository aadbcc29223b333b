import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '../audit/audit.table'
import { errorOf, send } from '../testing/client'
import { addUser, db, pointsOf } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, sessionFor } from '../testing/users'
import { ledger } from './points.table'

let adminHeaders: Record<string, string>
beforeAll(async () => {
  await seedSite(env.DB)
  adminHeaders = { cookie: await cookieHeaderFor('administrator') }
})

const reverse = (id: number | string, reason: unknown = 'Played by a script') =>
  send('POST', `/api/admin/points/${id}/void`, { reason }, { at: NOON, headers: adminHeaders })

async function newEntry(points = 5) {
  const user = await addUser()
  const [row] = await db
    .insert(ledger)
    .values({
      userId: user.id,
      action: 'track_stream',
      key: 'track_stream:1:20260701',
      description: '',
      points,
      createdAt: 0,
    })
    .returning()
  return { user, id: row!.id }
}

test('reverses an entry with a reason and audits it', async () => {
  const { user, id } = await newEntry()
  const response = await reverse(id)
  expect([response.status, await response.json()]).toEqual([200, { pointsTaken: 5 }])
  expect(await pointsOf(user.id)).toBe(0)
  const { headers } = await sessionFor(user, NOON)
  const [entry] = await (await send('GET', '/api/points/history', undefined, { headers, at: NOON })).json<object[]>()
  expect(entry).toMatchObject({ action: 'track_stream', description: 'Taken back: Played by a script', points: -5 })
  const [row] = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `ledger:${id}`))
  expect(row).toMatchObject({ action: 'points.voided', at: NOON, detail: { reason: 'Played by a script' } })
})

test('reverses an entry once; repeating its action earns nothing', async () => {
  const { user, id } = await newEntry()
  const responses = await Promise.all(Array.from({ length: 10 }, () => reverse(id)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(
    (
      await db
        .select()
        .from(auditLog)
        .where(eq(auditLog.subject, `ledger:${id}`))
    ).length,
  ).toBe(1)
  await db
    .insert(ledger)
    .values({
      userId: user.id,
      action: 'track_stream',
      key: 'track_stream:1:20260701',
      description: '',
      points: 5,
      createdAt: 1,
    })
    .onConflictDoNothing()
  expect(await pointsOf(user.id)).toBe(0)
})

test('rejects the reversal of a reversal', async () => {
  const { user, id } = await newEntry()
  await reverse(id)
  const [undo] = await db.select().from(ledger).where(eq(ledger.key, 'undo:track_stream:1:20260701')).orderBy(ledger.id)
  expect(await errorOf(await reverse(undo!.id))).toEqual([
    409,
    'conflict',
    'These points have already been taken back.',
  ])
  expect(await pointsOf(user.id)).toBe(0)
})

test('rejects unknown entries and invalid reasons', async () => {
  for (const id of [999_999, 0, '-1', 'x', '9007199254740993'])
    expect(await errorOf(await reverse(id))).toEqual([404, 'not_found', 'That entry of the ledger does not exist.'])
  const { user, id } = await newEntry()
  for (const reason of ['', '   ', null, 'x'.repeat(201)])
    expect((await errorOf(await reverse(id, reason)))[1]).toBe('bad_input')
  expect(await pointsOf(user.id)).toBe(5)
})
