import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import {
  MASTER_PART_BYTES,
  type Master,
  type MasterFile,
  MasterState,
  type MasterUpload,
  mastersApi,
} from '../contract/masters'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { DAILY_JOBS } from '../schedule'
import { errorOf, fillPath, send } from '../testing/client'
import { buildMp3, buildPng } from '../testing/files'
import { addTrack, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

/** A FLAC of two parts: the second has a thousand bytes. */
const SIZE_BYTES = MASTER_PART_BYTES + 1000
const bytes = new Uint8Array(SIZE_BYTES).map((_, index) => index % 251)
bytes.set(new TextEncoder().encode('fLaC'))
const digest = async (file: ArrayBuffer) => new Uint8Array(await crypto.subtle.digest('SHA-256', file)).toString()
const partOf = (number: number) => bytes.subarray((number - 1) * MASTER_PART_BYTES, number * MASTER_PART_BYTES)

const FILE: MasterFile = {
  fileName: 'Café “final”.flac',
  sizeBytes: SIZE_BYTES,
  contentType: 'audio/flac',
  fingerprint: 'a'.repeat(64),
}
const request = (method: string, path: string, params: Record<string, string>, body?: unknown, at = NOON) =>
  send(method, fillPath(path, params), body, { at, headers: { cookie } })
const begin = async (trackId: number, file: Partial<MasterFile> = {}, at = NOON) =>
  (await request('POST', mastersApi.start.path, { id: String(trackId) }, { ...FILE, ...file }, at)).json<MasterUpload>()
const sendPart = (id: string, part: number | string, raw: BodyInit, at: Millis = NOON) =>
  send('POST', fillPath(mastersApi.part.path, { id, part: String(part) }), undefined, {
    at,
    raw,
    headers: { cookie, 'content-type': 'application/octet-stream' },
  })
const complete = (id: string) => request('POST', mastersApi.complete.path, { id })
const stateOf = async (trackId: number) =>
  MasterState.parse(await (await request('GET', mastersApi.state.path, { id: String(trackId) })).json())
const uploadMaster = async (trackId: number, file: Partial<MasterFile> = {}) => {
  const { id } = await begin(trackId, file)
  for (const part of [1, 2]) expect((await sendPart(id, part, partOf(part))).status).toBe(204)
  expect((await complete(id)).status).toBe(200)
  return id
}
const download = (trackId: number, headers: Record<string, string> = { cookie }) =>
  send('GET', fillPath(mastersApi.download.path, { id: String(trackId) }), undefined, { at: NOON, headers })
const storedKeys = async () => (await env.FILES.list({ prefix: 'masters/' })).objects.map(({ key }) => key)
const cleanUp = async (at: Millis) => {
  const job = DAILY_JOBS.find(({ name }) => name.includes('masters'))
  await job?.step({ db, files: env.FILES } as never, at)
}
const countRows = (id: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM track_masters WHERE id = ?').bind(id).first<number>('n')

test('stores a master that only the team can download', async () => {
  const { id: trackId } = await addTrack({ slug: 'mastered' })
  const id = await uploadMaster(trackId)
  expect(await stateOf(trackId)).toEqual({
    master: {
      fileName: FILE.fileName,
      contentType: 'audio/flac',
      sizeBytes: SIZE_BYTES,
      storedAt: new Date(NOON).toISOString(),
    },
    upload: null,
  })
  const file = await download(trackId)
  expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
    'audio/flac',
    'attachment; filename="mastered.flac"',
  ])
  expect(await digest(await file.arrayBuffer())).toBe(await digest(bytes.buffer))
  for (const role of ['visitor', 'supporter'] as const)
    expect((await download(trackId, { cookie: await cookieHeaderFor(role) })).status).toBe(
      role === 'visitor' ? 401 : 403,
    )
  for (const path of [`/media/masters/${id}`, `/masters/${id}`, `/api/tracks/${trackId}/audio`])
    expect((await send('GET', path, undefined, { at: NOON })).status).toBe(404)
})

test('audits a download that leaves out the first byte', async () => {
  const { id: trackId } = await addTrack()
  await uploadMaster(trackId)
  const part = await download(trackId, { cookie, range: 'bytes=1-' })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, SIZE_BYTES - 1])
  const auditCount = await env.DB.prepare(
    "SELECT count(*) FROM audit_log WHERE action = 'master.downloaded' AND subject = ?",
  )
    .bind(`track:${trackId}`)
    .first('count(*)')
  expect(auditCount).toBe(1)
})

