import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { ModeratedPost, Post } from '../contract/community'
import { IMAGE_WIDTHS } from '../contract/images'
import { UploadedImage } from '../contract/uploads'
import { exportUserData } from '../gdpr/data-export'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, send } from '../testing/client'
import { buildPng } from '../testing/files'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { withMethods } from '../testing/stores'
import { cookieHeaderFor, sessionFor } from '../testing/users'
import { deleteDroppedUploads, deleteUnreferencedUploads } from '../uploads/cleanup'

const POSTS = '/api/community/posts'
const PICTURES = '/api/community/pictures'
const stores = { db, files: env.FILES }
let adminCookie = ''

beforeAll(async () => {
  await seedSite(env.DB)
  adminCookie = await cookieHeaderFor('administrator')
})

async function newSupporter() {
  const user = await addUser()
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, path: string, json?: unknown, at = NOON) => send(method, path, json, { at, headers })
  const file = (path: string, bytes: Uint8Array, type = 'image/png', at = NOON) =>
    send('POST', path, undefined, { at, raw: new Uint8Array(bytes), headers: { ...headers, 'content-type': type } })
  const uploadImage = async () => UploadedImage.parse(await (await file(PICTURES, buildPng(700, 350))).json())
  const createImagePost = async (text: string) => {
    const image = await uploadImage()
    const response = await request('POST', POSTS, { text, picture: { id: image.id, alt: 'A stage in gold light' } })
    return { id: ((await response.json()) as { id: string }).id, image }
  }
  return { user, request, file, uploadImage, createImagePost }
}
const getFeed = async () => (await (await send('GET', POSTS, undefined, { at: NOON })).json()) as Post[]
const countFiles = async (id: string) => (await env.FILES.list({ prefix: `uploads/${id}` })).objects.length
const findUpload = (id: string) => env.DB.prepare('SELECT 1 FROM uploads WHERE id = ?1').bind(id).first()

test('shows a post image with alt text and size', async () => {
  const supporter = await newSupporter()
  const { id, image } = await supporter.createImagePost('Look at this')
  const post = (await getFeed()).find((candidate) => candidate.id === id)
  expect(Post.parse(post)).toEqual(post)
  expect(post?.picture).toEqual({ url: image.url, alt: 'A stage in gold light', width: 700, height: 350 })
  expect(image.url).toMatch(/^\/media\/uploads\/up_[\w-]{20}$/)
  const imageResponse = await send('GET', image.url)
  expect([imageResponse.headers.get('content-type'), imageResponse.headers.get('x-content-type-options')]).toEqual([
    'image/png',
    'nosniff',
  ])
  const response = await send('GET', '/api/admin/community/posts', undefined, {
    at: NOON,
    headers: { cookie: adminCookie },
  })
  const queuedPost = ((await response.json()) as ModeratedPost[]).find((candidate) => candidate.id === id)
  expect(ModeratedPost.parse(queuedPost).picture).toEqual(post?.picture)
  const ownExport = await exportUserData({ db, secret: env.SIGNING_SECRET }, supporter.user.id, NOON)
  expect(ownExport.posts).toMatchObject([{ picture: image.url, picture_alt: 'A stage in gold light' }])
})

test('hides the image of a banned author’s post until unbanned', async () => {
  const supporter = await newSupporter()
  const { image } = await supporter.createImagePost('I will be banned')
  const imageStatus = async (cookie = '') =>
    (await send('GET', image.url, undefined, { at: NOON, headers: { cookie } })).status
  const moderate = (action: string, body?: unknown) =>
    send('POST', `/api/admin/supporters/${supporter.user.id}/${action}`, body, {
      at: NOON,
      headers: { cookie: adminCookie },
    })
  expect((await moderate('ban', { reason: 'Spam' })).status).toBe(204)
  expect([await imageStatus(), await imageStatus(adminCookie)]).toEqual([404, 200])
  expect((await moderate('unban')).status).toBe(204)
  expect(await imageStatus()).toBe(200)
})

