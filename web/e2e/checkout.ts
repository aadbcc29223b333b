import { expect, type Page } from '@playwright/test'
import { openPage, postJson, waitForRequests } from './page'

/** Fills in the email and a US address; waits until the total includes shipping and tax. */
export async function fillCheckout(page: Page, email = 'fan@mail.example'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Full name').fill('Alex Harbor')
  await page.getByLabel('Street address').fill('1 Bay Street')
  await page.getByLabel('City').fill('Tampa')
  await page.getByLabel('State').fill('FL')
  const intentUpdate = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/create-payment-intent') &&
      (response.request().postData() ?? '').includes('"postalCode":"33602"'),
  )
  await page.getByLabel('ZIP code').fill('33602')
  await intentUpdate
  // The buyer would have to confirm a total that changes during the payment.
  await waitForRequests(page)
}

/** Opens the checkout, chooses a size if it asks for one, and waits until the card form is usable. */
export async function openCheckout(page: Page, search = ''): Promise<void> {
  await openPage(page, `/checkout${search}`)
  const continueButton = page.getByRole('button', { name: 'Continue to payment' })
  await expect(continueButton.or(payButton(page))).toBeVisible()
  if (await continueButton.isVisible()) {
    await page.getByText('L', { exact: true }).click()
    await continueButton.click()
  }
  await expect(payButton(page)).toBeEnabled()
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^(Pay \$|Processing)/ })
export const receipt = (page: Page) => page.getByRole('article', { name: 'Receipt' })

/** Buys one hoodie through the API; returns the order's id and client secret. */
export async function buyViaApi(page: Page): Promise<{ id: string; secret: string }> {
  const shippingAddress = {
    name: 'Alex Harbor',
    line1: '1 Bay Street',
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  const lines = [{ variantId: 'gilt-hoodie-l', quantity: 1, unitPriceCents: 8900 }]
  const order = { lines, email: 'fan@mail.example', shippingAddress }
  const intentResponse = await postJson(page, '/api/create-payment-intent', order)
  const { orderId: id, clientSecret: secret } = (await intentResponse.json()) as {
    orderId: string
    clientSecret: string
  }
  const paymentResponse = await postJson(page, `/api/test-payments/${id}/confirm`, {
    clientSecret: secret,
    card: 'succeeds',
  })
  expect(await paymentResponse.json()).toEqual({ outcome: 'succeeded', message: null })
  return { id, secret }
}
