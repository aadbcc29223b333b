import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { type AdminMission, MISSION_ACTIONS } from '../contract/admin-content'
import type { Mission } from '../contract/points'
import { POINTS } from '../contract/points'
import { errorOf, getJson, send } from '../testing/client'
import { MISSION } from '../testing/drafts'
import { addUser, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const made = async (draft: unknown) => ((await (await request('POST', 'missions', draft)).json()) as { id: string }).id
const findAdminMission = async (id: string) =>
  (await (await request('GET', 'missions')).json<AdminMission[]>()).find((mission) => mission.id === id)
const findPublicMission = async (id: string) =>
  (await getJson<Mission[]>('/api/missions', { at: NOON })).find((mission) => mission.id === id)
const act = async (userId: number, action: string, key: string) =>
  env.DB.prepare(
    "INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?1, ?2, ?3, '', 0, ?4)",
  )
    .bind(userId, action, key, NOON)
    .run()
const pointsOf = async (userId: number) =>
  (await env.DB.prepare('SELECT points FROM users WHERE id = ?1').bind(userId).first<{ points: number }>())?.points

test('a mission is public as soon as it is saved, gone as soon as it has ended, and runs again with an undo', async () => {
  const id = await made({ ...MISSION, title: 'New' })
  expect(await findPublicMission(id)).toMatchObject({ title: 'New', points: 30, target: 3 })
  expect(await findAdminMission(id)).toEqual({ id, ...MISSION, title: 'New', isActive: true, timesPaid: 0 })
  expect((await request('PATCH', `missions/${id}`, { ...MISSION, target: 5, withinDays: null })).status).toBe(204)
  expect(await findPublicMission(id)).toMatchObject({ title: MISSION.title, target: 5 })
  expect((await request('POST', `missions/${id}/end`)).status).toBe(204)
  expect([await findPublicMission(id), (await findAdminMission(id))?.isActive]).toEqual([undefined, false])
  expect((await request('POST', `missions/${id}/resume`)).status).toBe(204)
  expect(await findPublicMission(id)).toMatchObject({ target: 5 })
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`mission:${id}`)
    .all()
  expect(results.map(({ action }) => action)).toEqual([
    'mission.added',
    'mission.changed',
    'mission.ended',
    'mission.resumed',
  ])
})

test('one that was fulfilled keeps what it asks and pays; its words may change, and it can end', async () => {
  const draft = { ...MISSION, action: 'check_in', target: 1, withinDays: null } as const
  const id = await made(draft)
  const { id: fan } = await addUser()
  await act(fan, 'check_in', 'check_in:x')
  expect([await pointsOf(fan), (await findAdminMission(id))?.timesPaid]).toEqual([30, 1])
  for (const other of [{ points: 31 }, { target: 2 }, { action: 'track_like' }, { withinDays: 3 }])
    expect((await errorOf(await request('PATCH', `missions/${id}`, { ...draft, ...other }))).slice(0, 2)).toEqual([
      409,
      'conflict',
    ])
  expect((await request('PATCH', `missions/${id}`, { ...draft, title: 'Be there', position: 9 })).status).toBe(204)
  expect(await findAdminMission(id)).toMatchObject({ title: 'Be there', position: 9, points: 30, timesPaid: 1 })

  await request('POST', `missions/${id}/end`)
  const { id: late } = await addUser()
  await act(late, 'check_in', 'check_in:x')
  expect([await pointsOf(late), await pointsOf(fan), (await findAdminMission(id))?.timesPaid]).toEqual([0, 30, 1])
})

test('a streak that the form lets through can be fulfilled', async () => {
  for (const action of ['track_stream', 'poll_created'] as const) {
    const id = await made({ ...MISSION, action, target: 2, withinDays: null, isStreak: true })
    const { id: fan } = await addUser()
    for (const day of ['20260630', '20260701']) await act(fan, action, `${action}:${day}`)
    expect((await findAdminMission(id))?.timesPaid).toBe(1)
    await request('POST', `missions/${id}/end`)
  }
})

test('whatever the ledger pays for can be made a mission', () => {
  expect(Object.keys(MISSION_ACTIONS).sort()).toEqual(Object.keys(POINTS).sort())
})

test.each([
  [{ title: ' ' }, 'The title must not be empty.'],
  [{ target: 0 }, 'It must be done once at least.'],
  [{ points: -5 }, 'The points must not be negative.'],
  [{ action: 'mission' }, 'Please choose what is to be done.'],
  [{ action: 'newsletter_signup' }, 'Everybody does this once only.'],
  [{ action: 'referral_bonus', target: 4 }, 'Everybody is paid for this 3 times at the most.'],
  [{ isStreak: true, withinDays: null }, 'A streak is counted of listening or of creating polls.'],
  [{ action: 'track_stream', isStreak: true }, 'A streak has its days already: leave this empty.'],
  [{ action: 'poll_created', target: 8 }, 'One poll a day counts: that cannot be done in so few days.'],
  [{ isActive: false }, 'That request holds a field we do not know: isActive.'],
])('a mission with %j is refused with a sentence', async (wrong, sentence) => {
  expect(await errorOf(await request('POST', 'missions', { ...MISSION, ...wrong }))).toEqual([
    400,
    'bad_input',
    sentence,
  ])
})

test('a mission that is not there is not found', async () => {
  for (const answer of [
    await request('PATCH', 'missions/none', MISSION),
    await request('POST', 'missions/none/end'),
    await request('POST', 'missions/none/resume'),
  ])
    expect(answer.status).toBe(404)
})
