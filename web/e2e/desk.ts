import type { Page } from '@playwright/test'
import { expect, expectToast } from './expectations'

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
