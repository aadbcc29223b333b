import type { Page } from '@playwright/test'
import { expect, expectToast } from './expectations'
import { open } from './home'

/** Types a name and a password at the door to the desk. */
export async function knock(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** The door has opened. */
export async function expectDesk(page: Page): Promise<void> {
  await expectToast(page, 'Login Successful', 'The desk is yours for 24 hours.')
  await expect(page).toHaveURL(/\/admin$|\/admin\?/)
}

/** Logs in with what the demo's own page shows. */
export async function openDesk(page: Page): Promise<void> {
  await open(page, '/admin-login')
  const shown = page.getByRole('region', { name: 'Demo credentials' }).getByRole('definition')
  await expect(shown).toHaveCount(2)
  const [username = '', password = ''] = await shown.allTextContents()
  await knock(page, username, password)
  await expectDesk(page)
}
