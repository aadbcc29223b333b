import { env } from 'cloudflare:test'
import { deflateSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { communityApi } from '../contract/community'
import { UploadedAudio, UploadedImage, uploadsApi } from '../contract/uploads'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { PRODUCT_DRAFT, RELEASE_DRAFT, TRACK_DRAFT } from '../testing/drafts'
import { buildJpeg, buildMp3, buildPng, buildWebp, chunkedBody } from '../testing/files'
import { addUser, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { withMethods } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'
import { deleteDroppedUploads, deleteUnreferencedUploads } from './cleanup'
import { receiveAudio } from './receive'

const stores = { db, files: env.FILES }
let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

const IMAGE_UPLOADS = uploadsApi.image.path
const post = (
  path: string,
  raw: BodyInit,
  type: string,
  { at = NOON, ...headers }: { at?: Millis; [name: string]: unknown } = {},
) =>
  send('POST', path, undefined, {
    at,
    raw,
    headers: { cookie, 'content-type': type, ...(headers as Record<string, string>) },
  })
const uploadImage = async (width = 700, height = 350) =>
  UploadedImage.parse(await (await post(IMAGE_UPLOADS, buildPng(width, height), 'image/png')).json())
const productWith = (url: string) => ({ ...PRODUCT_DRAFT, images: [{ url, alt: 'A clip.' }] })
const storedFileCount = async () => (await env.FILES.list({ prefix: 'uploads/' })).objects.length
const textOf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

test('stores a sanitized image and serves it as immutable', async () => {
  const secret = new TextEncoder().encode('GPS 27.9506 N, 82.4572 W <script>alert(1)</script>')
  const extra: [string, Uint8Array][] = ['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'iCCP', 'vpAg'].map((tag) => [
    tag,
    secret,
  ])
  const created = await post(IMAGE_UPLOADS, buildPng(700, 350, extra), 'image/png')
  const { url, ...rest } = UploadedImage.parse(await created.json())
  expect([created.status, rest.width, rest.height]).toEqual([201, 700, 350])
  const saved = await send('POST', '/api/admin/products', productWith(url), { at: NOON, headers: { cookie } })
  expect(saved.status).toBe(201)
  const response = await send('GET', url)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(textOf(bytes)).not.toMatch(/GPS|script|eXIf|tEXt|iCCP/)
  expect(bytes).toEqual(buildPng(700, 350))
  const headers = ['content-type', 'x-content-type-options', 'cache-control', 'content-security-policy']
  expect(headers.map((name) => response.headers.get(name))).toEqual([
    'image/png',
    'nosniff',
    'public, max-age=31536000, immutable',
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  ])
})

const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const html = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')
const gif = new TextEncoder().encode('GIF89a/*....*/=1;alert(1)')
const validPng = buildPng(8, 8)
const concat = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
/** Deterministic pseudo-random bytes. */
const noise = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, i) => Math.imul(i, 2654435761) >>> 24)
const NOT_A_PICTURE = 'Please choose a picture: JPEG, PNG or WebP.'
const DAMAGED = 'That picture is damaged, or not all of it arrived.'
const EXTRA_DATA = 'That file contains more than a picture. Please choose another.'
test.each<[string, string, Uint8Array, string]>([
  ['an SVG called a PNG', 'image/png', svg, NOT_A_PICTURE],
  ['an HTML page called a JPEG', 'image/jpeg', html, NOT_A_PICTURE],
  ['a GIF that is a script', 'image/webp', gif, NOT_A_PICTURE],
  ['an empty file', 'image/png', new Uint8Array(), NOT_A_PICTURE],
  ['a PNG called a JPEG', 'image/jpeg', validPng, 'That file does not match its type. Please choose another.'],
  ['a PNG and a page', 'image/png', Uint8Array.from([...validPng, ...html]), EXTRA_DATA],
  ['a PNG and an archive', 'image/png', Uint8Array.from([...validPng, 0x50, 0x4b, 3, 4]), EXTRA_DATA],
  ['half a PNG', 'image/png', validPng.slice(0, validPng.length - 6), DAMAGED],
  ['a PNG signature and a page', 'image/png', Uint8Array.from([...validPng.slice(0, 8), ...html]), DAMAGED],
  ['a PNG without pixels', 'image/png', Uint8Array.from([...validPng.slice(0, 33), ...validPng.slice(-12)]), DAMAGED],
  ['a JPEG signature and a page', 'image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...html]), DAMAGED],
  ['a WebP signature', 'image/webp', new TextEncoder().encode('RIFF\u0004\0\0\0WEBP'), DAMAGED],
  [
    'a width of 50,000 pixels',
    'image/png',
    buildPng(50_000, 10),
    'That picture is too large. The limit is 6000 pixels on each side.',
  ],
  [
    'a height of 6,001 pixels',
    'image/png',
    buildPng(10, 6001),
    'That picture is too large. The limit is 6000 pixels on each side.',
  ],
  ['a width of zero', 'image/png', buildPng(0, 10), DAMAGED],
  ['a PNG whose data is a page', 'image/png', buildPng(8, 8, [], html), DAMAGED],
  [
    'a PNG with fewer pixels than it declares',
    'image/png',
    buildPng(8, 8, [], deflateSync(new Uint8Array(15))),
    DAMAGED,
  ],
  [
    'a PNG with more pixels than it declares',
    'image/png',
    buildPng(8, 8, [], deflateSync(new Uint8Array(17))),
    DAMAGED,
  ],
  [
    'a PNG with a page behind its pixels',
    'image/png',
    buildPng(8, 8, [], concat(deflateSync(new Uint8Array(16)), html)),
    DAMAGED,
  ],
  ['a PNG with a wrong checksum', 'image/png', validPng.with(30, (validPng[30] ?? 0) ^ 1), DAMAGED],
  ['a JPEG with a page in its scan', 'image/jpeg', buildJpeg(html), EXTRA_DATA],
  ['a WebP with a page in its frame', 'image/webp', buildWebp(html), EXTRA_DATA],
  ['4 MB behind a PNG header', 'image/png', concat(validPng.slice(0, 33), noise), DAMAGED],
  ['4 MB behind a JPEG header', 'image/jpeg', concat(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), noise), DAMAGED],
  ['4 MB behind a WebP header', 'image/webp', concat(buildWebp(new Uint8Array(8)).slice(0, 30), noise), EXTRA_DATA],
])('rejects %s', async (_, type, bytes, message) => {
  const before = await storedFileCount()
  expect(await errorOf(await post(IMAGE_UPLOADS, bytes, type))).toEqual([400, 'bad_input', message])
  expect(await storedFileCount()).toBe(before)
})

