import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PaymentIntent } from '../contract/checkout'
import type { Download } from '../contract/downloads'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../lib/clock'
import { errorOf, send } from '../testing/client'
import { addDigitalProduct, addDigitalRelease, parseDownloads, prepareAll } from '../testing/downloads'
import { addTrack, db, isLongRun } from '../testing/fixtures'
import {
  ADDRESS,
  addProduct,
  addStripeOrder,
  DEMO_ENV,
  newBuyer,
  RESERVED_UNTIL,
  type StripeEvent,
  sendEvent,
  setUpPayments,
  stubFailingProvider,
  variantOf,
} from '../testing/payments'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, cookieHeaderFor } from '../testing/users'
import { listOrderDownloads } from './access'

beforeAll(setUpPayments)
beforeEach(stubFailingProvider)
afterEach(() => void vi.restoreAllMocks())

type Purchase = PaymentIntent & { buyer: ReturnType<typeof newBuyer> }
type Line = { variantId: string; quantity: number; unitPriceCents?: number }

async function checkOut(lines: Line[], buyer = newBuyer()): Promise<Purchase> {
  const body = { lines, email: 'fan@mail.example', shippingAddress: ADDRESS }
  const response = await buyer.browser.send('POST', '/api/create-payment-intent', body, { at: NOON })
  if (!response.ok) throw new Error(await response.text())
  return { ...(await response.json<PaymentIntent>()), buyer }
}

async function buy(lines: Line[], buyer = newBuyer()): Promise<Purchase> {
  const intent = await checkOut(lines, buyer)
  if (intent.clientSecret !== null) await buyer.pay(intent)
  return intent
}

const requestDownloads = async ({ orderId, clientSecret, receiptUrl, buyer }: Purchase, at = NOON) => {
  const secret = clientSecret ?? new URLSearchParams(receiptUrl?.split('?')[1]).get('token') ?? ''
  const path = `/api/orders/${orderId}/downloads?client_secret=${encodeURIComponent(secret)}`
  return buyer.browser.send('GET', path, undefined, { at })
}
const downloadsOf = async (bought: Purchase, at = NOON): Promise<Download[]> =>
  parseDownloads(await (await requestDownloads(bought, at)).json())
const get = (url: string, headers: Record<string, string> = {}, at = NOON) =>
  send('GET', url, undefined, { at, headers, env: DEMO_ENV })

async function refund(orderId: string, body: object) {
  const response = await send(
    'POST',
    `/api/admin/orders/${orderId}/refund`,
    { reason: 'Asked.', ...body },
    { at: NOON, env: DEMO_ENV, headers: { cookie: await cookieHeaderFor('administrator') } },
  )
  if (!response.ok) throw new Error(await response.text())
}

test('allows downloads with the receipt’s secret only', async () => {
  const { variantId } = await addDigitalRelease()
  const intent = await checkOut([{ variantId, quantity: 1 }])
  expect(await downloadsOf(intent)).toEqual([])
  await intent.buyer.pay(intent)
  expect(await downloadsOf(intent)).toMatchObject([{ kind: 'release', formats: [] }])
  await prepareAll()
  const [download] = await downloadsOf(intent)
  expect(download?.formats.map(({ name }) => name)).toEqual(['FLAC', 'MP3'])
  for (const { url, sizeBytes } of download?.formats ?? []) {
    const file = await get(url)
    expect([file.status, file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
      200,
      'application/zip',
      'private, no-store',
    ])
    expect((await file.arrayBuffer()).byteLength).toBe(sizeBytes)
  }
  const stranger = { ...intent, clientSecret: 'a-guess' }
  expect((await errorOf(await requestDownloads(stranger))).slice(0, 2)).toEqual([404, 'not_found'])
})

test('resumes a download without changing a byte', async () => {
  const { variantId } = await addDigitalRelease({ audioBytes: 50_000 })
  const intent = await buy([{ variantId, quantity: 1 }])
  await prepareAll()
  const [download] = await downloadsOf(intent)
  const { url = '', sizeBytes = 0 } = download?.formats[0] ?? {}
  const wholeFile = await get(url)
  const bytes = new Uint8Array(await wholeFile.arrayBuffer())
  const half = Math.floor(sizeBytes / 2)
  const first = await get(url, { range: `bytes=0-${half - 1}` })
  const restOfFile = await get(url, { range: `bytes=${half}-`, 'if-range': wholeFile.headers.get('etag') ?? '' })
  expect([first.status, restOfFile.status]).toEqual([206, 206])
  const joined = [...new Uint8Array(await first.arrayBuffer()), ...new Uint8Array(await restOfFile.arrayBuffer())]
  expect(Uint8Array.from(joined).toString()).toBe(bytes.toString())
})

test('rejects expired and modified links', async () => {
  const { variantId } = await addDigitalRelease()
  const intent = await buy([{ variantId, quantity: 1 }])
  await prepareAll()
  const url = (await downloadsOf(intent))[0]?.formats[0]?.url ?? ''
  const expired = await get(url, {}, NOON + DAY_MS)
  expect((await errorOf(expired)).slice(0, 2)).toEqual([400, 'bad_token'])
  const changed = url.replace(/\.(\d+)\./, (_, time) => `.${Number(time) + 1}.`)
  expect((await errorOf(await get(changed))).slice(0, 2)).toEqual([400, 'bad_token'])
})

