import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits'
import {
  checkImport,
  csvLines,
  getImport,
  processImport,
  setUpImports,
  startImport,
  uploadImport,
} from '../testing/imports'
import { withMethods } from '../testing/stores'

beforeAll(setUpImports)
beforeEach(async () => {
  for (const table of ['contacts', 'imported_sales', 'subscribers', 'import_rows', 'imports', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

/** One read of a file: where it starts and how many bytes it returned. */
type Read = { offset: number; bytes: number }

/** Wraps the bucket and records its reads. */
function recordReads(): { FILES: R2Bucket; reads: Read[] } {
  const reads: Read[] = []
  const get = async (key: string, options: { range: { offset: number } }) => {
    const file = await env.FILES.get(key, options)
    if (!file) return null
    const read = { offset: options.range.offset, bytes: 0 }
    reads.push(read)
    const body = async function* () {
      for await (const chunk of file.body as AsyncIterable<Uint8Array>) {
        read.bytes += chunk.length
        yield chunk
      }
    }
    return { body: body() }
  }
  return { FILES: withMethods(env.FILES, { get }), reads }
}

/** Finishes the current step with one message per batch. Returns the number of messages. */
async function processByBatches(id: string, FILES = env.FILES): Promise<number> {
  const EXPORTS = { send: async () => undefined } as never
  let messageCount = 0
  while (['checking', 'importing'].includes((await getImport(id)).state)) {
    await processImport(id, { clockStepMs: 30_000, EXPORTS, FILES })
    messageCount += 1
  }
  return messageCount
}

/** Checks and imports a file, with a message for each batch of both steps. */
async function importByBatches(content: string) {
  const file = await uploadImport(content)
  await checkImport(file)
  await processByBatches(file.id)
  const checked = await getImport(file.id)
  await startImport(file.id)
  const { FILES, reads } = recordReads()
  const messages = await processByBatches(file.id, FILES)
  return { file, checked, imported: await getImport(file.id), reads, messages }
}

const MEMBERS_HEADER = 'Name,Email,Patron Status,Discord'
const member = (n: number) => `Fan ${n},fan${n}@fan.example,Active patron,${'x'.repeat(400)}`
const members = (count: number) => Array.from({ length: count }, (_, i) => member(i))
const SHOP_ORDERS_HEADER =
  'Name,Email,Financial Status,Paid at,Currency,Lineitem quantity,Lineitem name,Lineitem price,Billing Name'

test('later messages of an import do not reread the file', async () => {
  const batches = 6
  const { file, reads, messages, imported } = await importByBatches(
    csvLines(MEMBERS_HEADER, ...members(batches * limits.importBatchRows)),
  )
  expect(imported.counts?.contact).toBe(batches * limits.importBatchRows)
  expect(messages).toBeGreaterThanOrEqual(batches)
  expect(reads.map(({ offset }) => offset)).toEqual(reads.map(({ offset }) => offset).toSorted((a, b) => a - b))
  const bytes = reads.reduce((sum, read) => sum + read.bytes, 0)
  expect(bytes).toBeGreaterThanOrEqual(file.sizeBytes)
  expect(bytes).toBeLessThan(1.5 * file.sizeBytes)
})

test.each(['\n', '\r\n'])('recognizes duplicates across messages, with line endings %j', async (lineEnding) => {
  const rows = limits.importBatchRows
  const file = [MEMBERS_HEADER, ...members(rows), '', member(7).replace('fan7', 'FAN7'), member(rows), ''].join(
    lineEnding,
  )
  const { checked, imported } = await importByBatches(file)
  for (const { counts } of [checked, imported])
    expect(counts).toMatchObject({ contact: rows + 1, skipped: 1, reasons: { duplicate: 1 } })
  expect(
    await env.DB.prepare("SELECT row FROM import_rows WHERE import_id = ? AND reason = 'duplicate'")
      .bind(imported.id)
      .all(),
  ).toMatchObject({ results: [{ row: rows + 3 }] })
})

test('lines of an order in different messages share its buyer', async () => {
  const earlierOrders = Array.from(
    { length: limits.importBatchRows - 1 },
    (_, i) => `#${i},fan${i}@fan.example,paid,2021-04-12,USD,1,Shirt,20,Fan ${i}`,
  )
  const order = ['#x,zoe@fan.example,paid,2021-04-12,USD,1,Shirt,20,Zoë', '#x,,,,,2,Poster,5,', '#x,,,,,1,Pin,3,']
  const { imported } = await importByBatches(
    csvLines(SHOP_ORDERS_HEADER, ...earlierOrders, ...order, '#x,,,,,1,Shirt,20,', '#y,,,,,1,Pin,3,'),
  )
  expect(imported.counts).toMatchObject({ sale: earlierOrders.length + 3, reasons: { duplicate: 1, bad_date: 1 } })
  const { results } = await env.DB.prepare(
    "SELECT item, email, buyer, currency FROM imported_sales WHERE external_id GLOB '*#x*' ORDER BY item",
  ).all()
  const buyer = { email: 'zoe@fan.example', buyer: 'Zoë', currency: 'USD' }
  expect(results).toEqual(['Pin', 'Poster', 'Shirt'].map((item) => ({ item, ...buyer })))
})

test('does not reread a processed file after a crash', async () => {
  const file = await uploadImport(csvLines(MEMBERS_HEADER, ...members(3)))
  await checkImport(file)
  const failingBucket = withMethods(env.FILES, {
    createMultipartUpload: () => Promise.reject(new Error('The worker dies.')),
  })
  expect((await processImport(file.id, { FILES: failingBucket })).retryMessages).toHaveLength(1)
  const { FILES, reads } = recordReads()
  await processImport(file.id, { FILES })
  expect([(await getImport(file.id)).counts?.contact, reads]).toEqual([3, []])
})
