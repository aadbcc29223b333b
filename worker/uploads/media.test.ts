import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { errorOf, send, statusAndCodeOf } from '../testing/client'

const NOT_FOUND = [404, 'not_found', 'There is no picture at this address.']

beforeAll(async () => {
  const put = (key: string, contentType: string) => env.FILES.put(key, key, { httpMetadata: { contentType } })
  await put('art/hero.webp', 'image/webp')
  await put('art/hero.webp@320', 'image/webp')
  await put('art/hero.webp@960', 'image/webp')
  await put('art/tide.c101.webp', 'image/webp')
  await put('art/tide.c101.640.avif', 'image/avif')
  await put('art/song.mp3', 'audio/mpeg')
  await put('exports/fans.csv', 'text/csv')
  await put('art/drawing.svg', 'image/svg+xml')
  await env.FILES.put('art/untyped.webp', 'x')
})

// Each file that is served contains its own key.
const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer())
const getImage = (path: string, headers?: Record<string, string>, method = 'GET') =>
  send(method, `/media/${path}`, undefined, { headers })

test('serves an image with its type, cached for an hour', async () => {
  const response = await getImage('art/hero.webp')
  expect([response.status, await textOf(response)]).toEqual([200, 'art/hero.webp'])
  expect(
    ['content-type', 'content-length', 'cache-control', 'content-disposition'].map((name) =>
      response.headers.get(name),
    ),
  ).toEqual(['image/webp', '13', 'public, max-age=3600', 'inline'])
})

test('sends a sandboxing policy with images', async () => {
  const { headers } = await getImage('art/hero.webp')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
})

test.each([
  ['32', 'art/hero.webp@320'],
  ['320', 'art/hero.webp@320'],
  ['640', 'art/hero.webp@960'],
  ['960', 'art/hero.webp@960'],
  ['1600', 'art/hero.webp'],
])('serves width %s from %s', async (width, key) => {
  expect(await textOf(await getImage(`art/hero.webp@${width}`))).toBe(key)
  // Older links select the width in the query.
  expect(await textOf(await getImage(`art/hero.webp?w=${width}`))).toBe(key)
})

test.each([
  ['art/tide.c101.320.avif', 'art/tide.c101.640.avif'],
  ['art/tide.c101.640.webp', 'art/tide.c101.webp'],
  ['art/tide.c101.960.avif', 'art/tide.c101.webp'],
  ['art/tide.c101.avif', 'art/tide.c101.webp'],
  ['art/tide.c101.webp', 'art/tide.c101.webp'],
])('serves %s from %s', async (path, key) => {
  expect(await textOf(await getImage(path))).toBe(key)
})

test.each(['641', '0', '-1', '640.0', 'wide', '', '0x280', '%00'])('rejects width %j', async (width) => {
  expect(await statusAndCodeOf(await getImage(`art/hero.webp?w=${width}`))).toEqual([400, 'bad_input'])
})

test('answers 304 when the ETag matches', async () => {
  const { headers } = await getImage('art/hero.webp')
  const conditional = await getImage('art/hero.webp', { 'if-none-match': `W/${headers.get('etag')}` })
  expect([conditional.status, await textOf(conditional), conditional.headers.get('cache-control')]).toEqual([
    304,
    '',
    'public, max-age=3600',
  ])
  expect((await getImage('art/hero.webp?w=320', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
})

test('answers HEAD like GET', async () => {
  const response = await getImage('art/hero.webp?w=320', {}, 'HEAD')
  expect([response.status, response.headers.get('content-length'), await textOf(response)]).toEqual([200, '17', ''])
})

test.each(['art/song.mp3', 'exports/fans.csv', 'art/drawing.svg', 'art/untyped.webp'])(
  'does not serve %s',
  async (key) => {
    expect(await errorOf(await getImage(key))).toEqual(NOT_FOUND)
  },
)

test.each([
  'art/other.webp',
  'art/other.webp@320',
  'art/%2e%2e%2fhero.webp',
  '%2e%2e%2fart/hero.webp',
  'art/..%2f..%2fhero.webp',
  'art/%00',
  'art/hero.webp%00',
  'art/hero.webp%0d%0aset-cookie:a=b',
  'art/.hidden',
  `art/${'a'.repeat(2048)}`,
])('finds no image at /media/%s', async (path) => {
  expect(await errorOf(await getImage(path))).toEqual(NOT_FOUND)
})

test.each(['', 'art', 'art/', 'art//hero.webp', 'art/hero.webp/extra', '%zz/hero.webp', 'art/%ff.webp'])(
  'answers 404 for /media/%s',
  async (path) => {
    expect(await statusAndCodeOf(await getImage(path))).toEqual([404, 'not_found'])
  },
)

test('rejects writes', async () => {
  const response = await getImage('art/hero.webp', {}, 'DELETE')
  expect(response.headers.get('allow')).toBe('GET, HEAD')
  expect((await errorOf(response))[1]).toBe('method_not_allowed')
})
