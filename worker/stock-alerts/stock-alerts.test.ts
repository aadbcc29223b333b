import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { RETENTION } from '../contract/retention'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { products, productVariants } from '../products/products.table'
import { errorOf, newBrowser, ORIGIN } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, uniqueIp } from '../testing/users'
import { personalData } from './personal-data'
import { sendDueStockAlerts } from './stock-alerts'

const DEPS = { db, secret: env.SIGNING_SECRET, origin: ORIGIN }
let visitorEmail = ''
let testCount = 0

beforeEach(async () => {
  await seedSite(env.DB)
  visitorEmail = `alert-fan${++testCount}@mail.example`
  await env.DB.prepare('DELETE FROM stock_alerts').run()
  await db
    .insert(products)
    .values({ id: 'tee', slug: 'tee', name: 'Tee', description: '', priceCents: 2500, stock: 0, position: 1 })
    .onConflictDoNothing()
  await db
    .insert(productVariants)
    .values({
      id: 'tee-m',
      productId: 'tee',
      name: 'M',
      options: { Size: 'M' },
      priceCents: 2500,
      stock: 0,
      position: 2,
    })
    .onConflictDoNothing()
  await setStock(0)
})

const setStock = (stock: number) => db.update(productVariants).set({ stock }).where(eq(productVariants.id, 'tee-m'))
const post = (path: string, json: unknown, at = NOON) =>
  newBrowser({ address: uniqueIp(), at }).send('POST', path, json)
const requestAlert = (variantId = 'tee-m', at = NOON) =>
  post('/api/stock-alerts', { variantId, email: visitorEmail }, at)
const confirm = (token: string, at = NOON) => post('/api/stock-alerts/confirm', { token }, at)
const alertRows = async () =>
  (await env.DB.prepare('SELECT email, confirmed_at AS confirmedAt FROM stock_alerts').all()).results
const emailKinds = async () => (await emailsTo(visitorEmail)).map(({ kind }) => kind)

async function requestAndConfirm() {
  await requestAlert()
  const token = await tokenFromEmail('stock_alert_confirm', visitorEmail)
  expect((await confirm(token)).status).toBe(200)
  return token
}

test('emails once when the stock returns, then deletes the alert', async () => {
  await requestAndConfirm()
  await sendDueStockAlerts(DEPS, NOON)
  expect(await emailKinds()).not.toContain('stock_alert')
  await setStock(4)
  await Promise.all([sendDueStockAlerts(DEPS, NOON), sendDueStockAlerts(DEPS, NOON)])
  await setStock(0)
  await setStock(4)
  await sendDueStockAlerts(DEPS, NOON)
  expect((await emailKinds()).filter((kind) => kind === 'stock_alert')).toHaveLength(1)
  expect(await alertRows()).toEqual([])
  const [email] = (await emailsTo(visitorEmail)).filter(({ kind }) => kind === 'stock_alert')
  expect([email?.subject, String(email?.headers)]).toEqual([
    'Tee (M) is back',
    expect.stringContaining('List-Unsubscribe'),
  ])
})

test('sends nothing to an unconfirmed address', async () => {
  await requestAlert()
  await setStock(4)
  await sendDueStockAlerts(DEPS, NOON)
  expect(await emailKinds()).toEqual(['stock_alert_confirm'])
})

test('answers known and new addresses alike', async () => {
  await requestAndConfirm()
  const later = NOON + DAY_MS
  const [known, fresh] = [
    await requestAlert('tee-m', later),
    await post('/api/stock-alerts', { variantId: 'tee-m', email: `new-${visitorEmail}` }, later),
  ]
  expect([known.status, await known.text()]).toEqual([fresh.status, await fresh.text()])
  expect((await emailKinds()).sort()).toEqual(['stock_alert_already', 'stock_alert_confirm'])
  expect(await alertRows()).toHaveLength(2)
})

test('rejects a variant that is unknown or in stock', async () => {
  expect(await errorOf(await requestAlert('none'))).toEqual([
    404,
    'not_found',
    'That product is not sold here anymore.',
  ])
  await setStock(1)
  expect(await errorOf(await requestAlert())).toEqual([
    409,
    'conflict',
    'It is in stock again. Reload the page to order it.',
  ])
})

test('accepts a repeated confirmation until the alert is sent', async () => {
  const token = await requestAndConfirm()
  expect((await confirm(token)).status).toBe(200)
  await setStock(1)
  await sendDueStockAlerts(DEPS, NOON)
  expect((await errorOf(await confirm(token)))[1]).toBe('bad_token')
  expect((await errorOf(await confirm('A'.repeat(43))))[1]).toBe('bad_token')
})

test('unsubscribing ends all alerts of the address', async () => {
  await requestAndConfirm()
  await requestAlert('tee-m', NOON + DAY_MS)
  const [already] = (await emailsTo(visitorEmail)).filter(({ kind }) => kind === 'stock_alert_already')
  const token = /token=([\w.-]+)/.exec(String(already?.headers))?.[1] ?? ''
  const preferences = await (await post('/api/newsletter/preferences', { token })).json()
  expect(preferences).toMatchObject({ list: 'stock', subscribed: true })
  expect((await post('/api/newsletter/unsubscribe', { token })).status).toBe(200)
  expect(await alertRows()).toEqual([])
  await setStock(4)
  await sendDueStockAlerts(DEPS, NOON)
  expect(await emailKinds()).not.toContain('stock_alert')
})

test('erases alerts with the account of the address', async () => {
  const { id } = await addNamedUser(`alert-owner-${testCount}`, { email: visitorEmail })
  await requestAndConfirm()
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: id, byUserRequest: true }, NOON)
  expect(await alertRows()).toEqual([])
})

test('deletes unconfirmed alerts after 30 days, others after a year', async () => {
  await requestAndConfirm()
  await post('/api/stock-alerts', { variantId: 'tee-m', email: `b-${visitorEmail}` })
  const [job] = personalData.retention ?? []
  const deps = { db } as never
  await job?.step(deps, NOON + RETENTION.unconfirmedDays * DAY_MS)
  expect((await alertRows()).map(({ email }) => email)).toEqual([visitorEmail])
  await job?.step(deps, NOON + RETENTION.stockAlertDays * DAY_MS)
  expect(await alertRows()).toEqual([])
})

test('sends one mailbox at most six confirmation emails daily', async () => {
  for (let hour = 0; hour < 8; hour++) await requestAlert('tee-m', NOON + hour * HOUR_MS)
  expect(await emailKinds()).toHaveLength(6)
})
