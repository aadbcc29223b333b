import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../env'
import { ORIGIN, send } from '../testing/client'
import { buildMp3 } from '../testing/files'
import { addTrack, addUser, db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { receiveAudio } from '../uploads/receive'
import { tracks } from './tracks.table'

const bytes = buildMp3(5000).map((byte, index) => (index < 12 ? byte : index % 251))
let audioKey = ''
let r2Reads: string[] = []
const FILES: Env['FILES'] = new Proxy(env.FILES, {
  get(files, name) {
    if (name === 'get' || name === 'head') r2Reads.push(name)
    return Reflect.get(files, name).bind(files)
  },
})

async function upload(content: Uint8Array): Promise<string> {
  const body = { declaredType: 'audio/mpeg', bytes: new Blob([content]).stream() }
  const { audio } = await receiveAudio({ db, files: env.FILES, ownerId: null, at: NOON, ...body })
  return audio
}

const cacheKey = () => `${ORIGIN}/api/file-copies/${audioKey}`
const fileCache = () => caches.open('files')

async function request(path: string, headers: Record<string, string> = {}, method = 'GET') {
  r2Reads = []
  const response = await send(method, path, undefined, { at: NOON, headers, env: { FILES } })
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, body, response, r2Reads }
}
const play = (headers?: Record<string, string>, method?: string) => request('/api/tracks/1/audio', headers, method)

beforeAll(async () => {
  audioKey = await upload(bytes)
  await addTrack({ id: 1, audioKey })
  await addTrack({ id: 2, audioKey, isExclusive: true })
})
beforeEach(async () => void (await (await fileCache()).delete(cacheKey())))

test('only the first request of an audio file reads R2', async () => {
  expect(await play()).toMatchObject({ status: 200, body: bytes, r2Reads: ['head', 'get', 'get'] })
  expect(await play()).toMatchObject({ status: 200, body: bytes, r2Reads: [] })
  const range = await play({ range: 'bytes=100-199' })
  expect(range).toMatchObject({ status: 206, body: bytes.slice(100, 200), r2Reads: [] })
  expect(await request('/api/embed/tracks/1/audio')).toMatchObject({ status: 200, body: bytes, r2Reads: [] })
})

const FILE_HEADERS = ['accept-ranges', 'cache-control', 'content-length', 'content-range', 'content-type', 'etag']

test.each<Record<string, string>>([
  {},
  { range: 'bytes=0-' },
  { range: 'bytes=0-9' },
  { range: 'bytes=-3' },
  { range: 'bytes=4999-9999' },
  { range: 'bytes=0-9,20-29' },
  { range: 'bytes=5000-' },
  { range: 'bytes=9-2' },
  { range: 'garbage' },
  { range: 'bytes=0-9', 'if-range': '"older"' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"other"' },
])('a cached file responds to %o as R2 does', async (headers) => {
  const summarize = ({ response, ...answer }: Awaited<ReturnType<typeof play>>) => ({
    ...answer,
    headers: FILE_HEADERS.map((name) => response.headers.get(name)),
  })
  for (const method of ['GET', 'HEAD']) {
    await (await fileCache()).delete(cacheKey())
    const fromR2 = summarize(await play(headers, method))
    expect(fromR2.r2Reads.length).toBeGreaterThan(0)
    await play()
    expect(summarize(await play(headers, method))).toEqual({ ...fromR2, r2Reads: [] })
  }
})

test('a cached file starts a listen', async () => {
  await play()
  const { response } = await play({ range: 'bytes=0-' })
  expect(response.headers.getSetCookie().join()).toContain('listen_1=')
})

test('a cached file has no cookie and no public URL', async () => {
  const { cookie } = (await sessionFor(await addUser({ tier: 'gold' }), NOON)).headers
  await request('/api/tracks/2/audio', { cookie })
  const cached = await (await fileCache()).match(cacheKey())
  expect([...(cached?.headers.keys() ?? [])].filter((name) => /cookie|listen|request/.test(name))).toEqual([])
  expect(cached?.headers.get('cache-control')).toBe('public, max-age=86400')
  expect((await request(new URL(cacheKey()).pathname)).status).toBe(404)
  expect(await caches.default.match(cacheKey())).toBe(undefined)
})

test('a cached file does not bypass tier, release or removal', async () => {
  const { cookie } = (await sessionFor(await addUser({ tier: 'gold' }), NOON)).headers
  expect((await request('/api/tracks/2/audio', { cookie })).status).toBe(200)
  expect(await request('/api/tracks/2/audio')).toMatchObject({ status: 403, r2Reads: [] })
  await db
    .update(tracks)
    .set({ releasedAt: NOON + 1 })
    .where(eq(tracks.id, 1))
  expect(await play()).toMatchObject({ status: 404, r2Reads: [] })
  await db.update(tracks).set({ releasedAt: 0, removedAt: NOON }).where(eq(tracks.id, 1))
  expect(await play()).toMatchObject({ status: 404, r2Reads: [] })
  await db.update(tracks).set({ removedAt: null }).where(eq(tracks.id, 1))
})

test('serves a replaced audio file at once', async () => {
  await play()
  const louder = bytes.map((byte, index) => (index < 12 ? byte : byte + 1))
  const replacement = await upload(louder)
  await db.update(tracks).set({ audioKey: replacement }).where(eq(tracks.id, 1))
  expect(await play()).toMatchObject({ status: 200, body: louder })
  await db.update(tracks).set({ audioKey }).where(eq(tracks.id, 1))
})

test('serves audio without the cache', async () => {
  const open = vi.spyOn(caches, 'open').mockRejectedValue(new Error('no cache here'))
  expect(await play({ range: 'bytes=0-9' })).toMatchObject({ status: 206, body: bytes.slice(0, 10) })
  open.mockRestore()
})

test('never caches files that are not uploads', async () => {
  await env.FILES.put('audio/song.mp3', bytes)
  await addTrack({ id: 3, audioKey: 'audio/song.mp3' })
  for (const _ of [1, 2]) expect((await request('/api/tracks/3/audio')).r2Reads).toEqual(['head', 'get'])
})