test('recompresses pixels that contain markup', async () => {
  const row = new Uint8Array(1 + html.length)
  row.set(html, 1)
  const image = buildPng(html.length * 8, 1, [], deflateSync(row, { level: 0 }))
  expect(textOf(image)).toContain('<script>')
  const { url } = UploadedImage.parse(await (await post(IMAGE_UPLOADS, image, 'image/png')).json())
  const served = await (await send('GET', url, undefined, { at: NOON, headers: { cookie } })).arrayBuffer()
  expect(textOf(new Uint8Array(served))).not.toContain('<script>')
})

test('shows unused images to owner and admins only', async () => {
  const owner = await cookieHeaderFor('supporter')
  const uploaded = await post(communityApi.image.path, buildPng(9, 9), 'image/png', { cookie: owner })
  const { id, url } = UploadedImage.parse(await uploaded.json())
  const view = async (cookie: string) => {
    const { status, headers } = await send('GET', url, undefined, { at: NOON, headers: { cookie } })
    return [status, headers.get('cache-control')]
  }
  const [stranger, privateResponse] = [await cookieHeaderFor('supporter'), [200, 'private, no-store']]
  expect([await view(''), await view(stranger)]).toEqual([
    [404, 'private, no-store'],
    [404, 'private, no-store'],
  ])
  expect([await view(owner), await view(cookie)]).toEqual([privateResponse, privateResponse])
  const draft = { text: 'At the show', picture: { id, alt: 'The stage' } }
  const created = await send('POST', communityApi.createPost.path, draft, { at: NOON, headers: { cookie: owner } })
  expect([created.status, ...(await view(''))]).toEqual([201, 200, 'public, max-age=31536000, immutable'])
})

