import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { TrackLikeResult } from '../contract/tracks'
import { errorOf, send } from '../testing/client'
import { addTrack, addUser } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'

beforeAll(async () => {
  await seedSite(env.DB)
  for (const id of [1, 2, 3]) await addTrack({ id, title: `Song ${id}`, likes: 100 })
})

async function newSupporter() {
  const user = await addUser()
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, id: number | string, options = {}) =>
    send(method, `/api/tracks/${id}/like`, undefined, { at: NOON, headers, ...options })
  const requestJson = async (method: string, id: number) => (await request(method, id)).json<TrackLikeResult>()
  return {
    user,
    request,
    like: (id: number) => requestJson('POST', id),
    unlike: (id: number) => requestJson('DELETE', id),
  }
}

const pointsAndEntries = async (userId: number) => {
  const { results } = await env.DB.prepare('SELECT key, points FROM ledger WHERE user_id = ?1 ORDER BY id')
    .bind(userId)
    .all<{ key: string; points: number }>()
  const user = await env.DB.prepare('SELECT points FROM users WHERE id = ?1').bind(userId).first<{ points: number }>()
  return [user?.points, ...results.map(({ key, points }) => [key, points])]
}

test('counts a like and awards its points once', async () => {
  const { user, like } = await newSupporter()
  const first = await like(1)
  expect(TrackLikeResult.parse(first)).toEqual(first)
  expect(first).toEqual({ likes: 101, liked: true, pointsAwarded: 5, totalPoints: 5, missions: [] })
  expect(await like(1)).toEqual({ ...first, pointsAwarded: 0 })
  expect(await pointsAndEntries(user.id)).toEqual([5, ['track_like:1', 5]])
})

test('reverses the points of a removed like', async () => {
  const { user, like, unlike } = await newSupporter()
  await like(2)
  expect(await unlike(2)).toMatchObject({ likes: 100, liked: false, pointsAwarded: -5, totalPoints: 0 })
  expect(await unlike(2)).toMatchObject({ likes: 100, liked: false, pointsAwarded: 0, totalPoints: 0 })
  expect(await like(2)).toMatchObject({ likes: 101, liked: true, pointsAwarded: 0, totalPoints: 0 })
  expect(await unlike(2)).toMatchObject({ likes: 100, liked: false, pointsAwarded: 0, totalPoints: 0 })
  expect(await pointsAndEntries(user.id)).toEqual([0, ['track_like:2', 5], ['undo:track_like:2', -5]])
})

test('removes only own likes', async () => {
  const [supporter, other] = [await newSupporter(), await newSupporter()]
  await supporter.like(1)
  expect(await other.unlike(1)).toMatchObject({ liked: false, pointsAwarded: 0, totalPoints: 0 })
  expect(await supporter.like(1)).toMatchObject({ liked: true })
})

test('stays consistent under concurrent likes', async () => {
  const { user, request } = await newSupporter()
  const responses = await Promise.all(Array.from({ length: 28 }, (_, i) => request(i % 2 ? 'DELETE' : 'POST', 3)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  const row = await env.DB.prepare(
    `SELECT likes - 100 AS likes, (SELECT count(*) FROM track_likes WHERE track_id = 3) AS rows FROM tracks WHERE id = 3`,
  ).first<{ likes: number; rows: number }>()
  expect(row?.likes).toBe(row?.rows)
  const [points, ...entries] = await pointsAndEntries(user.id)
  expect(entries.length).toBe(2)
  expect(points).toBe(0)
})

test('rejects visitors and unknown tracks', async () => {
  for (const method of ['POST', 'DELETE'])
    expect(await errorOf(await send(method, '/api/tracks/1/like'))).toEqual([
      401,
      'signed_out',
      'Please sign up or login to like a track',
    ])
  const { request } = await newSupporter()
  for (const id of [99, '0', '-1', 'abc', '9007199254740993', '%00'])
    expect(await errorOf(await request('POST', id))).toEqual([404, 'not_found', 'That track does not exist.'])
})

test('keeps likes of removed tracks and answers 404', async () => {
  const { user, request, like } = await newSupporter()
  await addTrack({ id: 4, title: 'Gone', likes: 100 })
  await like(4)
  await env.DB.prepare('UPDATE tracks SET removed_at = 1 WHERE id = 4').run()
  for (const method of ['DELETE', 'POST'])
    expect(await errorOf(await request(method, 4))).toEqual([404, 'not_found', 'That track does not exist.'])
  expect(await pointsAndEntries(user.id)).toEqual([5, ['track_like:4', 5]])
  expect(await env.DB.prepare('SELECT likes FROM tracks WHERE id = 4').first()).toEqual({ likes: 101 })
})

test('likes in one round trip and rewards retries once', async () => {
  const { user, request, like } = await newSupporter()
  const { DB, trips } = spyOnD1(env.DB, {
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  expect((await request('POST', 1, { env: { DB } })).status).toBe(500)
  expect(trips()).toBe(1)
  expect(await like(1)).toMatchObject({ liked: true, pointsAwarded: 0, totalPoints: 5 })
  expect(await pointsAndEntries(user.id)).toEqual([5, ['track_like:1', 5]])
})
