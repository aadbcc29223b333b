import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { errorOf, ORIGIN, send } from '../testing/client'
import { addTrack } from '../testing/fixtures'
import { withMethods } from '../testing/stores'

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
let etag = ''

beforeAll(async () => {
  await addTrack({ id: 1, audioKey: 'audio/1.mp3' })
  await addTrack({ id: 2, audioKey: 'audio/gone.mp3' })
  await addTrack({ id: 3 })
  await addTrack({ id: 4, audioKey: 'audio/1.mp3', isExclusive: true })
  etag = (await env.FILES.put('audio/1.mp3', bytes, { httpMetadata: { contentType: 'audio/mpeg' } })).httpEtag
})

const fetchAudio = (headers: Record<string, string> = {}, method = 'GET') =>
  send(method, '/api/tracks/1/audio', undefined, { headers })
const bodyOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const headerValues = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name))

test('serves the whole file with type, length and etag', async () => {
  const response = await fetchAudio()
  expect(response.status).toBe(200)
  expect(await bodyOf(response)).toEqual(bytes)
  expect(headerValues(response, 'content-type', 'content-length', 'accept-ranges', 'etag', 'content-range')).toEqual([
    'audio/mpeg',
    '5000',
    'bytes',
    etag,
    null,
  ])
  expect(headerValues(response, 'cache-control', 'x-content-type-options')).toEqual(['private, no-cache', 'nosniff'])
})

test.each([
  ['bytes=0-9', 0, 10],
  ['bytes=-3', 4997, 5000],
  ['bytes=100-', 100, 5000],
  ['bytes=4999-9999', 4999, 5000],
])('serves the range %s', async (range, from, to) => {
  const response = await fetchAudio({ range })
  expect(response.status).toBe(206)
  expect(headerValues(response, 'content-range', 'content-length')).toEqual([
    `bytes ${from}-${to - 1}/5000`,
    String(to - from),
  ])
  expect(await bodyOf(response)).toEqual(bytes.slice(from, to))
})

test.each(['bytes=5000-', 'bytes=9-2', 'bytes=-0', 'bytes=garbage', 'garbage'])('answers 416 to %s', async (range) => {
  const response = await fetchAudio({ range })
  expect(headerValues(response, 'content-range', 'accept-ranges', 'set-cookie', 'cache-control')).toEqual([
    'bytes */5000',
    'bytes',
    null,
    'private, no-store',
  ])
  expect(await errorOf(response)).toEqual([416, 'bad_range', 'That part of the recording does not exist.'])
})

test.each(['bytes=0-9,20-29', 'items=0-9'])('ignores the range %s', async (range) => {
  const response = await fetchAudio({ range })
  expect([response.status, (await bodyOf(response)).length]).toEqual([200, 5000])
})

test('answers 304 to a matching If-None-Match', async () => {
  for (const cached of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await fetchAudio({ 'if-none-match': cached })
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
  }
  expect((await fetchAudio({ 'if-none-match': '"other"' })).status).toBe(200)
})

test('serves ranges only for the matching If-Range', async () => {
  expect((await fetchAudio({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  expect((await fetchAudio({ range: 'bytes=0-9', 'if-range': '"older"' })).status).toBe(200)
  expect((await fetchAudio({ range: 'bytes=0-9', 'if-range': `W/${etag}` })).status).toBe(200)
  expect((await fetchAudio({ range: 'bytes=9000-', 'if-range': '"older"' })).status).toBe(200)
})

test('answers HEAD without starting a listen', async () => {
  const response = await fetchAudio({ range: 'bytes=0-9' }, 'HEAD')
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(headerValues(response, 'content-length', 'etag', 'accept-ranges', 'set-cookie')).toEqual([
    '5000',
    etag,
    'bytes',
    null,
  ])
})

test('answers 404 without an audio file', async () => {
  const noRecording = [404, 'not_found', 'This track has no recording yet.']
  for (const id of [2, 3]) expect(await errorOf(await send('GET', `/api/tracks/${id}/audio`))).toEqual(noRecording)
})

test('rejects visitors who request an exclusive track', async () => {
  const response = await send('GET', '/api/tracks/4/audio')
  expect(response.headers.get('set-cookie')).toBe(null)
  expect(await errorOf(response)).toEqual([403, 'tier_required', 'This track is for Silver and Gold supporters.'])
})

test.each([
  ['removed', async () => null],
  ['replaced', async () => env.FILES.head('audio/1.mp3')],
])('answers 503 if the file is %s during the request', async (_, get) => {
  const FILES = withMethods(env.FILES, { get })
  const response = await send('GET', '/api/tracks/1/audio', undefined, { env: { FILES } })
  expect((await errorOf(response))[1]).toBe('unavailable')
})

test('preloading starts no listen', async () => {
  const response = await send('GET', '/api/tracks/1/audio?preload=1')
  expect([response.status, await bodyOf(response)]).toEqual([200, bytes])
  expect(response.headers.getSetCookie()).toEqual([])
})

test('the first byte starts the listen of a preloaded track', async () => {
  const response = await fetchAudio({ range: 'bytes=0-0' })
  expect(response.headers.getSetCookie().some((cookie) => cookie.startsWith('listen_1='))).toBe(true)
})

test('scopes the listen cookie to its routes', async () => {
  const cookie = (await fetchAudio()).headers.getSetCookie().find((header) => header.startsWith('listen_'))
  expect(cookie).toMatch(/^listen_1=1\.\d+\.n[\w-]{43}\.open\.[\w-]{43}; /)
  expect(cookie?.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=21600',
    'Path=/api/tracks',
    'SameSite=Lax',
    'Secure',
  ])
  expect(ORIGIN.startsWith('https:')).toBe(true)
})
