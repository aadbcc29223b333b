import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { type AdminMission, MISSION_ACTIONS } from '../contract/admin-missions'
import { type Mission, POINTS } from '../contract/points'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import { MISSION_DRAFT } from '../testing/drafts'
import { addUser, loadFixtures, pointsOf } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const addMission = async (draft: unknown) =>
  ((await (await request('POST', 'missions', draft)).json()) as { id: string }).id
const auditActions = async (subject: string) =>
  (await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY id').bind(subject).all()).results.map(
    ({ action }) => action,
  )
const findAdminMission = async (id: string) =>
  (await (await request('GET', 'missions')).json<AdminMission[]>()).find((mission) => mission.id === id)
const findPublicMission = async (id: string) =>
  (await getJson<Mission[]>('/api/missions', { at: NOON })).find((mission) => mission.id === id)
const addLedgerEntry = async (userId: number, action: string, key: string) =>
  env.DB.prepare(
    "INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?1, ?2, ?3, '', 0, ?4)",
  )
    .bind(userId, action, key, NOON)
    .run()

test('adds, changes, ends and resumes a mission', async () => {
  const id = await addMission({ ...MISSION_DRAFT, title: 'New' })
  expect(await findPublicMission(id)).toMatchObject({ title: 'New', points: 30, target: 3 })
  expect(await findAdminMission(id)).toEqual({
    id,
    ...MISSION_DRAFT,
    title: 'New',
    isActive: true,
    timesPaid: 0,
    version: 1,
  })
  expect((await request('PATCH', `missions/${id}`, { ...MISSION_DRAFT, target: 5, withinDays: null })).status).toBe(204)
  expect(await findPublicMission(id)).toMatchObject({ title: MISSION_DRAFT.title, target: 5 })
  expect((await request('POST', `missions/${id}/end`)).status).toBe(204)
  expect([await findPublicMission(id), (await findAdminMission(id))?.isActive]).toEqual([undefined, false])
  expect((await request('POST', `missions/${id}/resume`)).status).toBe(204)
  expect(await findPublicMission(id)).toMatchObject({ target: 5 })
  expect(await auditActions(`mission:${id}`)).toEqual([
    'mission.added',
    'mission.changed',
    'mission.ended',
    'mission.resumed',
  ])
})

test('rejects new conditions or points for a completed mission', async () => {
  const draft = { ...MISSION_DRAFT, action: 'check_in', target: 1, withinDays: null } as const
  const id = await addMission(draft)
  const { id: supporterId } = await addUser()
  await addLedgerEntry(supporterId, 'check_in', 'check_in:x')
  expect([await pointsOf(supporterId), (await findAdminMission(id))?.timesPaid]).toEqual([30, 1])
  for (const change of [{ points: 31 }, { target: 2 }, { action: 'track_like' }, { withinDays: 3 }])
    expect(await statusAndCodeOf(await request('PATCH', `missions/${id}`, { ...draft, ...change }))).toEqual([
      409,
      'conflict',
    ])
  expect((await request('PATCH', `missions/${id}`, { ...draft, title: 'Be there', position: 9 })).status).toBe(204)
  expect(await findAdminMission(id)).toMatchObject({ title: 'Be there', position: 9, points: 30, timesPaid: 1 })

  await request('POST', `missions/${id}/end`)
  const { id: laterSupporterId } = await addUser()
  await addLedgerEntry(laterSupporterId, 'check_in', 'check_in:x')
  expect([
    await pointsOf(laterSupporterId),
    await pointsOf(supporterId),
    (await findAdminMission(id))?.timesPaid,
  ]).toEqual([0, 30, 1])
})

test('saves a streak mission and awards it', async () => {
  for (const action of ['track_stream', 'poll_created'] as const) {
    const id = await addMission({ ...MISSION_DRAFT, action, target: 2, withinDays: null, isStreak: true })
    const { id: supporterId } = await addUser()
    for (const day of ['20260630', '20260701']) await addLedgerEntry(supporterId, action, `${action}:${day}`)
    expect((await findAdminMission(id))?.timesPaid).toBe(1)
    await request('POST', `missions/${id}/end`)
  }
})

test('offers every points action as a mission', () => {
  expect(Object.keys(MISSION_ACTIONS).sort()).toEqual(Object.keys(POINTS).sort())
})

test.each([
  [{ title: ' ' }, 'The title is required.'],
  [{ target: 0 }, 'It must be done at least once.'],
  [{ points: -5 }, 'The points must not be negative.'],
  [{ action: 'mission' }, 'Please choose an action.'],
  [{ action: 'newsletter_signup' }, 'Each supporter can do this only once.'],
  [{ action: 'referral_bonus', target: 4 }, 'Each supporter gets points for this at most 3 times.'],
  [{ isStreak: true, withinDays: null }, 'Only listening and creating polls can count as a streak.'],
  [{ action: 'track_stream', isStreak: true }, 'A streak already sets its number of days. Leave this empty.'],
  [{ action: 'poll_created', target: 8 }, 'Only one poll a day counts, so this cannot be done in so few days.'],
  [{ isActive: false }, 'That request contains an unknown field: isActive.'],
])('rejects a mission with %j', async (change, message) => {
  expect(await errorOf(await request('POST', 'missions', { ...MISSION_DRAFT, ...change }))).toEqual([
    400,
    'bad_input',
    message,
  ])
})

test('answers 404 for unknown missions', async () => {
  for (const response of [
    await request('PATCH', 'missions/none', MISSION_DRAFT),
    await request('POST', 'missions/none/end'),
    await request('POST', 'missions/none/resume'),
  ])
    expect(response.status).toBe(404)
})

test('reorders the active missions', async () => {
  const ids = [await addMission(MISSION_DRAFT), await addMission(MISSION_DRAFT)]
  const listActiveMissions = async () =>
    ((await (await request('GET', 'missions')).json()) as AdminMission[]).filter(({ isActive }) => isActive)
  const reversed = (await listActiveMissions()).map(({ id }) => id).reverse()
  expect((await request('POST', 'mission-order', { ids: reversed })).status).toBe(204)
  expect((await listActiveMissions()).map(({ id }) => id)).toEqual(reversed)
  await request('POST', `missions/${ids[0]}/end`)
  expect(await statusAndCodeOf(await request('POST', 'mission-order', { ids: reversed }))).toEqual([409, 'conflict'])
  expect(await auditActions('')).toContain('mission.reordered')
})
