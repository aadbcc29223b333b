import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Oembed } from '../contract/releases'
import type { Env } from '../env'
import { HOUR_MS, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { releases, releaseTracks } from '../releases/releases.table'
import { getJson, newIsolate, ORIGIN, send, statusAndCodeOf } from '../testing/client'
import { addTrack, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { countStreams, type StreamJob } from '../tracks/streams'
import { tracks } from '../tracks/tracks.table'

const MIDNIGHT = NOON + 12 * HOUR_MS
const RELEASE = { artist: 'Somebody', kind: 'album', coverUrl: '/media/a/cover.webp', coverAlt: 'A cover' } as const

beforeAll(async () => {
  await loadFixtures()
  await addTrack({ id: 2, slug: 'members', title: 'Members <3', audioKey: 'audio/song.mp3', isExclusive: true })
  await addTrack({ id: 3, slug: 'tomorrow', title: 'Tomorrow', audioKey: 'audio/song.mp3' })
  await db.insert(releases).values([
    { ...RELEASE, id: 'more', slug: 'more', title: 'More', releasedAt: 0 },
    { ...RELEASE, id: 'later', slug: 'later', title: 'Later', releasedAt: MIDNIGHT },
  ])
  await db.insert(releaseTracks).values([
    { releaseId: 'more', position: 1, trackId: 1 },
    { releaseId: 'more', position: 2, trackId: 2 },
    { releaseId: 'later', position: 1, trackId: 3 },
  ])
})

let sentJobs: StreamJob[] = []
const JOBS = { send: async (job: StreamJob) => void sentJobs.push(job) } as unknown as Env['JOBS']
beforeEach(() => {
  sentJobs = []
})

let network = 0
const newNetwork = () => `198.51.${++network}.1`

const AUDIO = '/api/embed/tracks/1/audio'
const fetchAudio = (at: number, headers: Record<string, string> = {}, path = AUDIO) =>
  send('GET', path, undefined, { at, headers: { origin: 'null', ...headers } })
const fetchListenToken = async (at: number, path = AUDIO) =>
  (await fetchAudio(at, {}, path)).headers.get('listen-token') ?? ''
/** Sends a report as a sandboxed frame does. */
const reportStream = (listen: string, at: number, { trackId = 1, address = newNetwork() } = {}) =>
  send('POST', '/api/embed/stream', undefined, {
    at,
    raw: JSON.stringify({ trackId, listen }),
    headers: { origin: 'null', 'content-type': 'text/plain;charset=UTF-8', 'cf-connecting-ip': address },
    env: { JOBS },
  })
/** Counts the streams of `jobs`; returns the plays of track 1. */
async function playsAfter(jobs: readonly StreamJob[]) {
  await countStreams(db, jobs)
  return (await db.select().from(tracks)).find(({ id }) => id === 1)?.plays
}

test('serves a frameable player with its own policy', async () => {
  const response = await send('GET', '/embed/more', undefined, { at: NOON })
  const page = await response.text()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(response.headers.getSetCookie()).toEqual([])
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src/,
  )
  expect(policy).toContain('frame-ancestors *')
  expect(page).toContain(`data-src="${ORIGIN}${AUDIO}"`)
  expect(page).toContain(`<link rel="canonical" href="${ORIGIN}/music/more">`)
  // Listed, but not playable.
  expect(page).toContain('Members &lt;3')
  expect(page).not.toContain('/api/embed/tracks/2/audio')
})

test('a track’s embed has only that track', async () => {
  const page = await (await send('GET', '/embed/more/a-song', undefined, { at: NOON })).text()
  expect([...page.matchAll(/data-id="(\d+)"/g)].map(([, id]) => id)).toEqual(['1'])
  expect(page).toContain(`href="${ORIGIN}/music/more/a-song"`)
})

test('serves embeds, audio and oEmbed from the release time', async () => {
  const { request } = newIsolate()
  const oembedPath = `/api/oembed?url=${encodeURIComponent(`${ORIGIN}/music/later`)}`
  for (const path of ['/embed/later', '/embed/later/tomorrow', '/api/embed/tracks/3/audio', oembedPath]) {
    const statuses = []
    for (const at of [NOON, MIDNIGHT - 1, MIDNIGHT]) statuses.push((await request(path, {}, at)).status)
    expect([path, statuses]).toEqual([path, [404, 404, 200]])
  }
})

test.each(['/embed/none', '/embed/more/none', '/embed/a-release/members', '/embed/%00'])(
  'answers 404 for %s',
  async (path) => {
    expect(await statusAndCodeOf(await send('GET', path, undefined, { at: NOON }))).toEqual([404, 'not_found'])
  },
)

test('neither reads nor sets cookies', async () => {
  const cookie = await cookieHeaderFor('administrator')
  const exclusive = await fetchAudio(NOON, { cookie }, '/api/embed/tracks/2/audio')
  expect(await statusAndCodeOf(exclusive)).toEqual([403, 'tier_required'])
  const audio = await fetchAudio(NOON, { cookie })
  expect([audio.status, audio.headers.getSetCookie(), audio.headers.get('access-control-allow-origin')]).toEqual([
    200,
    [],
    '*',
  ])
  expect(audio.headers.has('access-control-allow-credentials')).toBe(false)
  const response = await reportStream(await fetchListenToken(NOON), NOON + 30 * SECOND_MS)
  expect([response.status, response.headers.getSetCookie(), sentJobs.map(({ listener }) => listener[0])]).toEqual([
    202,
    [],
    ['v'],
  ])
})

test('counts an embed’s listen of 30 seconds once', async () => {
  const before = (await playsAfter([])) ?? 0
  const token = await fetchListenToken(NOON)
  await reportStream(token, NOON + 30 * SECOND_MS - 1)
  expect(sentJobs).toEqual([])
  for (const seconds of [30, 31, 600]) await reportStream(token, NOON + seconds * SECOND_MS)
  expect(await playsAfter(sentJobs)).toBe(before + 1)
})

test('counts at most five embed listens per network', async () => {
  const address = newNetwork()
  for (let n = 0; n < 8; n++) await reportStream(await fetchListenToken(NOON), NOON + 30 * SECOND_MS, { address })
  expect(sentJobs).toHaveLength(5)
})

test('ignores forged and expired tokens, and those of other tracks', async () => {
  const token = await fetchListenToken(NOON)
  for (const listen of [
    '',
    'x',
    token.slice(0, -1),
    token.replace(/^1\./, '3.'),
    `1.${NOON}.v12345678.open.${'A'.repeat(43)}`,
  ])
    expect((await reportStream(listen, NOON + HOUR_MS)).status).toBe(202)
  await reportStream(token, MIDNIGHT, { trackId: 3 })
  await reportStream(token, NOON + limits.audioCookieTtlSeconds * SECOND_MS)
  expect(sentJobs).toEqual([])
  const malformed = await send('POST', '/api/embed/stream', undefined, { raw: '{', headers: { origin: 'null' } })
  expect(await statusAndCodeOf(malformed)).toEqual([400, 'bad_input'])
})

test('a range that skips the start starts no listen', async () => {
  expect((await fetchAudio(NOON, { range: 'bytes=100-' })).headers.has('listen-token')).toBe(false)
})

const oembedOf = (url: string, extraQuery = '') => `/api/oembed?url=${encodeURIComponent(url)}${extraQuery}`

test('describes releases and tracks as oEmbed', async () => {
  const release = Oembed.parse(await getJson(oembedOf(`${ORIGIN}/music/more`), { at: NOON }))
  expect(release).toMatchObject({
    type: 'rich',
    version: '1.0',
    title: 'More',
    author_name: 'Somebody',
    provider_name: 'Any Artist',
    thumbnail_url: `${ORIGIN}/media/a/cover.webp@320`,
    width: 480,
    height: 400,
  })
  expect(release.html).toContain(`<iframe src="${ORIGIN}/embed/more" width="480" height="400" title="More by Somebody"`)
  const track = Oembed.parse(await getJson(oembedOf(`${ORIGIN}/music/more/a-song?t=30`), { at: NOON }))
  expect(track.html).toContain('/embed/more/a-song?t=30"')
  const invalid = Oembed.parse(await getJson(oembedOf(`${ORIGIN}/music/more/a-song?t=-1`), { at: NOON }))
  expect(invalid.html).toContain('/embed/more/a-song"')
  expect([track.title, track.height]).toEqual(['A Song', 144])
})

test('fits oEmbed into the requested size', async () => {
  const small = Oembed.parse(
    await getJson(oembedOf(`${ORIGIN}/music/more`, '&maxwidth=300&maxheight=200'), { at: NOON }),
  )
  expect([small.width, small.height, small.thumbnail_url]).toEqual([300, 200, undefined])
  expect(small.html).toContain('width="300" height="200"')
})

test.each([
  ['?format=json', 400, 'bad_input'],
  [`?url=${ORIGIN}/music/more&maxwidth=0`, 400, 'bad_input'],
  [`?url=${ORIGIN}/music/more&maxheight=1e9`, 400, 'bad_input'],
  [`?url=${ORIGIN}/music/more&format=xml`, 501, 'not_implemented'],
  [`?url=${ORIGIN}/music/none`, 404, 'not_found'],
  [`?url=${ORIGIN}/music/more/none`, 404, 'not_found'],
  [`?url=${ORIGIN}/merch/clip`, 404, 'not_found'],
  ['?url=https://evil.example/music/more', 404, 'not_found'],
  ['?url=javascript:alert(1)', 404, 'not_found'],
])('answers oEmbed %s with %i', async (query, status, code) => {
  expect(await statusAndCodeOf(await send('GET', `/api/oembed${query}`, undefined, { at: NOON }))).toEqual([
    status,
    code,
  ])
})

test('release and track pages link to their oEmbed', async () => {
  for (const path of ['/music/more', '/music/more/a-song']) {
    const page = await (await send('GET', path, undefined, { at: NOON })).text()
    const href = /<link rel="alternate" type="application\/json\+oembed" [^>]*href="([^"]+)"/.exec(page)?.[1]
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(href).toBe(oembedOf(canonical))
    expect((await getJson<Oembed>(href ?? '', { at: NOON })).html).toContain(canonical.replace('/music/', '/embed/'))
  }
})
