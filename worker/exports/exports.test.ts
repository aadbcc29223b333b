import { createMessageBatch, env } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { PART_BYTES } from '../lib/multipart-upload'
import { limits } from '../limits'
import { orderLines, orders } from '../orders/orders.table'
import { ledger } from '../points/points.table'
import { products, productVariants } from '../products/products.table'
import { consumeBatch } from '../queues'
import { errorOf, statusAndCodeOf } from '../testing/client'
import {
  auditEntries,
  downloadExport,
  exportMessage,
  getExport,
  lastAuditDetail,
  processExport,
  requestExport,
  setUpExports,
} from '../testing/exports'
import { addUser, db } from '../testing/fixtures'
import { addOrder } from '../testing/payments'
import { NOON } from '../testing/seed'
import { spyOnD1, withMethods } from '../testing/stores'
import { cleanUpExports, listOverdueExports } from './exports'
import { EXPORT_SOURCES } from './sources'

let readyId = ''
beforeAll(async () => {
  await setUpExports()
  readyId = (await requestExport('points')).id
  await processExport(exportMessage(readyId))
})
const NOT_FOUND = [404, 'not_found', 'There is no such file, or it has expired.']
const storedKeys = async () => (await env.FILES.list({ prefix: 'exports/export_' })).objects.map(({ key }) => key)