test('serves prepared files through signed links only', async () => {
  await addDigitalRelease()
  await prepareAll()
  const { objects } = await env.FILES.list({ prefix: 'downloads/' })
  expect(objects.length).toBeGreaterThan(0)
  for (const { key } of objects.slice(0, 3))
    for (const path of [`/media/${key}`, `/${key}`, `/api/${key}`, `/api/file-copies/${key}`])
      expect([path, (await get(path)).status]).not.toEqual([path, 200])
})

test('a refund ends the downloads of its line only', async () => {
  const [album, other] = [await addDigitalRelease(), await addDigitalRelease()]
  const hoodie = variantOf(await addProduct(9))
  const intent = await buy([album.variantId, hoodie, other.variantId].map((variantId) => ({ variantId, quantity: 1 })))
  await prepareAll()
  const [first, second] = await downloadsOf(intent)
  const url = first?.formats[0]?.url ?? ''
  expect((await get(url)).status).toBe(200)
  await refund(intent.orderId, { lines: [{ lineId: `${intent.orderId}-1`, quantity: 1, restock: false }] })
  expect(await errorOf(await get(url))).toEqual([
    410,
    'closed',
    'This download is closed, because its order was refunded or disputed.',
  ])
  expect((await downloadsOf(intent)).map(({ title }) => title)).toEqual([second?.title])
  expect((await get(second?.formats[0]?.url ?? '')).status).toBe(200)
  await refund(intent.orderId, {})
  expect(await downloadsOf(intent)).toEqual([])
  expect((await get(second?.formats[0]?.url ?? '')).status).toBe(410)
})

test('lists each bought good once in the library', async () => {
  await addNamedUser('collector')
  const browser = await browserWithSession('collector', { at: NOON, env: DEMO_ENV })
  const library = async () =>
    parseDownloads(await (await browser.send('GET', '/api/library', undefined, { at: NOON })).json())
  expect(await library()).toEqual([])
  const [first, second] = [await addDigitalRelease(), await addDigitalRelease()]
  await prepareAll()
  const buyer = newBuyer(browser)
  const bought = await buy([{ variantId: first.variantId, quantity: 1 }], buyer)
  await buy([{ variantId: first.variantId, quantity: 1 }], buyer)
  // Bought without the account.
  await buy([{ variantId: second.variantId, quantity: 1 }], newBuyer())
  expect(await library()).toHaveLength(1)
  // The second purchase of the same release still counts.
  await refund(bought.orderId, {})
  expect(await library()).toHaveLength(1)
  expect((await get((await library())[0]?.formats[0]?.url ?? '')).status).toBe(200)
})

test('buyers of a bundle and of a track get downloads', async () => {
  const album = await addDigitalRelease()
  await env.FILES.put('audio/single.mp3', new Uint8Array(99), { httpMetadata: { contentType: 'audio/mpeg' } })
  const track = await addTrack({ slug: 'one-song', title: 'One Song', audioKey: 'audio/single.mp3' })
  const single = await addDigitalProduct({ trackId: track.id })
  const bundle = variantOf(await addProduct(5))
  await env.DB.prepare('INSERT INTO bundle_items (bundle_variant_id, variant_id, quantity) VALUES (?1, ?2, 1)')
    .bind(bundle, album.variantId)
    .run()
  await prepareAll()
  const intent = await buy([bundle, single.variantId].map((variantId) => ({ variantId, quantity: 1 })))
  const downloads = await downloadsOf(intent)
  expect(downloads.map(({ kind }) => kind)).toEqual(['release', 'track'])
  const file = await get(downloads[1]?.formats[0]?.url ?? '')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="one-song.mp3"')
})

test('opens a pre-order’s downloads at its release time', async () => {
  const { variantId } = await addDigitalRelease({ releasesAt: NOON + HOUR_MS })
  const intent = await buy([{ variantId, quantity: 1 }])
  await prepareAll()
  expect(await downloadsOf(intent)).toMatchObject([
    { formats: [], preparing: [], opensAt: new Date(NOON + HOUR_MS).toISOString() },
  ])
  expect((await downloadsOf(intent, NOON + HOUR_MS))[0]?.formats).toHaveLength(2)
})

test('accepts a chosen price from the minimum up', async () => {
  const { variantId } = await addDigitalRelease({ priceCents: 1000, minimumCents: 500 })
  const priced = (unitPriceCents: number) => checkOut([{ variantId, quantity: 1, unitPriceCents }])
  expect((await priced(2500)).amountCents).toBe(2500)
  expect((await priced(500)).amountCents).toBe(500)
  await expect(priced(499)).rejects.toThrow('costs at least $5.00.')
  const fixed = await addDigitalRelease({ priceCents: 1000 })
  await expect(checkOut([{ variantId: fixed.variantId, quantity: 1, unitPriceCents: 1 }])).rejects.toThrow(
    'The price has changed. Please refresh.',
  )
})

