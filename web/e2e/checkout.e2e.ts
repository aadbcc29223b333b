import { fillCheckout, openCheckout, payButton, receipt } from './checkout'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

test('a visitor buys two hoodies and sees the receipt', { tag: '@phone' }, async ({ page }) => {
  await openCheckout(page)
  for (const name of ['Quick navigation', 'Menu', 'Sections'])
    await expect(page.getByRole('navigation', { name })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Back to merch' })).toBeVisible()
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText(/Gilt Disc Hoodie\s*L.*Subtotal\s*\$89\.00.*Total\s*\$89\.00/)
  await summary.getByRole('button', { name: 'One more' }).click()
  await expect(page).toHaveURL('/checkout?product=gilt-hoodie&variant=gilt-hoodie-l&quantity=2')
  await expect(summary).toContainText(/Total\s*\$178\.00/)
  await expect(page.getByText('Test payments: no card is charged')).toBeVisible()
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Pay $190.46' }).click()
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
  await expectToast(page, 'Purchase Successful', 'Thank you. Your receipt is on this page.')
  await expect(receipt(page)).toContainText(
    /2 × \$89\.00.*Alex Harbor\s*1 Bay Street\s*Tampa, FL 33602.*Total\s*\$190\.46/,
  )
  // The secret is removed from the URL, and a reload still shows the receipt.
  await expect(page).toHaveURL(/\/orders\/[\w-]+$/)
  await page.reload()
  await expect(receipt(page)).toContainText('Paid')
  await expectAccessible(page)
})

test('after a decline the 3-D Secure card works by keyboard', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openCheckout(page, '?product=gold-nose-clip')
  const top = async (role: 'heading' | 'region', name: string) =>
    (await page.getByRole(role, { name }).boundingBox())?.y ?? 0
  expect(await top('heading', 'Checkout')).toBeLessThan(await top('region', 'Order summary'))
  await fillCheckout(page)
  await page.getByRole('radio', { name: /Red card/ }).check()
  await payButton(page).click()
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText('Payment FailedYour card was declined. Please try another card.')
  await expect(page.getByLabel('Street address')).toHaveValue('1 Bay Street')
  await page.getByRole('radio', { name: /Gold card/ }).check()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: /Blue card/ })).toBeChecked()
  await page.keyboard.press('Enter')
  const bank = page.getByRole('dialog', { name: 'Your bank asks you to confirm' })
  await expect(bank).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(alert).toContainText('We could not confirm that it is you. Please try again, or use another card.')
  await payButton(page).press('Enter')
  await bank.getByRole('button', { name: 'Confirm the payment' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
})

test('two tabs share one order; a double click pays once', { tag: ['@desktop', '@long'] }, async ({
  page,
  context,
}) => {
  await openCheckout(page, '?product=gold-nose-clip&quantity=2')
  const secondTab = await context.newPage()
  const [intentResponse] = await Promise.all([
    secondTab.waitForResponse('**/api/create-payment-intent'),
    openCheckout(secondTab, '?product=gold-nose-clip&quantity=2'),
  ])
  const { orderId } = (await intentResponse.json()) as { orderId: string }
  const confirmUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/test-payments/')) confirmUrls.push(request.url())
  })
  await fillCheckout(page)
  await payButton(page).dblclick()
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
  expect(confirmUrls).toEqual([expect.stringContaining(`/api/test-payments/${orderId}/confirm`)])
})

test('a forged return URL shows no purchase', { tag: ['@desktop', '@long'] }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*404/)
  await openPage(page, '/?purchase=success')
  await expect(page).toHaveURL('/')
  await openPage(page, '/orders/o-1?client_secret=made-up&purchase=success')
  await expect(page.getByRole('heading', { name: 'No receipt here' })).toBeVisible()
  await openCheckout(page, '?product=gold-nose-clip&purchase=success')
  await expect(page.getByText('Purchase Successful')).toHaveCount(0)
})

test('the broadcast code takes $5 off; others are rejected', { tag: ['@phone', '@long'] }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*400/)
  await openCheckout(page, '?product=gold-nose-clip')
  await page.getByLabel('Promotion code').fill('NOPE')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('alert')).toContainText('There is no such code.')
  await page.getByLabel('Promotion code').fill('gilt5')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Pay $14.99' })).toBeEnabled()
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(/Promotion GILT5\s*−\$5\.00/)
})

test('explains sold-out, price-change and unconfigured errors', { tag: ['@phone', '@long'] }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*(409|503)/)
  const retry = page.getByRole('button', { name: 'Retry' })
  for (const [status, code, title] of [
    [409, 'sold_out', 'Sold out'],
    [409, 'price_changed', 'The price has changed'],
    [503, 'payments_off', 'Card payment is not set up on this site yet'],
  ] as const) {
    await page.route('/api/create-payment-intent', (route) =>
      route.fulfill({ status, headers: { 'x-error-code': code }, body: 'Rejected.' }),
    )
    await (code === 'sold_out' ? openPage(page, '/checkout?product=gold-nose-clip') : retry.click())
    await expect(page.getByRole('alert').getByRole('heading', { name: title })).toBeVisible()
    await expect(payButton(page)).toBeDisabled()
    await page.unroute('/api/create-payment-intent')
  }
  await expectAccessible(page)
  await retry.click()
  await expect(payButton(page)).toBeEnabled()
})
