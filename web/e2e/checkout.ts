import { expect, type Page } from '@playwright/test'
import { openPage, postJson, waitForRequests } from './page'

type Address = { name: string; line1: string; city: string; state: string; postalCode: string; country: string }
const US_ADDRESS: Address = {
  name: 'Alex Harbor',
  line1: '1 Bay Street',
  city: 'Tampa',
  state: 'FL',
  postalCode: '33602',
  country: 'US',
}

/** Fills in the email and the address; waits until the total includes shipping and tax. */
export async function fillCheckout(page: Page, email = 'fan@mail.example', address = US_ADDRESS): Promise<void> {
  const { name, line1, city, state, postalCode, country } = address
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Full name').fill(name)
  if (country !== US_ADDRESS.country) await page.getByLabel('Country').selectOption(country)
  await page.getByLabel('Street address').fill(line1)
  await page.getByLabel('City').fill(city)
  if (state !== '') await page.getByLabel('State').fill(state)
  const intentUpdate = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/create-payment-intent') &&
      (response.request().postData() ?? '').includes(`"postalCode":"${postalCode}"`),
  )
  await page.getByLabel(/^(ZIP|Postal)/).fill(postalCode)
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
  const lines = [{ variantId: 'gilt-hoodie-l', quantity: 1, unitPriceCents: 8900 }]
  const order = { lines, email: 'fan@mail.example', shippingAddress: US_ADDRESS }
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