test('requests, writes, lists and downloads an export', async () => {
  await addUser({ username: 'Zoë "=1"', email: 'zoe@fan.example' })
  const { id, state: initialState } = await requestExport('supporters')
  expect([initialState, await errorOf(await downloadExport(id))]).toEqual(['waiting', NOT_FOUND])
  expect((await processExport(exportMessage(id))).explicitAcks).toEqual(['m0'])
  const readyExport = await getExport(id)
  const response = await downloadExport(id)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(readyExport).toMatchObject({ state: 'ready', sizeBytes: bytes.length, expiresAt: '2026-07-04T16:00:00.000Z' })
  expect(readyExport.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const rows = parse(bytes as never, { bom: true, columns: true }) as Record<string, string>[]
  expect(rows).toHaveLength(readyExport.rows!)
  expect(rows.at(-1)).toMatchObject({ username: 'Zoë "=1"', email: 'zoe@fan.example', tier: 'bronze', banned: 'no' })
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="supporters-2026-07-01.csv"')
  expect(readyExport.fileName).toBe('supporters-2026-07-01.csv')
  expect(await auditEntries('export.requested')).toContainEqual({ subject: `export:${id}` })
  expect(await auditEntries('export.downloaded')).toEqual([{ subject: `export:${id}` }])
})

test('writes and audits the chosen columns in the file’s order', async () => {
  const { id, columns } = await requestExport('supporters', ['tier', 'username'])
  expect(columns).toEqual(['username', 'tier'])
  expect(await lastAuditDetail('export.requested')).toEqual({ kind: 'supporters', columns: 'username, tier' })
  await processExport(exportMessage(id))
  const [header] = parse(await (await downloadExport(id)).text(), { bom: true }) as string[][]
  expect(header).toEqual(['username', 'tier'])
})

test('exports a column once if it is named repeatedly', async () => {
  const { columns } = await requestExport('supporters', Array(20).fill('username'))
  expect(columns).toEqual(['username'])
  const all = EXPORT_SOURCES.points.columns.map(({ header }) => header)
  expect((await requestExport('points', [...all, ...all])).columns).toBe(null)
})

test('leaves out a chosen column that no longer exists', async () => {
  const { id } = await requestExport('supporters', ['username', 'tier'])
  await env.DB.prepare(`UPDATE exports SET columns = '["username","renamed"]' WHERE id = ?`).bind(id).run()
  await processExport(exportMessage(id))
  const [header] = parse(await (await downloadExport(id)).text(), { bom: true }) as string[][]
  expect(header).toEqual(['username'])
})

test('writes no file when no chosen column exists anymore', async () => {
  const { id } = await requestExport('supporters', ['username'])
  await env.DB.prepare(`UPDATE exports SET columns = '["renamed"]' WHERE id = ?`).bind(id).run()
  expect((await processExport(exportMessage(id))).retryMessages).toHaveLength(1)
  expect((await getExport(id)).state).toBe('waiting')
  expect(await storedKeys()).not.toContain(`exports/${id}.csv`)
})

test('writes exports of the other kinds, also from empty tables', async () => {
  for (const kind of ['newsletter', 'orders', 'verse-submissions', 'golden-verse-votes', 'points']) {
    const { id } = await requestExport(kind)
    await processExport(exportMessage(id))
    const { state, rows } = await getExport(id)
    const lines = parse(await (await downloadExport(id)).text(), { bom: true }) as string[][]
    expect([kind, state, lines.length]).toEqual([kind, 'ready', rows! + 1])
    if (kind === 'verse-submissions')
      expect(lines[1]?.slice(1, 4)).toEqual(['A Fan', 'a.fan@mail.example', '(813) 555-0100'])
  }
})

test('separates awarded and reversed points', async () => {
  const user = await addUser({ username: 'given-and-taken' })
  const row = { userId: user.id, action: 'track_like', description: 'Liked', createdAt: NOON }
  await db.insert(ledger).values({ ...row, key: 'track_like:9', points: 5 })
  await db.insert(ledger).values({ ...row, key: 'undo:track_like:9', points: -5, createdAt: NOON + 1 })
  const { id } = await requestExport('points')
  await processExport(exportMessage(id))
  const rows = parse(await (await downloadExport(id)).text(), { bom: true, columns: true }) as Record<string, string>[]
  const ownRows = rows.filter(({ username }) => username === 'given-and-taken')
  expect(ownRows.map(({ action, given, takenBack }) => [action, given, takenBack]).sort()).toEqual([
    ['track_like', '0', '5'],
    ['track_like', '5', '0'],
  ])
})

test('exports orders without formulas', async () => {
  await db
    .insert(products)
    .values({ id: 'cap', slug: 'cap', name: 'Cap', description: '', priceCents: 2000, stock: 3, position: 90 })
  const address = {
    name: '=HYPERLINK("x")',
    line1: '@SUM(1)',
    city: '-Tampa',
    state: '+FL',
    postalCode: '\t33602',
    country: 'US',
  }
  const [at, buyer] = [Date.parse('2026-07-01T12:00:00Z'), await addUser()]
  await addOrder({
    id: 'ord_export',
    productId: 'cap',
    quantity: 2,
    discountCents: 500,
    amountCents: 3500,
    status: 'paid',
    createdAt: at,
    paidAt: at + 60_000,
    refundedCents: 1000,
    refundReason: 'requested',
    isTest: true,
    promotionCode: 'SUMMER',
    userId: buyer.id,
    email: '+jane@mail.example',
    shippingAddress: address,
    fulfilment: 'shipped',
    tracking: '@track-1',
  })
  await addOrder({ id: 'ord_bare', productId: 'cap', status: 'paid', createdAt: at, paidAt: at })
  const { id } = await requestExport('orders')
  await processExport(exportMessage(id))
  const rows = parse(await (await downloadExport(id)).text(), { bom: true, columns: true }) as Record<string, string>[]
  const row = rows.find((order) => order.id === 'ord_export')
  expect(row).toMatchObject({
    status: 'paid',
    product: '2 x Cap',
    quantity: '2',
    lines: '40.00',
    shipping: '0.00',
    tax: '0.00',
    currency: 'USD',
    amount: '35.00',
    refunded: '10.00',
    promotionCode: 'SUMMER',
    buyer: buyer.username,
    email: "'+jane@mail.example",
    fulfilment: 'shipped',
    tracking: "'@track-1",
    createdAt: '2026-07-01T12:00:00.000Z',
    paidAt: '2026-07-01T12:01:00.000Z',
    discount: '5.00',
    refundReason: 'requested',
    test: 'yes',
    shipTo: `'=HYPERLINK("x")`,
    street: "'@SUM(1)",
    street2: '',
    city: "'-Tampa",
    state: "'+FL",
    postalCode: "'\t33602",
    country: 'US',
  })
  expect(rows.find((order) => order.id === 'ord_bare')).toMatchObject({
    amount: '20.00',
    discount: '0.00',
    refundReason: '',
    test: 'no',
    shipTo: '',
    country: '',
    paidAt: '2026-07-01T12:00:00.000Z',
  })
})

test('order lines add up to the order totals', async () => {
  const total = 16_121
  await addOrder({
    id: 'ord_lines',
    productId: 'cap',
    status: 'paid',
    paidAt: NOON,
    units: 4,
    unitPriceCents: total + 501,
    linesCents: 14_897,
    shippingCents: 600,
    discountCents: 501,
    taxCents: 1125,
    amountCents: total,
  })
  const line = { orderId: 'ord_lines', productId: 'cap', productName: 'Cap', variantName: '', kind: 'shipped' } as const
  await db
    .insert(productVariants)
    .values({ id: 'cap-2', productId: 'cap', position: 2, name: 'L', options: {}, priceCents: 1 })
  await db.insert(orderLines).values([
    {
      ...line,
      id: 'l1',
      position: 1,
      variantId: 'cap-1',
      quantity: 3,
      unitPriceCents: 1999,
      discountCents: 200,
      taxCents: 435,
    },
    {
      ...line,
      id: 'l2',
      position: 2,
      variantId: 'cap-2',
      quantity: 1,
      unitPriceCents: 8900,
      discountCents: 301,
      taxCents: 645,
    },
  ])
  const { id } = await requestExport('order-lines')
  await processExport(exportMessage(id))
  const rows = parse(await (await downloadExport(id)).text(), { bom: true, columns: true }) as Record<string, string>[]
  const sums: Record<string, number> = {}
  for (const { order = '', amount } of rows) sums[order] = (sums[order] ?? 0) + Math.round(Number(amount) * 100)
  const stored = await db.select({ id: orders.id, cents: orders.amountCents }).from(orders)
  expect(sums).toEqual(Object.fromEntries(stored.map(({ id, cents }) => [id, cents])))
  expect(
    rows.filter(({ order }) => order === 'ord_lines').map(({ shipping, shippingTax }) => [shipping, shippingTax]),
  ).toEqual([
    ['6.00', '0.45'],
    ['0.00', '0.00'],
  ])
})

/** A bucket whose multipart uploads fail from part `failAt` on, after calling `onFailure`. */
function failingBucket(failAt: number, onFailure: () => void = () => undefined): R2Bucket {
  return withMethods(env.FILES, {
    createMultipartUpload: async (...args: Parameters<R2Bucket['createMultipartUpload']>) => {
      const upload = await env.FILES.createMultipartUpload(...args)
      return {
        uploadId: upload.uploadId,
        uploadPart: (part: number, bytes: Uint8Array<ArrayBuffer>) => {
          if (part < failAt) return upload.uploadPart(part, bytes)
          onFailure()
          throw new Error('R2 is down.')
        },
        complete: upload.complete.bind(upload),
        abort: upload.abort.bind(upload),
      }
    },
  })
}

test('a failed export leaves no file and its retry succeeds', async () => {
  const { id } = await requestExport('points')
  const before = await storedKeys()
  expect((await processExport(exportMessage(id), { FILES: failingBucket(1) })).retryMessages).toMatchObject([
    { msgId: 'm0' },
  ])
  expect([(await getExport(id)).state, (await downloadExport(id)).status, await storedKeys()]).toEqual([
    'waiting',
    404,
    before,
  ])
  expect((await processExport(exportMessage(id))).explicitAcks).toEqual(['m0'])
  expect((await getExport(id)).state).toBe('ready')
})

test('restarts an export whose lease has expired', async () => {
  const { id } = await requestExport('points')
  const abandoned = await env.FILES.createMultipartUpload(`exports/${id}.csv`)
  await abandoned.uploadPart(1, new Uint8Array(PART_BYTES))
  await env.DB.prepare("UPDATE exports SET state = 'running', upload_id = ?2, leased_until = ?3 WHERE id = ?1")
    .bind(id, abandoned.uploadId, NOON + MINUTE_MS)
    .run()
  expect((await processExport(exportMessage(id))).retryMessages).toHaveLength(1)
  expect([(await getExport(id)).state, await listOverdueExports(db, NOON)]).toEqual(['running', []])
  expect(await listOverdueExports(db, NOON + MINUTE_MS)).toContain(id)
  await processExport(exportMessage(id), { at: NOON + MINUTE_MS })
  expect((await getExport(id, NOON + MINUTE_MS)).state).toBe('ready')
  await expect(abandoned.complete([])).rejects.toThrow()
})

test('stops a slow worker that lost its lease', async () => {
  const { id } = await requestExport('points')
  let takeover: Promise<unknown> | undefined
  const slowFiles = failingBucket(1, () => {
    takeover = env.DB.prepare("UPDATE exports SET upload_id = 'another-worker' WHERE id = ?1").bind(id).run()
  })
  await processExport(exportMessage(id), { FILES: slowFiles })
  await takeover
  const row = await env.DB.prepare('SELECT state, upload_id FROM exports WHERE id = ?1').bind(id).first()
  expect(row).toEqual({ state: 'running', upload_id: 'another-worker' })
})

test('writes concurrent exports separately', async () => {
  const [first, second] = [await requestExport('points'), await requestExport('points')]
  await Promise.all([processExport(exportMessage(first.id)), processExport(exportMessage(second.id))])
  const files = [await getExport(first.id), await getExport(second.id)]
  expect(files.map((file) => file.state)).toEqual(['ready', 'ready'])
  expect(files[0]?.sha256).toBe(files[1]?.sha256)
  expect(await (await downloadExport(first.id)).text()).toBe(await (await downloadExport(second.id)).text())
})

test('saves progress at intervals only', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
     INSERT INTO subscribers (id, email, email_key, consent_version, consent_at, created_at)
     SELECT 'row' || i, 'row' || i, 'row' || i, '1', i, i FROM n`,
  ).run()
  const { id } = await requestExport('newsletter')
  const savedRowCounts: unknown[] = []
  const { DB } = spyOnD1(env.DB, {
    bound: (sql, values) => {
      if (sql.includes('set "upload_id" = ?, "leased_until" = ?, "rows" = ?')) savedRowCounts.push(values[2])
    },
  })
  await processExport(exportMessage(id), { DB, FILES: failingBucket(1), clockStepMs: 1_100 })
  expect(savedRowCounts).toEqual([0, 20000])
  expect(await getExport(id)).toMatchObject({ state: 'waiting', rows: null })
  await env.DB.prepare("DELETE FROM subscribers WHERE id LIKE 'row%'").run()
})

test('writes an export once when its message arrives twice', async () => {
  const { id } = await requestExport('points')
  const results = await Promise.all([processExport(exportMessage(id)), processExport(exportMessage(id))])
  expect(results.flatMap(({ explicitAcks }) => explicitAcks).length).toBeGreaterThanOrEqual(1)
  expect((await getExport(id)).state).toBe('ready')
})

test('marks dead-lettered exports as failed', async () => {
  const { id } = await requestExport('points')
  expect((await processExport({ kind: 'other' })).retryMessages).toHaveLength(1)
  const batch = createMessageBatch('artist-house-exports-dead', [
    { id: 'm', timestamp: new Date(NOON), attempts: 6, body: exportMessage(id) },
  ] as never)
  await consumeBatch(batch, env)
  expect((await getExport(id)).state).toBe('failed')
})

test('leaves out rows inserted during the export', async () => {
  const { id } = await requestExport('supporters')
  const before = (await env.DB.prepare("SELECT count(*) AS n FROM users WHERE role = 'supporter'").first<{
    n: number
  }>())!.n
  let added = false
  const { DB } = spyOnD1(env.DB, {
    before: async (_, sql) => {
      if (added || !sql.some((text) => text.includes('group_concat'))) return
      added = true
      await addUser({ username: 'too-late' })
    },
  })
  await processExport(exportMessage(id), { DB })
  expect(added).toBe(true)
  expect((await getExport(id)).rows).toBe(before)
  expect(await (await downloadExport(id)).text()).not.toContain('too-late')
})

test('writes 100,000 rows in order across gaps', async () => {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130000)
       INSERT INTO subscribers (id, email, email_key, consent_version, consent_at, created_at)
       SELECT 'row' || i, printf('%.*c', 40 + i % 200, 'é'), 'key' || i, '1', i, i FROM n`,
    ),
    env.DB.prepare("DELETE FROM subscribers WHERE id GLOB 'row*' AND consent_at BETWEEN 42001 AND 72000"),
  ])
  const { id } = await requestExport('newsletter')
  await processExport(exportMessage(id))
  const { rows, sizeBytes, sha256 } = await getExport(id)
  const bytes = new Uint8Array(await (await downloadExport(id)).arrayBuffer())
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([sizeBytes, sha256])
  const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes).split('\r\n').slice(1, -1)
  const timestamps = lines.filter((line) => line.startsWith('"éé')).map((line) => line.split('","')[3])
  expect([lines.length, timestamps.length]).toEqual([rows, 100_000])
  expect(timestamps).toEqual([...timestamps].sort())
  expect(new Set(timestamps).size).toBe(100_000)
  expect(sizeBytes).toBeGreaterThan(PART_BYTES * 2)
})

