import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { type Attendance, ShowPage } from '../contract/check-in'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, getJson, send } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { showGoers } from './check-ins.table'

beforeAll(() => seedSite(env.DB))

async function newSupporter(username: string) {
  const user = await addUser({ username })
  const { headers } = await sessionFor(user, NOON)
  const setGoing = async (method: 'POST' | 'DELETE', json?: unknown, { at = NOON, show = 'show-1' } = {}) =>
    send(method, `/api/concerts/${show}/going`, json, { at, headers })
  const page = () => getJson<ShowPage>('/api/concerts/show-1', { at: NOON, headers })
  return { user, setGoing, page }
}
const getShow = () => getJson<ShowPage>('/api/concerts/show-1', { at: NOON })

test('returns place, time and check-in window of a show', async () => {
  const page = await getShow()
  expect(ShowPage.parse(page)).toEqual(page)
  expect(page).toMatchObject({
    id: 'show-1',
    venue: 'Any Hall',
    price: '25.00',
    endsAt: new Date(NOON + DAY_MS + 3 * HOUR_MS).toISOString(),
    now: new Date(NOON).toISOString(),
    checkIn: { opensAt: new Date(NOON + DAY_MS - 2 * HOUR_MS).toISOString(), points: 250, doneAt: null },
    going: { count: 0, names: [], me: null },
  })
  expect(await errorOf(await send('GET', '/api/concerts/none'))).toEqual([
    404,
    'not_found',
    'That show does not exist.',
  ])
})

test('counts all attendees and names only those who agreed', async () => {
  const [ann, ben] = [await newSupporter('ann'), await newSupporter('ben')]
  await ann.setGoing('POST', { named: false })
  expect((await getShow()).going).toEqual({ count: 1, names: [], me: null })
  const response = (await (await ben.setGoing('POST', { named: true })).json()) as Attendance
  expect(response).toEqual({ count: 2, names: ['ben'], me: { going: true, named: true } })
  expect((await ann.page()).going.me).toEqual({ going: true, named: false })
  await ann.setGoing('POST', { named: true })
  expect((await getShow()).going.names.sort()).toEqual(['ann', 'ben'])
  await ben.setGoing('POST', { named: false })
  expect((await getShow()).going).toMatchObject({ count: 2, names: ['ann'] })
  await ann.setGoing('DELETE')
  await ann.setGoing('DELETE')
  expect((await getShow()).going).toMatchObject({ count: 1, names: [] })
  expect((await ann.page()).going.me).toEqual({ going: false, named: false })
})

test('leaves out banned and erased attendees', async () => {
  const [banned, erased] = [await newSupporter('banned'), await newSupporter('erased')]
  const { count } = (await getShow()).going
  for (const supporter of [banned, erased]) await supporter.setGoing('POST', { named: true })
  await env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(banned.user.id).run()
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: erased.user.id, byUserRequest: false }, NOON)
  expect((await getShow()).going).toMatchObject({ count, names: [] })
  expect((await db.select().from(showGoers)).some(({ userId }) => userId === erased.user.id)).toBe(false)
})

test('rejects attendance of past and unknown shows', async () => {
  const supporter = await newSupporter('late')
  expect(await errorOf(await supporter.setGoing('POST', { named: true }, { at: NOON + DAY_MS + 3 * HOUR_MS }))).toEqual(
    [410, 'closed', 'This show is over.'],
  )
  for (const [method, json] of [['POST', { named: true }], ['DELETE']] as const)
    expect(await errorOf(await supporter.setGoing(method, json, { show: 'none' }))).toEqual([
      404,
      'not_found',
      'That show does not exist.',
    ])
})

test('rejects malformed attendance', async () => {
  const supporter = await newSupporter('malformed')
  for (const json of [undefined, {}, { named: 'yes' }, { named: true, userId: 1 }])
    expect((await errorOf(await supporter.setGoing('POST', json)))[0]).toBe(400)
})

test('names the latest 24 attendees, latest first', async () => {
  const users = await Promise.all(
    Array.from({ length: limits.maxAttendeesShown + 3 }, (_, n) => addUser({ username: `load-user-${n}` })),
  )
  for (const [n, { id }] of users.entries())
    await db.insert(showGoers).values({ concertId: 'show-1', userId: id, isNamed: true, createdAt: NOON + n })
  const { names } = (await getShow()).going
  expect(names).toHaveLength(limits.maxAttendeesShown)
  expect(names[0]).toBe(`load-user-${limits.maxAttendeesShown + 2}`)
})