test.each(['image/svg+xml', 'image/gif', 'text/html', 'application/json', 'multipart/form-data', ''])(
  'rejects content type %j',
  async (type) => {
    const { produced, body } = chunkedBody(1e6)
    expect(await statusAndCodeOf(await post(IMAGE_UPLOADS, body, type))).toEqual([400, 'bad_input'])
    expect(produced.bytes).toBeLessThan(200_000)
  },
)

test('accepts an image just below the size limit', async () => {
  const image = buildPng(9, 9, [['tEXt', new Uint8Array(5 * 1024 * 1024 - 400)]])
  expect((await post(IMAGE_UPLOADS, image, 'image/png')).status).toBe(201)
})

test('accepts one variant per width from the owner', async () => {
  const { id, url } = await uploadImage(700, 350)
  const variantPath = (width: number | string) =>
    uploadsApi.variant.path.replace(':id', id).replace(':width', String(width))
  expect((await post(variantPath(320), buildPng(320, 160), 'image/png')).status).toBe(204)
  const variant = await send('GET', `${url}@320`, undefined, { at: NOON, headers: { cookie } })
  expect((await variant.arrayBuffer()).byteLength).toBe(buildPng(320, 160).length)
  const other = await cookieHeaderFor('administrator')
  const cases: [string, number, Response][] = [
    ['again', 409, await post(variantPath(320), buildPng(320, 160), 'image/png')],
    ['another width', 400, await post(variantPath(640), buildPng(480, 240), 'image/png')],
    ['another shape', 400, await post(variantPath(640), buildPng(640, 640), 'image/png')],
    ['larger than the picture', 400, await post(variantPath(960), buildPng(960, 480), 'image/png')],
    ['an unsupported width', 400, await post(variantPath(333), buildPng(333, 166), 'image/png')],
    ['an hour later', 404, await post(variantPath(640), buildPng(640, 320), 'image/png', { at: NOON + HOUR_MS })],
    ['another owner', 404, await post(variantPath(640), buildPng(640, 320), 'image/png', { cookie: other })],
  ]
  expect(cases.map(([name, , { status }]) => [name, status])).toEqual(cases.map(([name, status]) => [name, status]))
})

test('streams audio and attaches it to a track', async () => {
  const { body } = chunkedBody(12 * 1024 * 1024)
  const response = await post(uploadsApi.audio.path, body, 'audio/mp3')
  const { audio, sizeBytes } = UploadedAudio.parse(await response.json())
  expect([response.status, sizeBytes]).toEqual([201, 12 * 1024 * 1024])
  expect((await send('GET', `/media/${audio}`)).status).toBe(404)
  const saveTrackRequest = (draft: unknown) =>
    send('POST', '/api/admin/tracks', draft, { at: NOON, headers: { cookie } })
  const { id } = await (await saveTrackRequest({ ...TRACK_DRAFT, audio })).json<{ id: string }>()
  const audioResponse = await send('GET', `/api/tracks/${id}/audio`, undefined, { headers: { range: 'bytes=0-99' } })
  expect([
    audioResponse.status,
    ...['content-type', 'content-range'].map((name) => audioResponse.headers.get(name)),
  ]).toEqual([206, 'audio/mpeg', `bytes 0-99/${sizeBytes}`])
  await audioResponse.arrayBuffer()
  // An image cannot be a track's audio.
  expect(
    await statusAndCodeOf(await saveTrackRequest({ ...TRACK_DRAFT, audio: `uploads/${(await uploadImage()).id}` })),
  ).toEqual([400, 'bad_input'])
})

const bytesOf = (head: string) => Uint8Array.from([...head].map((character) => character.charCodeAt(0)))
test.each<[string, Uint8Array, number]>([
  ['audio/wav', bytesOf('RIFF\x00\x10\x00\x00WAVEfmt '), 201],
  ['audio/ogg', bytesOf('OggS\x00\x02\x00\x00\x00\x00\x00\x00'), 201],
  ['audio/flac', bytesOf('fLaC\x00\x00\x00\x22\x00\x00\x00\x00'), 201],
  ['audio/x-m4a', bytesOf('\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00'), 201],
  ['audio/webm', bytesOf('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81'), 201],
  ['audio/mpeg', bytesOf('ID3\x04\x00\x00\x00\x00\x00\x00\x00\x00'), 201],
  ['audio/wav', buildMp3(500), 400],
  ['audio/mpeg', bytesOf('<!doctype html><script>'), 400],
  ['audio/mp4', bytesOf('\x00\x00\x00\x20ftypavif\x00\x00\x00\x00'), 400],
  ['audio/mpeg', bytesOf('\xff\xfb'), 400],
  ['video/mp4', bytesOf('\x00\x00\x00\x20ftypisom\x00\x00\x00\x00'), 400],
])('answers audio of type %s and bytes %j with %i', async (type, bytes, status) => {
  expect((await post(uploadsApi.audio.path, bytes, type)).status).toBe(status)
})

