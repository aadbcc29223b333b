import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STUB_SCRIPT } from '../../web/e2e/stripe-stub'
import { CHROMIUM_ARGS, findBrowser } from '../tools/browser'
import { type Shop, startShop } from './shop'

// The built site in a browser with a stubbed Stripe.js, the worker with Stripe's real server SDK, and a fake Stripe
// server that sends signed webhooks.

let shop: Shop
let browser: Browser
beforeAll(async () => {
  shop = await startShop()
  const args = [...CHROMIUM_ARGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1']
  browser = await chromium.launch({ executablePath: await findBrowser(), args })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await shop.close()
})

test('buys with a second card after a decline', async () => {
  const product = await shop.addProduct(3)
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const consoleErrors: string[] = []
  page.on('console', (line) => line.type() === 'error' && consoleErrors.push(line.text()))
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STUB_SCRIPT }),
  )
  const cards = ['declined', 'good'] as const
  const webhookStatuses: number[][] = []
  let attempts = 0
  await page.exposeFunction('stripeCharge', async (secret: string) => {
    const { status } = shop.stripe.confirm(secret, cards[attempts++] ?? 'good')
    webhookStatuses.push(await shop.deliverNewEvents())
    return status === 'succeeded' ? 'success' : 'Your card has insufficient funds.'
  })
  await page.goto(`${shop.base.origin}/checkout?product=${product}&quantity=2`)
  for (const [label, value] of [
    ['Email', 'fan@mail.example'],
    ['Full name', 'Alex Harbor'],
    ['Street address', '1 Bay Street'],
    ['City', 'Tampa'],
    ['State', 'FL'],
    ['ZIP code', '33602'],
  ] as const)
    await page.getByLabel(label).fill(value)
  const pay = page.getByRole('button', { name: 'Pay $40.00' })
  await pay.click()
  await page.getByText('Payment Failed').first().waitFor()
  expect(await shop.stockOf(product)).toBe(3)
  await pay.click()
  await page.getByRole('heading', { name: 'Purchase Successful' }).waitFor()
  const receipt = page.getByRole('article', { name: 'Receipt' })
  expect(await receipt.innerText()).toMatch(/\$40\.00[\s\S]*Alex Harbor|Alex Harbor[\s\S]*\$40\.00/)
  expect(webhookStatuses.flat().every((status) => status === 200)).toBe(true)
  expect([attempts, shop.stripe.charges.size, await shop.stockOf(product)]).toEqual([2, 1, 1])
  expect(await shop.rows('SELECT status, is_test FROM orders WHERE product_id = ?1', product)).toEqual([
    { status: 'paid', is_test: 1 },
  ])
  expect(await shop.rows(`SELECT kind FROM outbox WHERE recipient = 'fan@mail.example'`)).toEqual([{ kind: 'receipt' }])
  // No CSP violation, which would be a console error. The test's product has no image, hence the 404s.
  expect(consoleErrors.filter((line) => !line.includes('404 (Not Found)'))).toEqual([])
}, 90_000)
