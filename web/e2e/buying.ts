import { expect, type Page } from '@playwright/test'
import { open } from './home'

/** Fills in who buys and where it goes. */
export async function fillIn(page: Page, email = 'fan@mail.example'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Full name').fill('Alex Harbor')
  await page.getByLabel('Street address').fill('1 Bay Street')
  await page.getByLabel('City').fill('Tampa')
  await page.getByLabel('State').fill('FL')
  await page.getByLabel('ZIP code').fill('33602')
}

/** Opens the checkout and waits until the card form can be used. */
export async function openCheckout(page: Page, search = ''): Promise<void> {
  await open(page, `/checkout${search}`)
  await expect(payButton(page)).toBeEnabled()
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^(Pay \$|Processing)/ })
export const receipt = (page: Page) => page.getByRole('article', { name: 'Receipt' })
