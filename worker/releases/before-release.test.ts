import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_UNCHECKED_MS } from '../cache/response-cache'
import type { AdminRelease, ReleaseDraft } from '../contract/admin-content'
import { accountApi } from '../contract/auth'
import { endpoints } from '../contract/index'
import { PAGES } from '../contract/pages'
import type { Track } from '../contract/tracks'
import { UploadedAudio, UploadedImage, uploadsApi } from '../contract/uploads'
import { HOUR_MS, type Millis } from '../lib/clock'
import { type Browser, fillPath, getJson, newIsolate, ORIGIN, send } from '../testing/client'
import { RELEASE_DRAFT, TRACK_DRAFT } from '../testing/drafts'
import { buildMp3, buildPng } from '../testing/files'
import { fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, cookieHeaderFor } from '../testing/users'

const RELEASE_TIME = NOON + HOUR_MS
/** Matches every text of the release `Nocturne` and its track, which come out at RELEASE_TIME. */
const UNRELEASED_TEXT = /nocturne/i

let admin = ''
let supporter: Browser
/** Every public page and read at RELEASE_TIME - 1, before the release was added. */
let responsesBefore: Map<string, Snapshot>
let cover = ''
let trackCover = ''
let audioKey = ''
let trackId = 0

beforeAll(async () => {
  await loadFixtures()
  admin = await cookieHeaderFor('administrator')
  await addNamedUser('fan')
  supporter = await browserWithSession('fan', { at: NOON })
  responsesBefore = await readEverything(RELEASE_TIME - 1)
})

beforeAll(async () => {
  cover = await uploadImage(buildPng(700, 700))
  trackCover = await uploadImage(buildPng(710, 710))
  audioKey = UploadedAudio.parse(
    await (await upload(uploadsApi.audio.path, buildMp3(20_000), 'audio/mpeg')).json(),
  ).audio
  const text = { lyrics: 'Nocturne words', credits: [{ role: 'Nocturne role', name: 'Any Person' }] }
  const track = {
    ...TRACK_DRAFT,
    album: undefined,
    title: 'Nocturne Song',
    coverAlt: 'Nocturne sleeve',
    audio: audioKey,
  }
  trackId = Number(await add('tracks', { ...track, ...text, coverUrl: trackCover, releaseId: null }))
  await add('releases', draftOf('Nocturne', { coverUrl: cover, notes: 'Nocturne notes', trackIds: [1, trackId] }))
})