test('an upload ends either completed or canceled', async () => {
  const { id: trackId } = await addTrack()
  for (let round = 0; round < 5; round++) {
    const { id } = await begin(trackId, { fingerprint: String(round).repeat(64) })
    for (const part of [1, 2]) await sendPart(id, part, partOf(part))
    const [completed, canceled] = await Promise.all([complete(id), request('DELETE', mastersApi.cancel.path, { id })])
    expect([200, 204]).toContain(completed.ok ? completed.status : canceled.status)
    expect(completed.ok && canceled.ok).toBe(false)
    expect((await storedKeys()).includes(`masters/${id}`)).toBe(completed.ok)
    expect((await stateOf(trackId)).upload).toBeNull()
  }
})

test('continues an interrupted upload with the missing parts', async () => {
  const { id: trackId } = await addTrack()
  const { id, receivedParts } = await begin(trackId)
  expect(receivedParts).toEqual([])
  expect((await sendPart(id, 2, partOf(2))).status).toBe(204)
  // The connection ends in the middle of the first part.
  const cut = new ReadableStream({
    start(stream) {
      stream.enqueue(partOf(1).slice(0, 100_000))
      stream.error(new Error('cut'))
    },
  })
  await sendPart(id, 1, cut).then(
    ({ ok }) => expect(ok).toBe(false),
    () => undefined,
  )
  expect(await errorOf(await complete(id))).toEqual([
    409,
    'conflict',
    '1 of 2 parts are missing. Choose the same file again to send them.',
  ])
  expect((await stateOf(trackId)).upload).toEqual({
    id,
    fileName: FILE.fileName,
    sizeBytes: SIZE_BYTES,
    receivedBytes: 1000,
  })
  expect(await begin(trackId, {}, NOON + HOUR_MS)).toEqual({ id, receivedParts: [2] })
  // Another file of the track is another upload.
  expect((await begin(trackId, { fingerprint: 'b'.repeat(64) })).id).not.toBe(id)
  expect((await sendPart(id, 1, partOf(1))).status).toBe(204)
  expect((await complete(id)).status).toBe(200)
  expect(await digest(await (await download(trackId)).arrayBuffer())).toBe(await digest(bytes.buffer))
})

const textFile = new TextEncoder().encode('These are the notes of the session.')
test.each([
  ['0', partOf(1), 'This file has 2 parts, numbered from 1.'],
  ['3', partOf(1), 'This file has 2 parts, numbered from 1.'],
  ['1', partOf(2), 'This file is not FLAC or WAV: its file type is unknown. Please choose the FLAC or WAV file.'],
  ['2', partOf(2).slice(1), 'Part 2 of this file has 1000 bytes, and 999 arrived.'],
  ['2', partOf(1), 'Part 2 of this file has 1000 bytes, and more arrived.'],
  [
    '1',
    buildMp3(MASTER_PART_BYTES),
    'This file is not FLAC or WAV: it begins like an MP3. Please choose the FLAC or WAV file.',
  ],
  ['1', buildPng(9, 9), 'This file is not FLAC or WAV: it begins like a picture. Please choose the FLAC or WAV file.'],
  ['1', textFile, 'This file is not FLAC or WAV: it begins like a text file. Please choose the FLAC or WAV file.'],
  ['1', new Uint8Array(), 'This file is not FLAC or WAV: it is empty. Please choose the FLAC or WAV file.'],
] as const)('rejects a wrong part %s (%#)', async (part, body, message) => {
  const { id } = await begin((await addTrack()).id)
  expect(await errorOf(await sendPart(id, part, body))).toEqual([400, 'bad_input', message])
})

test('a WAV declared as FLAC is rejected', async () => {
  const wav = new Uint8Array(44)
  wav.set(new TextEncoder().encode('RIFF____WAVE'))
  const { id: trackId } = await addTrack()
  const { id } = await begin(trackId, { sizeBytes: 44 })
  expect((await sendPart(id, 1, wav)).status).toBe(400)
  const asWav = await begin(trackId, { sizeBytes: 44, contentType: 'audio/wav', fingerprint: 'c'.repeat(64) })
  expect((await sendPart(asWav.id, 1, wav)).status).toBe(204)
  expect((await complete(asWav.id)).status).toBe(200)
})

