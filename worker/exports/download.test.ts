import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR } from '../lib/clock'
import { limits } from '../limits'
import { refusal } from '../testing/client'
import { audited, fileOf, message, openExportDesk, state, wanted, work } from '../testing/export-desk'
import { NOON } from '../testing/furnish'
import { sweepExports } from './exports'

let id = ''
beforeAll(async () => {
  await openExportDesk()
  id = (await wanted('points')).id
  await work(message(id))
})
const GONE = [404, 'not_found', 'There is no such file, or it has expired.']

test('parts of a file are served, bad ranges refused, and a held version is not sent again', async () => {
  const whole = new Uint8Array(await (await fileOf(id)).arrayBuffer())
  const asked = async (range: string) => {
    const answer = await fileOf(id, { range })
    return [answer.status, answer.headers.get('content-range'), (await answer.arrayBuffer()).byteLength]
  }
  expect(await asked('bytes=0-9')).toEqual([206, `bytes 0-9/${whole.length}`, 10])
  expect((await asked('bytes=-3')).slice(0, 2)).toEqual([
    206,
    `bytes ${whole.length - 3}-${whole.length - 1}/${whole.length}`,
  ])
  expect((await asked('bytes=9-2')).slice(0, 2)).toEqual([416, `bytes */${whole.length}`])
  const etag = (await fileOf(id)).headers.get('etag')!
  expect((await fileOf(id, { 'if-none-match': etag })).status).toBe(304)
})

test.each(['..', '%2e%2e%2fballots', 'export_%00', 'a'.repeat(2048)])('%j is no export', async (id) => {
  expect((await fileOf(id)).status).toBe(404)
})

test('a part is sent only to who holds the rest of this very file, else the whole', async () => {
  const etag = (await fileOf(id)).headers.get('etag')!
  const asked = async (ifRange: string) => (await fileOf(id, { range: 'bytes=0-9', 'if-range': ifRange })).status
  expect([await asked(etag), await asked('"another"')]).toEqual([206, 200])
})

test('who only asks about a file is told its size, gets nothing and is not written down', async () => {
  const before = await audited('export.downloaded')
  const answer = await fileOf(id, { range: 'bytes=0-9' }, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
    200,
    String((await state(id)).sizeBytes),
    '',
  ])
  expect(await audited('export.downloaded')).toEqual(before)
})

/** A bucket that loses or changes a file between being asked about it and being asked for it. */
const meanwhile = (get: () => unknown) =>
  new Proxy(env.FILES, {
    get(target, name) {
      if (name === 'get') return async () => get()
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

test('a file that goes or changes while it is asked for is never an empty answer, and no download', async () => {
  const before = await audited('export.downloaded')
  const head = await env.FILES.head(`exports/${id}.csv`)
  for (const found of [null, head]) {
    const answer = await fileOf(id, {}, { env: { FILES: meanwhile(() => found) } })
    expect((await refusal(answer)).slice(0, 2)).toEqual([503, 'unavailable'])
  }
  expect(await audited('export.downloaded')).toEqual(before)
})

test('a file that R2 has lost is no empty file', async () => {
  const lost = (await wanted('points')).id
  await work(message(lost))
  await env.FILES.delete(`exports/${lost}.csv`)
  expect(await refusal(await fileOf(lost))).toEqual(GONE)
})

test('a file is gone when its time is over, for who asks at once and from R2 with the day', async () => {
  // An hour of life is left to the file, so that the administrator's day is not over before it.
  await env.DB.prepare('UPDATE exports SET expires_at = ?2 WHERE id = ?1')
    .bind(id, NOON + HOUR)
    .run()
  expect((await fileOf(id, {}, { at: NOON + HOUR - 1 })).status).toBe(200)
  expect(await refusal(await fileOf(id, {}, { at: NOON + HOUR }))).toEqual(GONE)
  expect((await state(id, NOON + HOUR)).state).toBe('expired')
  await sweepExports({ db: env.DB, files: env.FILES }, NOON + HOUR - 1)
  expect(await env.FILES.head(`exports/${id}.csv`)).not.toBeNull()
  await sweepExports({ db: env.DB, files: env.FILES }, NOON + HOUR)
  expect(await env.FILES.head(`exports/${id}.csv`)).toBeNull()
})

test('a file is kept for three days', async () => {
  const kept = (await wanted('points')).id
  await work(message(kept))
  expect(Date.parse((await state(kept)).expiresAt!) - NOON).toBe(limits.exportHours * HOUR)
})