const asAdmin = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/${path}`, body, { at, headers: { cookie: admin } })
const add = async (path: string, draft: unknown) => {
  const response = await asAdmin('POST', path, draft)
  expect([path, response.status]).toEqual([path, 201])
  return (await response.json<{ id: string }>()).id
}
const draftOf = (title: string, draft: Partial<ReleaseDraft>): ReleaseDraft => ({
  ...RELEASE_DRAFT,
  title,
  releasedAt: new Date(RELEASE_TIME).toISOString(),
  ...draft,
})
const upload = (path: string, raw: BodyInit, type: string) =>
  send('POST', path, undefined, { at: NOON, raw, headers: { cookie: admin, 'content-type': type } })
const uploadImage = async (image: Uint8Array) =>
  UploadedImage.parse(await (await upload(uploadsApi.image.path, image, 'image/png')).json()).url
const changeRelease = async (id: string, changes: Partial<ReleaseDraft>, at = NOON) => {
  const {
    removedAt: _,
    id: __,
    ...row
  } = (await (await asAdmin('GET', `releases/${id}`)).json()) as AdminRelease & {
    removedAt?: unknown
  }
  const response = await asAdmin('PATCH', `releases/${id}`, { ...row, ...changes }, at)
  expect([response.status, await response.text()]).toEqual([204, ''])
}

type Snapshot = { status: number; headers: Record<string, string>; body: string }
/** Omits what differs between equal requests: request ids and listen tokens. */
const snapshotOf = async (response: Response): Promise<Snapshot> => {
  const { 'x-request-id': _, 'set-cookie': __, 'listen-token': ___, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

async function readEverything(at: Millis): Promise<Map<string, Snapshot>> {
  const reads = endpoints.filter(({ method, auth }) => method === 'GET' && auth !== 'admin')
  const snapshots = new Map<string, Snapshot>()
  for (const path of [...reads.map(({ path }) => path), ...PAGES]) {
    const url = fillPath(path, fixtureParams(path))
    snapshots.set(`visitor ${url}`, await snapshotOf(await send('GET', url, undefined, { at })))
    snapshots.set(`supporter ${url}`, await snapshotOf(await supporter.send('GET', url, undefined, { at })))
  }
  return snapshots
}

test('changes no public page or read before the release', async () => {
  expect(responsesBefore.size).toBeGreaterThan(100)
  const during = await readEverything(RELEASE_TIME - 1)
  for (const [name, snapshot] of during) expect([name, snapshot]).toEqual([name, responsesBefore.get(name)])
  const revealingResponses = [...(await readEverything(RELEASE_TIME))].filter(([, { body }]) =>
    UNRELEASED_TEXT.test(body),
  )
  expect(revealingResponses.map(([name]) => name).filter((name) => name.startsWith('visitor'))).toEqual(
    expect.arrayContaining(
      ['/api/tracks', '/api/releases', '/', '/music', '/feed.xml', '/podcast.xml', '/sitemap.xml'].map(
        (path) => `visitor ${path}`,
      ),
    ),
  )
})

type RequestCase = {
  method?: string
  path: () => string
  /** The same request for an id that does not exist. */
  unknown: string
  releasedStatus: number
  body?: () => unknown
}
const requests: Record<string, RequestCase> = {
  page: { path: () => '/music/nocturne', unknown: '/music/nosuch11', releasedStatus: 200 },
  'page of its track': {
    path: () => '/music/nocturne/nocturne-song',
    unknown: '/music/nosuch/nosuch',
    releasedStatus: 200,
  },
  API: { path: () => '/api/releases/nocturne', unknown: '/api/releases/nosuch', releasedStatus: 200 },
  embed: { path: () => '/embed/nocturne', unknown: '/embed/nosuch', releasedStatus: 200 },
  'embed of its track': {
    path: () => '/embed/nocturne/nocturne-song',
    unknown: '/embed/nosuch/nosuch',
    releasedStatus: 200,
  },
  oEmbed: {
    path: () => `/api/oembed?url=${ORIGIN}/music/nocturne`,
    unknown: `/api/oembed?url=${ORIGIN}/music/nosuch`,
    releasedStatus: 200,
  },
  audio: { path: () => `/api/tracks/${trackId}/audio`, unknown: '/api/tracks/9999/audio', releasedStatus: 200 },
  "embed's audio": {
    path: () => `/api/embed/tracks/${trackId}/audio`,
    unknown: '/api/embed/tracks/9999/audio',
    releasedStatus: 200,
  },
  cover: { path: () => cover, unknown: '/media/uploads/up_nosuch', releasedStatus: 200 },
  'smaller cover': { path: () => `${cover}@320`, unknown: '/media/uploads/up_nosuch@320', releasedStatus: 200 },
  "track's cover": { path: () => trackCover, unknown: '/media/uploads/up_nosuch', releasedStatus: 200 },
  'audio file as an image': {
    path: () => `/media/${audioKey}`,
    unknown: '/media/uploads/up_nosuch',
    releasedStatus: 404,
  },
  click: {
    method: 'POST',
    path: () => `/api/tracks/${trackId}/play`,
    unknown: '/api/tracks/9999/play',
    releasedStatus: 204,
    body: () => ({ service: 'spotify' }),
  },
  like: {
    method: 'POST',
    path: () => `/api/tracks/${trackId}/like`,
    unknown: '/api/tracks/9999/like',
    releasedStatus: 200,
  },
  unlike: {
    method: 'DELETE',
    path: () => `/api/tracks/${trackId}/like`,
    unknown: '/api/tracks/9999/like',
    releasedStatus: 200,
  },
}

describe.each(Object.entries(requests))(
  'before release: %s',
  (_, { method = 'GET', path, unknown, releasedStatus, body }) => {
    const request = (url: string, at: Millis, headers: Record<string, string> = {}) =>
      supporter.send(method, url, body?.(), { at, headers })

    test('answers as for an unknown id until the release time', async () => {
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
      for (const at of [NOON, RELEASE_TIME - 1])
        for (const verb of methods)
          for (const sendAs of [supporter.send, send]) {
            const snapshot = async (url: string) => snapshotOf(await sendAs(verb, url, body?.(), { at }))
            expect(await snapshot(path())).toEqual(await snapshot(unknown))
          }
      expect((await request(path(), RELEASE_TIME - 1)).status).toBe(404)
      const open = await request(path(), RELEASE_TIME)
      await open.arrayBuffer()
      expect(open.status).toBe(releasedStatus)
    })

    test('answers conditional and range requests as for an unknown id', async () => {
      const released = await request(path(), RELEASE_TIME)
      await released.arrayBuffer()
      const etag = released.headers.get('etag')
      const conditions: Record<string, string>[] = [{ 'if-none-match': etag ?? '*' }, { range: 'bytes=0-0' }]
      for (const headers of conditions)
        expect(await snapshotOf(await request(path(), RELEASE_TIME - 1, headers))).toEqual(
          await snapshotOf(await request(unknown, RELEASE_TIME - 1, headers)),
        )
    })
  },
)

test('answers stream reports like those of unknown tracks', async () => {
  const listens = { timestamp: 0, platform: 'web', userAgent: '', userTier: '' }
  const report = async (id: number, at: Millis) =>
    snapshotOf(await supporter.send('POST', '/api/tracks/stream', { trackId: id, ...listens }, { at }))
  const embedReport = async (id: number, at: Millis) => {
    const raw = JSON.stringify({ trackId: id, listen: 'any' })
    return snapshotOf(await send('POST', '/api/embed/stream', undefined, { at, raw }))
  }
  for (const sendReport of [report, embedReport]) {
    expect(await sendReport(trackId, RELEASE_TIME - 1)).toEqual(await sendReport(9999, RELEASE_TIME - 1))
    expect((await sendReport(trackId, RELEASE_TIME)).status).toBe(202)
  }
})

test('an administrator cannot like an unreleased track', async () => {
  await addNamedUser('editor', { role: 'administrator' })
  const editor = await browserWithSession('editor', { as: 'administrator', at: NOON })
  const like = async (id: number) =>
    snapshotOf(await editor.send('POST', `/api/tracks/${id}/like`, undefined, { at: RELEASE_TIME - 1 }))
  expect(await like(trackId)).toEqual(await like(9999))
  const { results } = await env.DB.prepare(
    "SELECT 1 FROM track_likes JOIN users ON users.id = track_likes.user_id WHERE username = 'editor'",
  ).all()
  expect(results).toEqual([])
})

test('shows covers to the team before the release', async () => {
  for (const url of [cover, trackCover, `${cover}@320`]) {
    const { status, headers } = await send('GET', url, undefined, { at: NOON, headers: { cookie: admin } })
    expect([url, status, headers.get('cache-control')]).toEqual([url, 200, 'private, no-store'])
  }
})

test('an announced release shows its cover, not its tracks’ covers', async () => {
  const [poster, inside] = [await uploadImage(buildPng(20, 20)), await uploadImage(buildPng(21, 21))]
  const id = Number(
    await add('tracks', { ...TRACK_DRAFT, title: 'Inside', coverUrl: inside, album: undefined, releaseId: null }),
  )
  const releaseId = await add('releases', draftOf('Posted', { coverUrl: poster, isAnnounced: true, trackIds: [id] }))
  const statuses = async (at: Millis) =>
    Promise.all([poster, inside].map(async (url) => (await send('GET', url, undefined, { at })).status))
  expect([await statuses(RELEASE_TIME - 1), await statuses(RELEASE_TIME)]).toEqual([
    [200, 404],
    [200, 200],
  ])
  await changeRelease(releaseId, { isAnnounced: false })
  expect([await statuses(RELEASE_TIME - 1), await statuses(RELEASE_TIME)]).toEqual([
    [404, 404],
    [200, 200],
  ])
})

test('an image that a product shows stays public', async () => {
  const url = await uploadImage(buildPng(22, 22))
  const images = [{ url, alt: 'A print.' }]
  await add('products', {
    name: 'Print',
    description: '',
    priceCents: 500,
    stock: 1,
    checkoutUrl: '',
    isFeatured: false,
    position: 9,
    images,
  })
  await add('releases', draftOf('Printed', { coverUrl: url }))
  expect((await send('GET', url, undefined, { at: RELEASE_TIME - 1 })).status).toBe(200)
})

test('removing a release unpublishes its cover', async () => {
  const url = await uploadImage(buildPng(23, 23))
  const id = await add('releases', draftOf('Withdrawn', { coverUrl: url, releasedAt: new Date(NOON).toISOString() }))
  const status = async () => (await send('GET', url, undefined, { at: NOON })).status
  expect(await status()).toBe(200)
  await asAdmin('DELETE', `releases/${id}`)
  expect(await status()).toBe(404)
  await asAdmin('POST', `releases/${id}/restore`)
  expect(await status()).toBe(200)
})

test('favorites and data exports hide a postponed track', async () => {
  const url = await uploadImage(buildPng(24, 24))
  const draft = { ...TRACK_DRAFT, title: 'Serenade', coverUrl: url, album: undefined, releaseId: null }
  const id = Number(await add('tracks', draft))
  const release = draftOf('Serenade', { coverUrl: url, trackIds: [id], releasedAt: new Date(NOON).toISOString() })
  const releaseId = await add('releases', release)
  expect((await supporter.send('POST', `/api/tracks/${id}/like`)).status).toBe(200)
  await changeRelease(releaseId, { releasedAt: new Date(RELEASE_TIME).toISOString() })
  const readsWithTitle = async (at: Millis) => {
    // An export needs a recent log-in.
    const supporter = await browserWithSession('fan', { at })
    const paths = [
      accountApi.export.path,
      `${accountApi.export.path}?format=html`,
      '/api/points/history',
      '/api/tracks',
    ]
    return Promise.all(
      paths.map(async (path) => /Serenade/.test(await (await supporter.send('GET', path, undefined, { at })).text())),
    )
  }
  expect([await readsWithTitle(RELEASE_TIME - 1), await readsWithTitle(RELEASE_TIME)]).toEqual([
    [false, false, false, false],
    [true, true, true, true],
  ])
  const [postponed, unknown] = await Promise.all(
    [id, 9999].map(async (track) =>
      snapshotOf(await supporter.send('DELETE', `/api/tracks/${track}/like`, undefined, { at: RELEASE_TIME - 1 })),
    ),
  )
  expect(postponed).toEqual(unknown)
  const liked = (
    await (await supporter.send('GET', '/api/tracks', undefined, { at: RELEASE_TIME })).json<Track[]>()
  ).find((track) => track.id === id)
  expect([liked?.liked, (await send('GET', url, undefined, { at: RELEASE_TIME - 1 })).status]).toEqual([true, 404])
})

const CACHED_PATHS = [
  '/',
  '/music',
  '/music/nocturne',
  '/music/nocturne/nocturne-song',
  '/api/tracks',
  '/api/releases',
  '/api/releases/nocturne',
  '/embed/nocturne',
  '/embed/nocturne/nocturne-song',
  '/feed.xml',
  '/podcast.xml',
]

test.each(CACHED_PATHS)('cached %s changes at the release time', async (path) => {
  const { request } = newIsolate()
  const mentionsRelease = async (at: Millis) => UNRELEASED_TEXT.test(await (await request(path, {}, at)).text())
  expect([
    await mentionsRelease(RELEASE_TIME - 2),
    await mentionsRelease(RELEASE_TIME - 1),
    await mentionsRelease(RELEASE_TIME),
  ]).toEqual([false, false, true])
})

test('cached responses omit a postponed release', async () => {
  // Nothing but this release changes at this time: its only track is public, and other releases have other times.
  const releasedAt = RELEASE_TIME + 2
  const id = await add('releases', draftOf('Overture', { trackIds: [1], releasedAt: new Date(NOON).toISOString() }))
  const { request } = newIsolate()
  const mentionsRelease = (at: Millis) =>
    Promise.all(
      ['/music', '/api/releases', '/feed.xml', '/music/overture'].map(async (path) =>
        /Overture/.test(await (await request(path, {}, at)).text()),
      ),
    )
  expect(await mentionsRelease(NOON)).toEqual([true, true, true, true])
  await changeRelease(id, { releasedAt: new Date(releasedAt).toISOString() })
  expect(await mentionsRelease(NOON + MAX_UNCHECKED_MS)).toEqual([false, false, false, false])
  expect(await mentionsRelease(releasedAt - 1)).toEqual([false, false, false, false])
  expect(await mentionsRelease(releasedAt)).toEqual([true, true, true, true])
})

test('sends no email about a scheduled release', async () => {
  const { results } = await env.DB.prepare("SELECT subject FROM outbox WHERE text LIKE '%nocturne%'").all()
  expect(results).toEqual([])
  expect((await getJson<Track[]>('/api/tracks', { at: RELEASE_TIME - 1 })).some(({ id }) => id === trackId)).toBe(false)
})