test('rejects images over the maximum size', async () => {
  const supporter = await newSupporter()
  const tooLarge = [400, 'bad_input', 'That picture is too large. The limit is 1280 pixels on each side.']
  for (const [width, height] of [
    [1281, 10],
    [10, 1281],
    [6000, 6000],
  ] as const)
    expect(await errorOf(await supporter.file(PICTURES, buildPng(width, height)))).toEqual(tooLarge)
  expect((await supporter.file(PICTURES, buildPng(1280, 1280))).status).toBe(201)
})

test('rejects invalid images without storing them', async () => {
  const supporter = await newSupporter()
  const before = await countFiles('')
  const script = new TextEncoder().encode('<script>alert(1)</script>')
  const polyglot = new Uint8Array([...buildPng(40, 40), ...script])
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const responses = [
    await supporter.file(PICTURES, polyglot),
    await supporter.file(PICTURES, svg),
    await supporter.file(PICTURES, svg, 'image/svg+xml'),
    await supporter.file(PICTURES, buildPng(40, 40), 'image/webp'),
    await supporter.file(PICTURES, buildPng(6001, 10)),
    await supporter.file(PICTURES, buildPng(40, 40).subarray(0, 60)),
    await supporter.file(PICTURES, new Uint8Array()),
  ]
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400])
  expect((await supporter.file(PICTURES, new Uint8Array(5 * 1024 * 1024 + 1))).status).toBe(413)
  expect(await countFiles('')).toBe(before)
})

test('accepts only the author’s own unused recent image', async () => {
  const [supporter, other] = [await newSupporter(), await newSupporter()]
  const ownImage = await supporter.uploadImage()
  const createPost = (author: typeof supporter, text: string, picture: unknown, at = NOON) =>
    author.request('POST', POSTS, { text, picture }, at)
  const imageGone = [400, 'bad_input', 'That picture is gone. Please send it again.']
  const alt = 'A full hall'
  expect(await errorOf(await createPost(other, 'Not mine', { id: ownImage.id, alt }))).toEqual(imageGone)
  expect(await errorOf(await createPost(supporter, 'None', { id: 'up_none', alt }))).toEqual(imageGone)
  for (const picture of [
    { id: ownImage.id },
    { id: ownImage.id, alt: ' ' },
    { id: ownImage.id, alt, url: 'https://x.example' },
    ownImage.url,
  ])
    expect((await createPost(supporter, 'Wordless', picture)).status).toBe(400)
  // In its last hour before the cleanup, an upload can no longer be used.
  const late = NOON + (limits.uploadTtlHours - 1) * HOUR_MS
  expect((await createPost(supporter, 'Late', { id: ownImage.id, alt }, late)).status).toBe(400)
  const statuses = await Promise.all(
    [1, 2, 3, 4].map(async (n) => (await createPost(supporter, `At once ${n}`, { id: ownImage.id, alt })).status),
  )
  expect(statuses.sort()).toEqual([201, 400, 400, 400])
  // Rejected posts are not published without their image.
  expect((await getFeed()).filter(({ text }) => text.startsWith('At once'))).toHaveLength(1)
  // The daily cleanup does not delete an image in use.
  await deleteUnreferencedUploads(stores, NOON + 9 * DAY_MS)
  expect(await findUpload(ownImage.id)).not.toBeNull()
})

test('deletes the image of a removed or hidden post', async () => {
  const supporter = await newSupporter()
  const [removed, hidden, visible] = [
    await supporter.createImagePost('One'),
    await supporter.createImagePost('Two'),
    await supporter.createImagePost('Three'),
  ]
  expect(await countFiles(removed.image.id)).toBe(1)
  expect((await supporter.request('DELETE', `${POSTS}/${removed.id}`)).status).toBe(204)
  const asAdmin = { at: NOON, headers: { cookie: adminCookie } }
  await send('POST', `/api/admin/community/posts/${hidden.id}/hide`, { reason: 'Not ours to show' }, asAdmin)
  for (const { image } of [removed, hidden]) {
    await expect.poll(() => countFiles(image.id)).toBe(0)
    expect((await send('GET', image.url)).status).toBe(404)
    expect(await findUpload(image.id)).toBeNull()
  }
  expect([await countFiles(visible.image.id), (await send('GET', visible.image.url)).status]).toEqual([1, 200])
})

