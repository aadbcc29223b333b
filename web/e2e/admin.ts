import type { Locator, Page } from '@playwright/test'
import { expect, expectToast } from './expectations'
import { photoFile } from './files'
import { open } from './home'

/** Types a name and a password at the door to the desk. */
export async function submitAdminLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** The door has opened, and the desk stands: its code is fetched after the address has changed. */
export async function expectAdmin(page: Page): Promise<void> {
  await expectToast(page, 'Login Successful', 'The desk is yours for 24 hours.')
  await expect(page).toHaveURL(/\/admin$|\/admin\?/)
  await expect(page.getByRole('tablist', { name: 'The desk' })).toBeVisible()
}

/** Logs in with what the demo's own page shows. */
export async function openAdmin(page: Page): Promise<void> {
  await open(page, '/admin-login')
  const shown = page.getByRole('region', { name: 'Demo credentials' }).getByRole('definition')
  await expect(shown).toHaveCount(2)
  const [username = '', password = ''] = await shown.allTextContents()
  await submitAdminLogin(page, username, password)
  await expectAdmin(page)
}

/** Opens a tab of the desk and presses the button that opens a form there. */
export async function openForm(page: Page, tab: string, button: string): Promise<Locator> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
  await page.getByRole('button', { name: button }).click()
  return page.getByRole('dialog')
}

/** Sends a photograph to a field of the form, and waits until it is shown. */
export async function uploadFile(dialog: Locator, label: string): Promise<string> {
  const field = dialog.getByRole('group', { name: label, exact: true })
  await field.getByLabel(`${label}: choose a picture`).setInputFiles(await photoFile())
  await expect(field.locator('img')).toHaveAttribute('src', /^\/media\/uploads\//)
  return ((await field.locator('img').getAttribute('src')) ?? '').replace('?w=320', '')
}
