import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Track } from '../contract/tracks'
import { errorOf, getJson, send } from '../testing/client'
import { addTrack, addUser, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { findAudioKey, listAllTracks, listTrendingTracks } from './tracks'
import { outboundClicks, trackLikes } from './tracks.table'

const Tracks = z.array(Track)

beforeAll(async () => {
  await addTrack({ id: 2, position: 2, title: 'Second' })
  await addTrack({ id: 1, position: 1, title: 'First', isTrending: true, audioKey: 'audio/1.mp3' })
  await addTrack({ id: 3, position: 3, title: 'Third', isExclusive: true, isTrending: true, audioKey: 'audio/3.mp3' })
})

test('lists tracks in order', async () => {
  const tracks = Tracks.parse(await getJson('/api/tracks'))
  expect(tracks.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(tracks[0]).toEqual({
    id: 1,
    slug: '',
    releaseSlug: null,
    title: 'First',
    artist: 'Somebody',
    album: '',
    duration: 180,
    plays: 0,
    likes: 0,
    coverUrl: '/media/a/cover.webp',
    coverAlt: 'A cover',
    spotifyUrl: '',
    isTrending: true,
    isExclusive: false,
    hasAudio: true,
    liked: false,
  })
})

test('lists trending tracks', async () => {
  expect(Tracks.parse(await getJson('/api/tracks/trending')).map(({ id }) => id)).toEqual([1, 3])
})

test('shows own likes and the like count', async () => {
  const [supporter, other] = [await addUser(), await addUser()]
  await db.insert(trackLikes).values({ trackId: 1, userId: supporter.id, likedAt: 1 })
  const liked = async (readerId: number | null) =>
    (await listAllTracks(db, { readerId, at: NOON })).map((track) => [track.liked, track.likes])
  expect(await liked(supporter.id)).toEqual([
    [true, 1],
    [false, 0],
    [false, 0],
  ])
  expect((await liked(other.id))[0]).toEqual([false, 1])
  expect((await liked(null))[0]).toEqual([false, 1])
})

test('reads tracks and likes by index', async () => {
  for (const list of [listAllTracks, listTrendingTracks]) {
    const plan = await queryPlan(list(db, { readerId: 1, at: NOON }) as never)
    const earliestRelease = [
      expect.stringContaining('CORRELATED SCALAR SUBQUERY'),
      expect.stringContaining('SEARCH release_tracks USING COVERING INDEX release_tracks_by_track (track_id=?)'),
      expect.stringContaining('SEARCH releases USING INDEX'),
      'USE TEMP B-TREE FOR ORDER BY',
    ]
    expect(plan).toEqual([
      expect.stringContaining('USING INDEX tracks_order'),
      expect.stringMatching(/SEARCH track_likes USING COVERING INDEX .*\(user_id=\? AND track_id=\?\)/),
      ...earliestRelease,
      ...earliestRelease,
    ])
  }
})

test('opens exclusive tracks to silver and gold', async () => {
  await expect(findAudioKey(db, { id: 3, tier: 'bronze', at: NOON })).rejects.toMatchObject({ code: 'tier_required' })
  expect(await findAudioKey(db, { id: 3, tier: 'silver', at: NOON })).toBe('audio/3.mp3')
  expect(await findAudioKey(db, { id: 3, tier: 'gold', at: NOON })).toBe('audio/3.mp3')
})

test('counts clicks by service and day', async () => {
  const at = Date.parse('2026-03-01T23:59:00Z')
  for (const json of [{ service: 'spotify' }, { service: 'spotify' }, {}, undefined])
    expect((await send('POST', '/api/tracks/2/play', json, { at })).status).toBe(204)
  await send('POST', '/api/tracks/2/play', { service: 'spotify' }, { at: at + 60_000 })
  expect(await db.select().from(outboundClicks)).toEqual([
    { trackId: 2, service: 'spotify', day: '2026-03-01', clicks: 2 },
    { trackId: 2, service: 'unknown', day: '2026-03-01', clicks: 2 },
    { trackId: 2, service: 'spotify', day: '2026-03-02', clicks: 1 },
  ])
  expect((await listAllTracks(db, { readerId: null, at: NOON }))[1]?.plays).toBe(0)
})

const UNKNOWN_IDS = [
  '9',
  '0',
  '-1',
  '01',
  '1.5',
  '1e0',
  'abc',
  '9007199254740993',
  '%00',
  '1%20',
  '__proto__',
  '9'.repeat(400),
]

test.each(UNKNOWN_IDS)('answers 404 for track %s', async (id) => {
  const unknownTrackError = [404, 'not_found', 'That track does not exist.']
  expect(await errorOf(await send('GET', `/api/tracks/${id}/audio`))).toEqual(unknownTrackError)
  expect(await errorOf(await send('POST', `/api/tracks/${id}/play`))).toEqual(unknownTrackError)
})

test('rejects unknown services', async () => {
  expect((await errorOf(await send('POST', '/api/tracks/1/play', { service: 'napster' })))[1]).toBe('bad_input')
  expect((await errorOf(await send('POST', '/api/tracks/1/play', { service: 'spotify', by: 1 })))[1]).toBe('bad_input')
})

test('limits the click rate', async () => {
  const headers = { 'cf-connecting-ip': '198.51.100.9' }
  const responses: Response[] = []
  for (let click = 0; click < 31; click++) responses.push(await send('POST', '/api/tracks/1/play', {}, { headers }))
  expect(responses.map(({ status }) => status)).toEqual([...Array(30).fill(204), 429])
  expect(responses.at(-1)?.headers.get('retry-after')).toBe('60')
})

test('hides database errors', async () => {
  const DB = new Proxy(env.DB, {
    get: () => () => {
      throw new Error('D1_ERROR: secret')
    },
  })
  const [status, code, text] = await errorOf(await send('GET', '/api/tracks', undefined, { env: { DB } }))
  expect([status, code]).toEqual([500, 'internal'])
  expect(text).not.toContain('secret')
})