test('serves ranges and conditional requests', async () => {
  const download = new Uint8Array(await (await downloadExport(readyId)).arrayBuffer())
  const rangeRequest = async (range: string) => {
    const response = await downloadExport(readyId, { range })
    return [response.status, response.headers.get('content-range'), (await response.arrayBuffer()).byteLength]
  }
  expect(await rangeRequest('bytes=0-9')).toEqual([206, `bytes 0-9/${download.length}`, 10])
  expect((await rangeRequest('bytes=-3')).slice(0, 2)).toEqual([
    206,
    `bytes ${download.length - 3}-${download.length - 1}/${download.length}`,
  ])
  expect((await rangeRequest('bytes=9-2')).slice(0, 2)).toEqual([416, `bytes */${download.length}`])
  const etag = (await downloadExport(readyId)).headers.get('etag')!
  expect((await downloadExport(readyId, { 'if-none-match': etag })).status).toBe(304)
})

test.each(['..', '%2e%2e%2fballots', 'export_%00', 'a'.repeat(2048)])('answers 404 for export id %j', async (id) => {
  expect((await downloadExport(id)).status).toBe(404)
})

test('honors If-Range', async () => {
  const etag = (await downloadExport(readyId)).headers.get('etag')!
  const request = async (ifRange: string) =>
    (await downloadExport(readyId, { range: 'bytes=0-9', 'if-range': ifRange })).status
  expect([await request(etag), await request('"another"')]).toEqual([206, 200])
})