test.each<[string, Uint8Array, string]>([
  ['audio/wav', buildMp3(500), 'This file was sent as audio/wav, but it begins like an MP3. Please correct its name.'],
  ['audio/mpeg', bytesOf('%PDF-1.7\n%\xe2\xe3\xcf'), 'a PDF'],
  ['audio/mpeg', bytesOf('PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00'), 'a ZIP archive'],
  ['audio/mp4', bytesOf('\x00\x00\x00\x20ftypqt  \x00\x00\x00\x00'), 'a video or picture'],
  ['audio/mpeg', bytesOf('FORM\x00\x00\x00\x00AIFF'), 'an AIFF'],
])('explains why audio sent as %s is rejected (%#)', async (type, bytes, reason) => {
  const [status, , message] = await errorOf(await post(uploadsApi.audio.path, bytes, type))
  const fullMessage = `This file is not a recording: it begins like ${reason}. Please choose MP3, M4A, Ogg, WebM, WAV or FLAC.`
  expect([status, message]).toEqual([400, reason.endsWith('.') ? reason : fullMessage])
})

test('cleans up aborted uploads', async () => {
  const before = await storedFileCount()
  async function* abortedBody() {
    for (let chunk = 1; chunk < 200; chunk++) yield buildMp3(64 * 1024)
    throw new Error('The sender is gone.')
  }
  const owner = await env.DB.prepare('SELECT max(id) AS id FROM users').first<{ id: number }>()
  const sender = { ...stores, ownerId: owner?.id ?? 1, at: NOON, declaredType: 'audio/mpeg' }
  await expect(receiveAudio({ ...sender, bytes: abortedBody() })).rejects.toThrow('The sender is gone.')
  expect(await storedFileCount()).toBe(before)
  const incompleteCount = async () =>
    (await env.DB.prepare('SELECT id FROM uploads WHERE stored_at IS NULL').all()).results.length
  expect(await incompleteCount()).toBeGreaterThan(0)
  // An upload whose worker crashed: only the cleanup aborts it.
  const abandoned = await env.FILES.createMultipartUpload('uploads/up_dead')
  const part = await abandoned.uploadPart(1, new Uint8Array(100))
  await env.DB.prepare(
    "INSERT INTO uploads (id, kind, owner_id, created_at, multipart_id) VALUES ('up_dead', 'audio', ?1, ?2, ?3)",
  )
    .bind(sender.ownerId, NOON, abandoned.uploadId)
    .run()
  await deleteUnreferencedUploads(stores, NOON + limits.uploadTtlHours * HOUR_MS)
  await expect(abandoned.complete([part])).rejects.toThrow()
  expect(await incompleteCount()).toBe(0)
})

test('deletes unreferenced uploads after two days', async () => {
  const [used, cover, unused] = [await uploadImage(), await uploadImage(), await uploadImage()]
  for (const { id } of [used, cover, unused])
    await post(uploadsApi.variant.path.replace(':id', id).replace(':width', '320'), buildPng(320, 160), 'image/png')
  const saved = await send('POST', '/api/admin/products', productWith(used.url), { at: NOON, headers: { cookie } })
  expect(saved.status).toBe(201)
  const release = { ...RELEASE_DRAFT, title: 'Its own cover', coverUrl: cover.url }
  expect((await send('POST', '/api/admin/releases', release, { at: NOON, headers: { cookie } })).status).toBe(201)
  const fileCount = async (id: string) => (await env.FILES.list({ prefix: `uploads/${id}` })).objects.length
  const runCleanup = (at: Millis) => deleteUnreferencedUploads(stores, at)
  await runCleanup(NOON + 2 * DAY_MS - 1)
  expect(await fileCount(unused.id)).toBe(2)
  while ((await runCleanup(NOON + 2 * DAY_MS)).more);
  expect(await Promise.all([used, cover, unused].map(({ id }) => fileCount(id)))).toEqual([2, 2, 0])
  expect((await send('GET', unused.url)).status).toBe(404)
})