test('completing twice changes nothing', async () => {
  const { id: trackId } = await addTrack()
  const { id } = await begin(trackId)
  for (const part of [1, 2]) await sendPart(id, part, partOf(part))
  const responses = await Promise.all([complete(id), complete(id)])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  const [first, second] = await Promise.all(responses.map((response) => response.json<Master>()))
  expect([first, await (await complete(id)).json()]).toEqual([second, second])
  expect((await errorOf(await sendPart(id, 1, partOf(1))))[1]).toBe('not_found')
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?')
    .bind(`track:${trackId}`)
    .all()
  expect(results).toEqual([{ action: 'master.begun' }, { action: 'master.stored' }])
})

test('a new master replaces the old one and its file', async () => {
  const { id: trackId } = await addTrack()
  const previous = await uploadMaster(trackId)
  const current = await uploadMaster(trackId, { fileName: 'louder.flac', fingerprint: 'd'.repeat(64) })
  expect((await stateOf(trackId)).master?.fileName).toBe('louder.flac')
  await cleanUp(NOON + DAY_MS)
  expect([await countRows(previous), await countRows(current)]).toEqual([0, 1])
  const keys = await storedKeys()
  expect([keys.includes(`masters/${previous}`), keys.includes(`masters/${current}`)]).toEqual([false, true])
})

test('cancels an upload and removes a master', async () => {
  const { id: trackId } = await addTrack()
  const { id } = await begin(trackId)
  await sendPart(id, 2, partOf(2))
  expect((await request('DELETE', mastersApi.cancel.path, { id })).status).toBe(204)
  expect((await errorOf(await sendPart(id, 1, partOf(1))))[1]).toBe('not_found')
  expect((await stateOf(trackId)).upload).toBeNull()
  const stored = await uploadMaster(trackId)
  expect((await request('DELETE', mastersApi.remove.path, { id: String(trackId) })).status).toBe(204)
  expect([(await stateOf(trackId)).master, (await storedKeys()).includes(`masters/${stored}`)]).toEqual([null, false])
  expect((await download(trackId)).status).toBe(404)
})

test('cleans up abandoned uploads after three days without a part', async () => {
  const { id: trackId } = await addTrack()
  const { id } = await begin(trackId)
  const lastPartAt = NOON + HOUR_MS
  await sendPart(id, 1, partOf(1), lastPartAt)
  const multipartId = await env.DB.prepare('SELECT multipart_id AS id FROM track_masters WHERE id = ?')
    .bind(id)
    .first<string>('id')
  const ttlMs = limits.masterUploadTtlHours * HOUR_MS
  await cleanUp(lastPartAt + ttlMs - 1)
  expect(await countRows(id)).toBe(1)
  await cleanUp(lastPartAt + ttlMs)
  expect(await countRows(id)).toBe(0)
  await expect(
    env.FILES.resumeMultipartUpload(`masters/${id}`, multipartId ?? '').uploadPart(2, partOf(2)),
  ).rejects.toThrow()
  // The same file starts a new upload.
  expect((await begin(trackId)).receivedParts).toEqual([])
})

test('accepts a master of 2 GiB, in 128 parts', async () => {
  const { id } = await begin((await addTrack()).id, { sizeBytes: 2 ** 31 })
  expect((await sendPart(id, 128, partOf(1))).status).toBe(204)
  expect((await errorOf(await sendPart(id, 129, partOf(1))))[2]).toBe('This file has 128 parts, numbered from 1.')
  expect((await errorOf(await complete(id)))[2]).toContain('127 of 128 parts are missing.')
})

test('rejects masters above 2 GiB or the daily limit', async () => {
  const { id: trackId } = await addTrack()
  const tooLarge = await request(
    'POST',
    mastersApi.start.path,
    { id: String(trackId) },
    { ...FILE, sizeBytes: 2 ** 31 + 1 },
  )
  expect(await errorOf(tooLarge)).toEqual([
    400,
    'bad_input',
    'A master can be up to 2 GB. Please choose a smaller file.',
  ])
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limits.uploadsPerDay})
     INSERT INTO uploads (id, kind, owner_id, created_at)
     SELECT 'full-' || i, 'audio', (SELECT max(owner_id) FROM track_masters), ?1 FROM n`,
  )
    .bind(NOON)
    .run()
  expect((await errorOf(await request('POST', mastersApi.start.path, { id: String(trackId) }, FILE)))[1]).toBe(
    'rate_limited',
  )
})