test('deletes all images of an erased author', async () => {
  const supporter = await newSupporter()
  const [{ image }, draft] = [await supporter.createImagePost('My face'), await supporter.uploadImage()]
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: supporter.user.id, byUserRequest: false }, NOON)
  await deleteDroppedUploads(stores)
  expect([await countFiles(image.id), await countFiles(draft.id), await findUpload(image.id)]).toEqual([0, 0, null])
  expect(
    await env.DB.prepare("SELECT 1 FROM posts WHERE picture_alt <> '' AND author_id = ?1")
      .bind(supporter.user.id)
      .first(),
  ).toBeNull()
})

test('rejects variants of post images', async () => {
  const supporter = await newSupporter()
  const { id, image } = await supporter.createImagePost('Harmless')
  const cookie = await cookieHeaderFor('administrator')
  for (const path of [`${PICTURES}/${id}/320`, `${PICTURES}/${image.id}/320`])
    expect((await supporter.file(path, buildPng(320, 160))).status).toBe(400)
  // The admin's variant route rejects supporters' images.
  const adminRequest = {
    at: NOON,
    raw: new Uint8Array(buildPng(320, 160)),
    headers: { cookie, 'content-type': 'image/png' },
  }
  expect((await send('POST', `/api/admin/uploads/pictures/${image.id}/320`, undefined, adminRequest)).status).toBe(404)
  // Every width serves the original file.
  const bytes = async (suffix: string) =>
    new Uint8Array(await (await send('GET', `${image.url}${suffix}`)).arrayBuffer())
  for (const width of IMAGE_WIDTHS) expect(await bytes(`@${width}`)).toEqual(await bytes(''))
})

test('limits post images per day', async () => {
  const supporter = await newSupporter()
  await supporter.uploadImage()
  const rows = Array.from({ length: limits.postImagesPerDay - 1 }, (_, n) =>
    env.DB.prepare("INSERT INTO uploads (id, kind, owner_id, created_at) VALUES (?1, 'picture', ?2, ?3)").bind(
      `day-${n}`,
      supporter.user.id,
      NOON,
    ),
  )
  await env.DB.batch(rows)
  expect((await errorOf(await supporter.file(PICTURES, buildPng(8, 8))))[1]).toBe('rate_limited')
  expect((await supporter.file(PICTURES, buildPng(8, 8), 'image/png', NOON + DAY_MS)).status).toBe(201)
})

test('leaves no file when the supporter is erased during upload', async () => {
  for (const runsCleanup of [true, false]) {
    const supporter = await newSupporter()
    const keys: string[] = []
    const FILES = withMethods(env.FILES, {
      put: async (...put: Parameters<R2Bucket['put']>) => {
        keys.push(put[0])
        await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: supporter.user.id, byUserRequest: false }, NOON)
        if (runsCleanup) await deleteDroppedUploads(stores)
        return env.FILES.put(...put)
      },
    })
    const { headers } = await sessionFor(supporter.user, NOON)
    const response = await send('POST', PICTURES, undefined, {
      at: NOON,
      raw: new Uint8Array(buildPng(320, 160)),
      headers: { ...headers, 'content-type': 'image/png' },
      env: { FILES },
    })
    const [key = ''] = keys
    expect([response.status, await env.FILES.head(key)]).toEqual([404, null])
    await deleteDroppedUploads(stores)
    expect(await findUpload(key.replace('uploads/', ''))).toBeNull()
  }
})