test('limits uploads per day', async () => {
  const uploader = await cookieHeaderFor('administrator')
  const owner = await env.DB.prepare('SELECT max(id) AS id FROM users').first<{ id: number }>()
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limits.uploadsPerDay})
     INSERT INTO uploads (id, kind, owner_id, created_at) SELECT 'filled-' || i, 'picture', ?1, ?2 FROM n`,
  )
    .bind(owner?.id ?? 0, NOON)
    .run()
  expect((await errorOf(await post(IMAGE_UPLOADS, buildPng(8, 8), 'image/png', { cookie: uploader })))[1]).toBe(
    'rate_limited',
  )
  expect(
    (await post(IMAGE_UPLOADS, buildPng(8, 8), 'image/png', { cookie: uploader, at: NOON + DAY_MS - 1 })).status,
  ).toBe(429)
})

test('rejects 500 MB by Content-Length or at the limit', async () => {
  const MB = 1024 * 1024
  const supporter = await cookieHeaderFor('supporter')
  const [imageTooLarge, audioTooLarge] = [5, 50].map((size) => `That file is too large. The limit is ${size} MB.`) as [
    string,
    string,
  ]
  const endpoints: [path: string, type: string, cookie: string, maxBytes: number, message: string][] = [
    [IMAGE_UPLOADS, 'image/png', cookie, 5 * MB, imageTooLarge],
    [uploadsApi.audio.path, 'audio/mpeg', cookie, 50 * MB, audioTooLarge],
    [communityApi.image.path, 'image/png', supporter, 5 * MB, imageTooLarge],
    [
      communityApi.createPost.path,
      'application/json',
      supporter,
      limits.maxJsonBodyBytes,
      'That is too large to send.',
    ],
  ]
  const before = await storedFileCount()
  for (const [path, type, cookie, maxBytes, message] of endpoints) {
    const tooLarge = [413, 'too_large', message]
    const declared = chunkedBody(500 * MB)
    const earlyResponse = await post(path, declared.body, type, { cookie, 'content-length': String(500 * MB) })
    expect([path, await errorOf(earlyResponse), declared.produced.bytes < 200_000]).toEqual([path, tooLarge, true])
    const undeclared = chunkedBody(500 * MB)
    const lateResponse = await post(path, undeclared.body, type, { cookie })
    expect([path, await errorOf(lateResponse), undeclared.produced.bytes < maxBytes + 2 * MB]).toEqual([
      path,
      tooLarge,
      true,
    ])
  }
  expect(await storedFileCount()).toBe(before)
})

test('leaves no variant when the image is deleted during upload', async () => {
  const { id } = await uploadImage()
  const FILES = withMethods(env.FILES, {
    put: async (...put: Parameters<R2Bucket['put']>) => {
      // Meanwhile an erasure drops the upload, and the cleanup deletes its files.
      await env.DB.prepare('UPDATE uploads SET is_dropped = 1 WHERE id = ?1').bind(id).run()
      await deleteDroppedUploads(stores)
      return env.FILES.put(...put)
    },
  })
  const path = uploadsApi.variant.path.replace(':id', id).replace(':width', '320')
  const raw = new Uint8Array(buildPng(320, 160))
  const response = await send('POST', path, undefined, {
    at: NOON,
    raw,
    headers: { cookie, 'content-type': 'image/png' },
    env: { FILES },
  })
  expect([response.status, (await env.FILES.list({ prefix: `uploads/${id}` })).objects]).toEqual([404, []])
})

test('leaves no audio when the sender is erased during upload', async () => {
  const before = await storedFileCount()
  for (const isCleaned of [true, false]) {
    const { id: ownerId } = await addUser()
    async function* bodyDuringErasure() {
      yield buildMp3(64 * 1024)
      await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: ownerId, byUserRequest: false }, NOON)
      if (isCleaned) await deleteDroppedUploads(stores)
      yield buildMp3(64 * 1024)
    }
    const sender = { ...stores, ownerId, at: NOON, declaredType: 'audio/mpeg', bytes: bodyDuringErasure() }
    await expect(receiveAudio(sender)).rejects.toThrow()
    expect(await storedFileCount()).toBe(before)
  }
})
