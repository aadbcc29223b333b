import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf } from '../testing/client'
import {
  auditEntries,
  downloadExport,
  exportMessage,
  getExport,
  processExport,
  requestExport,
  setUpExports,
} from '../testing/exports'
import { db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cleanUpExports } from './exports'

let id = ''
beforeAll(async () => {
  await setUpExports()
  id = (await requestExport('points')).id
  await processExport(exportMessage(id))
})
const NOT_FOUND = [404, 'not_found', 'There is no such file, or it has expired.']

test('serves ranges and conditional requests', async () => {
  const download = new Uint8Array(await (await downloadExport(id)).arrayBuffer())
  const rangeRequest = async (range: string) => {
    const response = await downloadExport(id, { range })
    return [response.status, response.headers.get('content-range'), (await response.arrayBuffer()).byteLength]
  }
  expect(await rangeRequest('bytes=0-9')).toEqual([206, `bytes 0-9/${download.length}`, 10])
  expect((await rangeRequest('bytes=-3')).slice(0, 2)).toEqual([
    206,
    `bytes ${download.length - 3}-${download.length - 1}/${download.length}`,
  ])
  expect((await rangeRequest('bytes=9-2')).slice(0, 2)).toEqual([416, `bytes */${download.length}`])
  const etag = (await downloadExport(id)).headers.get('etag')!
  expect((await downloadExport(id, { 'if-none-match': etag })).status).toBe(304)
})

test.each(['..', '%2e%2e%2fballots', 'export_%00', 'a'.repeat(2048)])('answers 404 for export id %j', async (id) => {
  expect((await downloadExport(id)).status).toBe(404)
})

test('honors If-Range', async () => {
  const etag = (await downloadExport(id)).headers.get('etag')!
  const request = async (ifRange: string) =>
    (await downloadExport(id, { range: 'bytes=0-9', 'if-range': ifRange })).status
  expect([await request(etag), await request('"another"')]).toEqual([206, 200])
})

test('answers HEAD without an audit entry', async () => {
  const before = await auditEntries('export.downloaded')
  const response = await downloadExport(id, { range: 'bytes=0-9' }, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    String((await getExport(id)).sizeBytes),
    '',
  ])
  expect(await auditEntries('export.downloaded')).toEqual(before)
})

/** A bucket whose file is deleted or replaced between HEAD and GET. */
const duringDownload = (get: () => unknown) =>
  new Proxy(env.FILES, {
    get(target, name) {
      if (name === 'get') return async () => get()
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

test('never sends an empty file on concurrent deletion', async () => {
  const before = await auditEntries('export.downloaded')
  const head = await env.FILES.head(`exports/${id}.csv`)
  for (const found of [null, head]) {
    const response = await downloadExport(id, {}, { env: { FILES: duringDownload(() => found) } })
    expect((await errorOf(response)).slice(0, 2)).toEqual([503, 'unavailable'])
  }
  expect(await auditEntries('export.downloaded')).toEqual(before)
})

test('answers 404 for a file missing in R2', async () => {
  const missing = (await requestExport('points')).id
  await processExport(exportMessage(missing))
  await env.FILES.delete(`exports/${missing}.csv`)
  expect(await errorOf(await downloadExport(missing))).toEqual(NOT_FOUND)
})

test('expires files and deletes them from R2', async () => {
  await env.DB.prepare('UPDATE exports SET expires_at = ?2 WHERE id = ?1')
    .bind(id, NOON + HOUR_MS)
    .run()
  expect((await downloadExport(id, {}, { at: NOON + HOUR_MS - 1 })).status).toBe(200)
  expect(await errorOf(await downloadExport(id, {}, { at: NOON + HOUR_MS }))).toEqual(NOT_FOUND)
  expect((await getExport(id, NOON + HOUR_MS)).state).toBe('expired')
  await cleanUpExports({ db, files: env.FILES }, NOON + HOUR_MS - 1)
  expect(await env.FILES.head(`exports/${id}.csv`)).not.toBeNull()
  await cleanUpExports({ db, files: env.FILES }, NOON + HOUR_MS)
  expect(await env.FILES.head(`exports/${id}.csv`)).toBeNull()
})

test('keeps files for three days', async () => {
  const cached = (await requestExport('points')).id
  await processExport(exportMessage(cached))
  expect(Date.parse((await getExport(cached)).expiresAt!) - NOON).toBe(limits.exportTtlHours * HOUR_MS)
})
