import type { Page } from '@playwright/test'
import { expectNewPage, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

const store = (page: Page) => page.getByRole('region', { name: 'Merch Store' })

test('Buy Now opens an external payment page', { tag: '@long' }, async ({ page, externalRequests: _ }) => {
  await page.route('/api/products', async (route) => {
    const products = await (await route.fetch()).json()
    const featured = { ...products[0], isFeatured: true, checkoutUrl: 'https://pay.example/clip' }
    await route.fulfill({ json: [featured, ...products.slice(1)] })
  })
  await openPage(page)
  await expectNewPage(page, store(page).getByRole('link', { name: 'Buy Now' }), 'https://pay.example/clip')
})

test('a sold-out product cannot be bought', { tag: '@long' }, async ({ page }) => {
  await page.route('/api/products', async (route) => {
    const products = await (await route.fetch()).json()
    await route.fulfill({ json: products.map((product: object) => ({ ...product, stock: 0 })) })
  })
  await openPage(page)
  await expect(store(page).getByRole('button', { name: 'Sold out' })).toBeDisabled()
  await expect(store(page).getByRole('link', { name: 'Buy Now' })).toHaveCount(0)
  await store(page).getByRole('link', { name: 'All merch' }).click()
  await expect(page.getByRole('link', { name: /Hoodie/ })).toContainText('Sold out')
})

test('the store leads to a product and its checkout', { tag: '@long' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/404/)
  await openPage(page)
  await store(page).getByRole('link', { name: 'All merch' }).click()
  await expect(page).toHaveURL('/merch')
  await page.getByRole('link', { name: /Gilt Disc Hoodie/ }).click()
  await expect(page).toHaveURL('/merch/gilt-disc-hoodie')
  await expect(page).toHaveTitle('Gilt Disc Hoodie | Tavi Solaire')
  await expect(page.getByRole('heading', { level: 1, name: 'Gilt Disc Hoodie' })).toBeFocused()
  await page.getByRole('link', { name: 'Buy Now' }).click()
  await expect(page).toHaveURL('/checkout?product=gilt-hoodie&quantity=1')
  expect((await page.goto('/merch/Gilt-Disc-Hoodie'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})

test('forced colors keep the merch controls visible', { tag: '@long' }, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/merch/gold-nose-clip')
  const buyLink = page.getByRole('link', { name: 'Buy Now' })
  await expect(buyLink).toHaveCSS('border-top-style', 'solid')
  expect(await buyLink.evaluate((link) => getComputedStyle(link).borderTopColor)).not.toBe(
    await buyLink.evaluate((link) => getComputedStyle(link).backgroundColor),
  )
  await buyLink.focus()
  // Only focus set by the keyboard shows an outline.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(buyLink).toHaveCSS('outline-style', 'solid')
})

test('the merch newsletter form validates, reports a failure and subscribes', { tag: '@long' }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*503/)
  await openPage(page)
  await expect(store(page).getByRole('heading', { name: 'More Drops Coming Soon' })).toBeVisible()
  const postedUrls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && postedUrls.push(request.url()))
  const field = store(page).getByRole('textbox', { name: 'Email' })
  await field.press('Enter')
  await field.fill('no address')
  await field.press('Enter')
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true)
  expect(postedUrls).toEqual([])

  await page.route('/api/newsletter/subscribe', (route) => route.fulfill({ status: 503, body: 'Down.' }))
  await field.fill('fan@example.com')
  await field.press('Enter')
  await expectToast(page, 'Error', 'Failed to subscribe. Please try again.')
  await expect(field).toHaveValue('fan@example.com')

  await page.unroute('/api/newsletter/subscribe')
  await store(page).getByRole('button', { name: 'Notify Me' }).click()
  await expectToast(
    page,
    'Successfully subscribed!',
    "You'll be the first to know about new merch drops. Sign up to earn points! Check your inbox to confirm.",
  )
  await expect(field).toHaveValue('')
})
