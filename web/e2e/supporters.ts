import { expect, type Page } from '@playwright/test'
import { openFullPage } from './home'

/** Signs up a supporter in this page's browser; returns the username. */
export async function signUpSupporter(page: Page): Promise<string> {
  const origin = new URL((await page.goto('/privacy-policy'))?.url() ?? '').origin
  const username = `fan-${crypto.randomUUID().slice(0, 12)}`
  const response = await page.request.post('/api/auth/signup', {
    headers: { origin },
    data: { username, email: `${username}@example.com`, password: 'four quiet gulls over water' },
  })
  expect(response.status()).toBe(201)
  return username
}

export async function signUpAndOpen(page: Page): Promise<string> {
  const username = await signUpSupporter(page)
  await openFullPage(page)
  await expect(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible()
  return username
}

/** The total in the navigation. */
export const pointsTotal = (page: Page) => page.getByRole('banner').getByText('Your points:').locator('..')
