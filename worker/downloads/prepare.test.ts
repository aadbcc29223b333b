import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { VariantFormats } from '../contract/downloads'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { PART_BYTES } from '../lib/multipart-upload'
import { DAILY_JOBS } from '../schedule'
import { getJson, send } from '../testing/client'
import {
  addDigitalProduct,
  addDigitalRelease,
  addMaster,
  buildFlac,
  buildWav,
  prepareAll,
  readZip,
} from '../testing/downloads'
import { buildMp3, buildPng } from '../testing/files'
import { addTrack, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { withMethods } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'

beforeAll(loadFixtures)

type FileRow = { id: string; format: string; state: string; size_bytes: number | null; superseded_at: number | null }
const filesOf = async (good: string) =>
  (
    await env.DB.prepare('SELECT * FROM download_files WHERE good = ?1 ORDER BY created_at, format')
      .bind(good)
      .all<FileRow>()
  ).results
const bytesOf = async (id: string) => new Uint8Array(await (await env.FILES.get(`downloads/${id}`))!.arrayBuffer())
const fileOf = async (good: string, format: string) => {
  const row = (await filesOf(good)).find((file) => file.format === format && file.superseded_at === null)
  return bytesOf(row?.id ?? '')
}
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const endsWith = (bytes: Uint8Array, tail: Uint8Array) => bytes.subarray(-tail.length).toString() === tail.toString()

test('zips a release with tags and cover in each file', async () => {
  const picture = buildPng(8, 8)
  await env.FILES.put('covers/front.png', picture, { httpMetadata: { contentType: 'image/png' } })
  const { slug } = await addDigitalRelease()
  await env.DB.prepare("UPDATE releases SET cover_url = '/media/covers/front.png' WHERE slug = ?").bind(slug).run()
  await prepareAll()
  const [lossless, compressed] = [
    readZip(await fileOf(`release:${slug}`, 'flac')),
    readZip(await fileOf(`release:${slug}`, 'mp3')),
  ]
  expect([...lossless.keys()]).toEqual(['01 Söng 1 Live.flac', '02 Söng 2 Live.flac'])
  expect([...compressed.keys()]).toEqual(['01 Söng 1 Live.mp3', '02 Söng 2 Live.mp3'])

  const [first] = [...lossless.values()]
  const header = text(first!)
  expect(header.startsWith('fLaC')).toBe(true)
  for (const comment of ['TITLE=Söng 1: "Live"', 'ALBUM=Album', 'TRACKNUMBER=1', 'TRACKTOTAL=2', 'DATE=2026'])
    expect(header).toContain(comment)
  expect(Buffer.from(first!).includes(Buffer.from(picture))).toBe(true)
  expect(endsWith(first!, buildFlac(3000).subarray(-3000))).toBe(true)
  // Without padding and the old comment, the blocks are STREAMINFO, comment and picture.
  expect(flacBlockTypes(first!)).toEqual([0, 4, 6])

  const [song] = [...compressed.values()]
  expect(text(song!.subarray(0, 3))).toBe('ID3')
  expect(new TextDecoder('utf-16le').decode(song!.subarray(0, 400)) + text(song!)).toContain('APIC')
  expect(Buffer.from(song!).includes(Buffer.from(picture))).toBe(true)
  expect(endsWith(song!, buildMp3(3000))).toBe(true)
})

function flacBlockTypes(bytes: Uint8Array): number[] {
  const types: number[] = []
  for (let offset = 4; ; ) {
    const [first = 0, ...length] = bytes.subarray(offset, offset + 4)
    types.push(first & 127)
    offset += 4 + length.reduce((sum, byte) => sum * 256 + byte, 0)
    if (first & 128) return types
  }
}

test('replaces the tags of an MP3 that has some', async () => {
  const old = Uint8Array.from([...new TextEncoder().encode('ID3'), 3, 0, 0, 0, 0, 0, 20, ...Array<number>(20).fill(65)])
  await env.FILES.put('audio/tagged.mp3', new Blob([old, new Uint8Array(buildMp3(500))]), {
    httpMetadata: { contentType: 'audio/mpeg' },
  })
  const { id } = await addTrack({ slug: 'tagged', title: 'Tagged', audioKey: 'audio/tagged.mp3' })
  await addDigitalProduct({ trackId: id })
  await prepareAll()
  const file = await fileOf(`track:${id}`, 'mp3')
  expect(text(file)).not.toContain('AAAAAAAAAA')
  expect(endsWith(file, buildMp3(500))).toBe(true)
})

test('leaves a WAV file unchanged', async () => {
  const { id } = await addTrack({ slug: 'waves', audioKey: null })
  await addMaster(id, buildWav(900))
  await addDigitalProduct({ trackId: id })
  await prepareAll()
  expect((await filesOf(`track:${id}`)).map(({ format }) => format)).toEqual(['wav'])
  expect(await fileOf(`track:${id}`, 'wav')).toEqual(buildWav(900))
})

test('offers one lossless format for FLAC and WAV masters', async () => {
  const { slug, trackIds, variantId } = await addDigitalRelease()
  await addMaster(trackIds[1]!, buildWav(700))
  await prepareAll()
  expect([...readZip(await fileOf(`release:${slug}`, 'lossless')).keys()]).toEqual([
    '01 Söng 1 Live.flac',
    '02 Söng 2 Live.wav',
  ])
  const formats = (await getJson<VariantFormats[]>('/api/download-formats')).find(
    (listed) => listed.variantId === variantId,
  )
  expect(formats?.formats.map(({ name }) => name)).toEqual(['FLAC and WAV', 'MP3'])
})

test('offers a format only if every track has it', async () => {
  const { slug, trackIds } = await addDigitalRelease()
  await env.DB.prepare('UPDATE track_masters SET dropped_at = 1 WHERE track_id = ?').bind(trackIds[0]).run()
  await prepareAll()
  expect((await filesOf(`release:${slug}`)).map(({ format }) => format)).toEqual(['mp3'])
})

test('changes nothing while the content is unchanged', async () => {
  const { slug } = await addDigitalRelease()
  await prepareAll()
  const before = await filesOf(`release:${slug}`)
  await prepareAll({ at: NOON + HOUR_MS })
  expect(await filesOf(`release:${slug}`)).toEqual(before)
})

test('replaces a changed file and deletes the old one later', async () => {
  const { slug } = await addDigitalRelease()
  await prepareAll()
  const [old] = (await filesOf(`release:${slug}`)).filter(({ format }) => format === 'mp3')
  await env.DB.prepare("UPDATE releases SET title = 'Another Title' WHERE slug = ?").bind(slug).run()
  await prepareAll({ at: NOON + 1 })
  const rows = (await filesOf(`release:${slug}`)).filter(({ format }) => format === 'mp3')
  expect(rows.map(({ id, superseded_at }) => [id === old?.id, superseded_at === null])).toEqual([
    [true, false],
    [false, true],
  ])
  const job = DAILY_JOBS.find(({ name }) => name.includes('downloads'))
  await job?.step({ db, files: env.FILES } as never, NOON + DAY_MS)
  expect(await env.FILES.head(`downloads/${old?.id}`)).not.toBeNull()
  await job?.step({ db, files: env.FILES } as never, NOON + 3 * DAY_MS)
  expect(await env.FILES.head(`downloads/${old?.id}`)).toBeNull()
})

/** A bucket that records the parts sent and fails at part `failAt`, or after completing an upload. */
function recordingBucket({ failAt = Number.POSITIVE_INFINITY, failAfterCompletion = false } = {}) {
  const sent: number[] = []
  const FILES = withMethods(env.FILES, {
    resumeMultipartUpload: (...args: Parameters<R2Bucket['resumeMultipartUpload']>) => {
      const upload = env.FILES.resumeMultipartUpload(...args)
      return {
        uploadId: upload.uploadId,
        abort: () => upload.abort(),
        complete: async (parts: R2UploadedPart[]) => {
          const object = await upload.complete(parts)
          if (failAfterCompletion) throw new Error('The worker was killed.')
          return object
        },
        uploadPart: async (number: number, bytes: Uint8Array<ArrayBuffer>) => {
          if (number === failAt) throw new Error('The worker was killed.')
          sent.push(number)
          return upload.uploadPart(number, bytes)
        },
      }
    },
  })
  return { FILES, sent }
}

test('continues the upload of a worker that was killed', async () => {
  const { slug } = await addDigitalRelease({ audioBytes: 0.6 * PART_BYTES })
  await env.DB.prepare('UPDATE track_masters SET dropped_at = 1').run()
  const good = `release:${slug}`
  const setRunning = (leasedUntil: number) =>
    env.DB.prepare("UPDATE download_files SET state = 'running', leased_until = ?2 WHERE good = ?1")
      .bind(good, leasedUntil)
      .run()
  await prepareAll({ FILES: recordingBucket({ failAt: 2 }).FILES })
  // A killed worker leaves the file running, with a lease.
  await setRunning(NOON + MINUTE_MS)
  const { FILES, sent } = recordingBucket()
  await prepareAll({ FILES })
  expect((await filesOf(good)).map(({ state }) => state)).toEqual(['running'])
  await prepareAll({ FILES, at: NOON + DAY_MS })
  expect((await filesOf(good)).map(({ state }) => state)).toEqual(['ready'])
  expect(sent).toEqual([2])
  const resumed = await fileOf(good, 'mp3')
  // An upload without an interruption writes the same file.
  await env.DB.prepare('DELETE FROM download_files WHERE good = ?').bind(good).run()
  await prepareAll()
  expect(Buffer.compare(await fileOf(good, 'mp3'), resumed)).toBe(0)
})

test('finishes a file whose worker crashed after the upload', async () => {
  const { id } = await addTrack({ slug: 'finished', audioKey: 'audio/song.mp3' })
  await addDigitalProduct({ trackId: id })
  await prepareAll({ FILES: recordingBucket({ failAfterCompletion: true }).FILES })
  expect((await filesOf(`track:${id}`)).map(({ state }) => state)).toEqual(['waiting'])
  const { FILES, sent } = recordingBucket()
  await prepareAll({ FILES, at: NOON + HOUR_MS })
  expect((await filesOf(`track:${id}`)).map(({ state }) => state)).toEqual(['ready'])
  expect(sent).toEqual([])
})

test('starts again when the multipart upload no longer exists', async () => {
  const { slug } = await addDigitalRelease()
  const good = `release:${slug}`
  await prepareAll()
  const before = await fileOf(good, 'flac')
  const upload = await env.FILES.createMultipartUpload('downloads/other')
  await upload.abort()
  await env.DB.prepare(
    "UPDATE download_files SET state = 'running', size_bytes = NULL, multipart_id = ?2, leased_until = 0 WHERE good = ?1",
  )
    .bind(good, upload.uploadId)
    .run()
  // The upload is gone: one attempt notices, the next starts again.
  await prepareAll()
  await prepareAll()
  expect((await filesOf(good)).map(({ state }) => state)).toEqual(['ready', 'ready'])
  expect(await fileOf(good, 'flac')).toEqual(before)
})

test('plans files after an admin’s change', async () => {
  const { id } = await addTrack({ slug: 'planned', audioKey: 'audio/song.mp3' })
  await addDigitalProduct({ trackId: id })
  const cookie = await cookieHeaderFor('administrator')
  const { version } = (await env.DB.prepare('SELECT version FROM releases WHERE id = ?').bind('1').first<{
    version: number
  }>())!
  const release = await getJson<Record<string, unknown>>('/api/admin/releases/1', { at: NOON, headers: { cookie } })
  const { id: _, ...draft } = release
  const response = await send(
    'PATCH',
    '/api/admin/releases/1',
    { ...draft, version },
    { at: NOON, headers: { cookie } },
  )
  expect(response.status).toBe(204)
  expect(await filesOf(`track:${id}`)).toHaveLength(1)
})

test('changes a variant’s release slug with the release', async () => {
  const { slug, variantId } = await addDigitalRelease()
  await env.DB.prepare("UPDATE releases SET slug = 'moved' WHERE slug = ?").bind(slug).run()
  expect(
    await env.DB.prepare('SELECT release_slug FROM product_variants WHERE id = ?')
      .bind(variantId)
      .first('release_slug'),
  ).toBe('moved')
})
