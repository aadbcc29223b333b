import type { Page } from '@playwright/test'
import { fillCheckout, openCheckout, payButton } from './checkout'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { mockStripe } from './stripe-stub'

/** The calls that the Stripe stub received. */
const stubCalls = (page: Page) =>
  page.evaluate(() => {
    const { stripeElements, stripeConfirmed, stripeUpdates } = window as unknown as {
      stripeElements: { clientSecret: string; appearance: { variables: { colorPrimary: string } } }
      stripeConfirmed?: string[]
      stripeUpdates?: number
    }
    return { ...stripeElements, confirmed: stripeConfirmed ?? [], updates: stripeUpdates ?? 0 }
  })

test('mounts Stripe’s form with the order’s secret and pays', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await mockStripe(page)
  const orderIds: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/create-payment-intent')) orderIds.push((await response.json()).orderId)
  })
  await openCheckout(page)
  await expect(page.getByLabel('Card number')).toBeVisible()
  const { clientSecret, appearance } = await stubCalls(page)
  expect(clientSecret).toMatch(/_secret_/)
  expect(appearance.variables.colorPrimary).toMatch(/^#[0-9a-f]{6}$/)
  await page.getByRole('button', { name: 'One more' }).click()
  await expect(page.getByRole('button', { name: 'Pay $178.00' })).toBeEnabled()
  await expect.poll(async () => (await stubCalls(page)).updates).toBe(1)
  await fillCheckout(page)
  // Although Stripe's script reports success, the page waits until the server knows of the payment.
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible()
  const { confirmed } = await stubCalls(page)
  expect(confirmed).toEqual([`${new URL(page.url()).origin}/?purchase=success&order=${orderIds[0]}`])
  await expect(page.getByText('Purchase Successful')).toHaveCount(0)
})

test('a wallet and a card fail, then 3-D Secure passes', { tag: '@phone' }, async ({ page }) => {
  await mockStripe(page)
  await page.addInitScript(() => Object.assign(window, { stripeWallets: true, stripeOutcome: 'The wallet failed.' }))
  await openCheckout(page)
  expect((await stubCalls(page)).clientSecret).toMatch(/_secret_/)
  const wallet = page.getByRole('button', { name: 'Wallet' })
  await wallet.click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await fillCheckout(page)
  await wallet.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The wallet failed.')
  expect(await page.evaluate(() => (window as { walletFailed?: boolean }).walletFailed)).toBe(true)
  await expect(payButton(page)).toBeEnabled()

  const setOutcome = (stripeOutcome: string) =>
    page.evaluate((outcome) => void Object.assign(window, { stripeOutcome: outcome }), stripeOutcome)
  await setOutcome('Your card has insufficient funds.')
  await payButton(page).click()
  await expect(alert).toHaveText('Payment FailedYour card has insufficient funds.')
  await expect(payButton(page)).toBeEnabled()

  await setOutcome('second_step')
  await payButton(page).click()
  const bank = page.getByRole('dialog', { name: 'The bank' })
  await bank.getByRole('button', { name: 'That is not me' }).click()
  await expect(alert).toContainText('We are unable to authenticate your payment method.')
  await payButton(page).click()
  await bank.getByRole('button', { name: 'Confirm it is you' }).click()
  await expect(page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible()
  expect((await stubCalls(page)).confirmed).toHaveLength(4)
  await expect(page.getByText('Purchase Successful')).toHaveCount(0)
})

test('a blocked Stripe script can be retried', { tag: ['@phone', '@long'] }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource|ERR_FAILED/)
  await mockStripe(page, 'blocked')
  await openPage(page, '/checkout?product=gilt-hoodie&variant=gilt-hoodie-l')
  await expect(page.getByRole('heading', { name: 'The card form did not load' })).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  await expectAccessible(page)
  await page.unroute('https://js.stripe.com/**')
  await mockStripe(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
})