test('completes free orders, rejects totals below the minimum charge', async () => {
  const { variantId } = await addDigitalRelease({ priceCents: 1000, minimumCents: 0 })
  await prepareAll()
  await expect(checkOut([{ variantId, quantity: 1, unitPriceCents: 49 }])).rejects.toThrow(
    'A card payment must come to at least $0.50.',
  )
  const intent = await buy([{ variantId, quantity: 1, unitPriceCents: 0 }])
  expect(intent).toMatchObject({ status: 'paid', clientSecret: null, amountCents: 0 })
  expect((await downloadsOf(intent))[0]?.formats).toHaveLength(2)
})

// Model of the payment: paid once it succeeded in time, unless refunds or a dispute took all of it.
type PaymentStep =
  | 'succeeded'
  | 'failed'
  | 'refunded'
  | 'refundFailed'
  | 'partlyRefunded'
  | 'withdrawn'
  | 'reinstated'
  | 'lineRefunded'
  | 'lineRefundUndone'
const PAYMENT_STEPS: readonly PaymentStep[] = [
  'succeeded',
  'failed',
  'refunded',
  'refundFailed',
  'partlyRefunded',
  'withdrawn',
  'reinstated',
  'lineRefunded',
  'lineRefundUndone',
]

// Split into parts that each stay within the test timeout.
test.each([1, 2, 3, 4])('a line is downloadable while it is paid, part %i', async () => {
  const { productId } = await addDigitalRelease()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...PAYMENT_STEPS), { maxLength: 8 }), async (steps) => {
      const order = await addStripeOrder({ productId, stock: 1 })
      const model = {
        isPaid: false,
        refundedCents: 0,
        hasRefundFailed: false,
        disputedAt: 0,
        wonAt: 0,
        isLineRefunded: false,
      }
      for (const [index, step] of steps.entries()) {
        const created = (NOON + (index + 1) * SECOND_MS) / SECOND_MS
        const event = eventOf(order.events, step, created)
        if (event) await sendEvent(event)
        if (step === 'succeeded') model.isPaid = true
        if (step === 'refunded') [model.refundedCents, model.hasRefundFailed] = [2000, false]
        if (step === 'refundFailed') model.hasRefundFailed = true
        if (step === 'partlyRefunded') model.refundedCents = Math.max(model.refundedCents, 500)
        if (step === 'withdrawn') model.disputedAt = created
        if (step === 'reinstated') model.wonAt = created
        if (step === 'lineRefunded' || step === 'lineRefundUndone') {
          model.isLineRefunded = step === 'lineRefunded'
          await env.DB.prepare('UPDATE order_lines SET refunded_quantity = ?2 WHERE order_id = ?1')
            .bind(order.id, model.isLineRefunded ? 1 : 0)
            .run()
        }
        const isDisputed = model.disputedAt > model.wonAt
        const expected =
          model.isPaid && (model.refundedCents < 2000 || model.hasRefundFailed) && !isDisputed && !model.isLineRefunded
        const downloads = await listOrderDownloads({ db, secret: 'x'.repeat(32), at: RESERVED_UNTIL }, order.id)
        expect([steps.slice(0, index + 1), downloads.length > 0]).toEqual([steps.slice(0, index + 1), expected])
      }
    }),
    { numRuns: isLongRun ? 125 : 8 },
  )
})

test('a failed refund restores downloads unless the rest covers them', async () => {
  const { productId } = await addDigitalRelease()
  const order = await addStripeOrder({ productId, stock: 1 })
  const at = (seconds: number) => ({ created: NOON / SECOND_MS + seconds })
  const countDownloads = async () =>
    (await listOrderDownloads({ db, secret: 'x'.repeat(32), at: RESERVED_UNTIL }, order.id)).length
  for (const event of [order.events.succeeded(), order.events.refunded(2000, at(1))]) await sendEvent(event)
  // $1 of the $20 refunded failed. The $19 that arrived cover the line, which cost $15.
  await env.DB.prepare('UPDATE order_lines SET discount_cents = 500 WHERE order_id = ?').bind(order.id).run()
  await sendEvent(order.events.refundFailed(at(2), { amount: 100 }))
  expect(await countDownloads()).toBe(0)
  await sendEvent(order.events.refundFailed(at(3), { amount: 1900 }))
  expect(await countDownloads()).toBe(1)
})

type Events = Awaited<ReturnType<typeof addStripeOrder>>['events']
function eventOf(events: Events, step: PaymentStep, created: number): StripeEvent | null {
  switch (step) {
    case 'succeeded':
      return events.succeeded({ created })
    case 'failed':
      return events.failed({ created })
    case 'refunded':
      return events.refunded(2000, { created })
    case 'refundFailed':
      return events.refundFailed({ created })
    case 'partlyRefunded':
      return events.refunded(500, { created })
    case 'withdrawn':
      return events.withdrawn({ created })
    case 'reinstated':
      return events.reinstated({ created })
    default:
      return null
  }
}