test('audits a range that leaves out the first byte', async () => {
  const { id } = await requestExport('points')
  await processExport(exportMessage(id))
  for (const range of ['bytes=1-', 'bytes=2-']) expect((await downloadExport(id, { range })).status).toBe(206)
  expect(await auditEntries('export.downloaded')).toContainEqual({ subject: `export:${id}` })
})

test('answers HEAD without an audit entry', async () => {
  const before = await auditEntries('export.downloaded')
  const response = await downloadExport(readyId, { range: 'bytes=0-9' }, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    String((await getExport(readyId)).sizeBytes),
    '',
  ])
  expect(await auditEntries('export.downloaded')).toEqual(before)
})

/** A bucket whose file is deleted or replaced between HEAD and GET. */
const bucketDuringDownload = (get: () => unknown) => withMethods(env.FILES, { get: async () => get() })

test('never sends an empty file on concurrent deletion or replacement', async () => {
  const before = await auditEntries('export.downloaded')
  const head = await env.FILES.head(`exports/${readyId}.csv`)
  for (const object of [null, head]) {
    const response = await downloadExport(readyId, {}, { env: { FILES: bucketDuringDownload(() => object) } })
    expect(await statusAndCodeOf(response)).toEqual([503, 'unavailable'])
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
    .bind(readyId, NOON + 10 * MINUTE_MS)
    .run()
  expect((await downloadExport(readyId, {}, { at: NOON + 10 * MINUTE_MS - 1 })).status).toBe(200)
  expect(await errorOf(await downloadExport(readyId, {}, { at: NOON + 10 * MINUTE_MS }))).toEqual(NOT_FOUND)
  expect((await getExport(readyId, NOON + 10 * MINUTE_MS)).state).toBe('expired')
  await cleanUpExports({ db, files: env.FILES }, NOON + 10 * MINUTE_MS - 1)
  expect(await env.FILES.head(`exports/${readyId}.csv`)).not.toBeNull()
  await cleanUpExports({ db, files: env.FILES }, NOON + 10 * MINUTE_MS)
  expect(await env.FILES.head(`exports/${readyId}.csv`)).toBeNull()
})

test('a file expires after three days', async () => {
  const id = (await requestExport('points')).id
  await processExport(exportMessage(id))
  expect(Date.parse((await getExport(id)).expiresAt!) - NOON).toBe(limits.exportTtlHours * HOUR_MS)
})
