import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { communityApi } from '../contract/community'
import { UploadedImage, uploadsApi } from '../contract/uploads'
import { eraseUser } from '../gdpr/erase-user'
import { limits } from '../limits'
import { send } from '../testing/client'
import { chunkedBody, mp3, png } from '../testing/files'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { deleteDroppedUploads } from './cleanup'
import { receiveAudio } from './receive'

let cookie = ''
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})

const PICTURES = uploadsApi.picture.path
const storedFileCount = async () => (await env.FILES.list({ prefix: 'uploads/' })).objects.length
const post = (path: string, raw: BodyInit, type: string, headers: Record<string, string> = {}) =>
  send('POST', path, undefined, { at: NOON, raw, headers: { cookie, 'content-type': type, ...headers } })

test('rejects 500 MB by Content-Length or at the limit', async () => {
  const HALF_A_GIGABYTE = 500 * 1024 * 1024
  const MB = 1024 * 1024
  const supporter = await cookieHeaderFor('supporter')
  const ways: [path: string, type: string, cookie: string, most: number][] = [
    [PICTURES, 'image/png', cookie, 5 * MB],
    [uploadsApi.audio.path, 'audio/mpeg', cookie, 50 * MB],
    [communityApi.picture.path, 'image/png', supporter, 5 * MB],
    [communityApi.createPost.path, 'application/json', supporter, limits.maxJsonBodyBytes],
  ]
  const before = await storedFileCount()
  for (const [path, type, who, most] of ways) {
    const announced = chunkedBody(HALF_A_GIGABYTE)
    const headers = { cookie: who, 'content-length': String(HALF_A_GIGABYTE) }
    const early = await post(path, announced.body, type, headers)
    expect([path, early.status, announced.produced.bytes < 200_000]).toEqual([path, 413, true])
    const silent = chunkedBody(HALF_A_GIGABYTE)
    const late = await post(path, silent.body, type, { cookie: who })
    expect([path, late.status, silent.produced.bytes < most + 2 * MB]).toEqual([path, 413, true])
  }
  expect(await storedFileCount()).toBe(before)
})

test('leaves no variant when the image is dropped meanwhile', async () => {
  const { id } = UploadedImage.parse(await (await post(PICTURES, png(700, 350), 'image/png')).json())
  const FILES = new Proxy(env.FILES, {
    get: (files, name) => {
      if (name !== 'put') return Reflect.get(files, name).bind(files)
      return async (...put: Parameters<R2Bucket['put']>) => {
        // As erasure and cleanup do.
        await env.DB.prepare('UPDATE uploads SET is_dropped = 1 WHERE id = ?1').bind(id).run()
        await deleteDroppedUploads({ db: env.DB, files: env.FILES })
        return files.put(...put)
      }
    },
  })
  const path = uploadsApi.rendition.path.replace(':id', id).replace(':width', '320')
  const raw = new Uint8Array(png(320, 160))
  const answer = await send('POST', path, undefined, {
    at: NOON,
    raw,
    headers: { cookie, 'content-type': 'image/png' },
    env: { FILES },
  })
  expect([answer.status, (await env.FILES.list({ prefix: `uploads/${id}` })).objects]).toEqual([404, []])
})

test('leaves no audio when the sender is erased meanwhile', async () => {
  const before = await storedFileCount()
  for (const isCleaned of [true, false]) {
    const { id: ownerId } = await addUser()
    async function* late() {
      yield mp3(64 * 1024)
      await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: ownerId, byUserRequest: false }, NOON)
      if (isCleaned) await deleteDroppedUploads({ db: env.DB, files: env.FILES })
      yield mp3(64 * 1024)
    }
    const sender = { db: env.DB, files: env.FILES, ownerId, at: NOON, declaredType: 'audio/mpeg', bytes: late() }
    await expect(receiveAudio(sender)).rejects.toThrow()
    expect(await storedFileCount()).toBe(before)
  }
})
