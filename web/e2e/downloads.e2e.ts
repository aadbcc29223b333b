import type { APIResponse, Page } from '@playwright/test'
import { openScreen } from './admin'
import { addToCart, cartDrawer } from './cart'
import { fillCheckout, payButton, receipt } from './checkout'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { signUp } from './users'

const ALBUM_PAGE = '/merch/causeway-season'

const downloadLink = (page: Page, format = 'FLAC') =>
  page.getByRole('link', { name: new RegExp(`^Download Causeway Season as ${format}`) })
const bytesOf = async (response: APIResponse) => Buffer.from(await response.body())

/** Enters a price for the album and adds it to the cart. */
async function addAlbum(page: Page, price: string): Promise<void> {
  await openPage(page, ALBUM_PAGE)
  for (const format of ['MP3', 'FLAC']) await expect(page.getByText(format, { exact: true })).toBeVisible()
  await page.getByLabel('Name your price').fill(price)
  await page.getByRole('button', { name: 'Add to cart' }).click()
}

test('an album is bought with a hoodie, downloaded and refunded', { tag: ['@desktop', '@long'] }, async ({
  page,
  newVisitor,
}) => {
  await signUp(page)
  await addAlbum(page, '12')
  await expect(cartDrawer(page)).toContainText('$12.00')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await openPage(page, '/merch/gilt-disc-hoodie')
  await addToCart(page, 'M')
  await cartDrawer(page).getByRole('button', { name: 'Check out' }).click()
  await fillCheckout(page)
  await expect(payButton(page)).toBeEnabled()
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
  await expect(receipt(page)).toContainText('$12.00')

  await expect(downloadLink(page)).toBeVisible({ timeout: 20_000 })
  await expect(downloadLink(page, 'MP3')).toBeVisible()
  await expectAccessible(page)
  const url = (await downloadLink(page).getAttribute('href')) ?? ''
  const wholeFile = await page.request.get(url)
  const file = await bytesOf(wholeFile)
  expect([wholeFile.status(), wholeFile.headers()['content-type'], file.subarray(0, 2).toString()]).toEqual([
    200,
    'application/zip',
    'PK',
  ])
  // A download that is interrupted in the middle can be resumed.
  const halfLength = Math.floor(file.length / 2)
  const firstHalf = await page.request.get(url, { headers: { range: `bytes=0-${halfLength - 1}` } })
  const secondHalf = await page.request.get(url, {
    headers: { range: `bytes=${halfLength}-`, 'if-range': wholeFile.headers().etag ?? '' },
  })
  expect([firstHalf.status(), secondHalf.status()]).toEqual([206, 206])
  expect(Buffer.concat([await bytesOf(firstHalf), await bytesOf(secondHalf)]).equals(file)).toBe(true)
  expect(file.includes('01 Skyway at Dusk.flac')).toBe(true)
  expect(file.includes('fLaC')).toBe(true)

  const orderId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await openPage(page, '/account')
  const library = page.getByRole('region', { name: 'Your library' })
  await expect(library.getByRole('link', { name: /^Download Causeway Season as FLAC/ })).toBeVisible()

  const admin = await newVisitor()
  await openScreen(admin, 'orders')
  const refundResponse = await admin.request.post(`/api/admin/orders/${orderId}/refund`, {
    headers: { origin: new URL(admin.url()).origin },
    data: { reason: 'Bought twice.', lines: [{ lineId: `${orderId}-1`, quantity: 1, restock: false }] },
  })
  expect(refundResponse.status()).toBe(200)
  const downloadAfterRefund = await page.request.get(url)
  expect([downloadAfterRefund.status(), downloadAfterRefund.headers()['x-error-code']]).toEqual([410, 'closed'])
  await page.reload()
  await expect(library).toContainText('No music yet.')
  await page.goto(`/orders/${orderId}`)
  await expect(receipt(page)).toContainText('$12.00')
  await expect(downloadLink(page)).toHaveCount(0)
})
