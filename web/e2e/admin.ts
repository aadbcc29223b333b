import type { Locator, Page } from '@playwright/test'
import { expect, expectToast } from './expectations'
import { PHONE_PHOTO, type PhotoSize, photoFile } from './media-files'
import { getJson, openPage, postJson, waitForHydration, waitForRequests } from './page'

/** Submits the form of the login page that is open. */
export async function submitAdminLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Expects the toast of a login, and waits for the dashboard, whose code loads after the URL changes. */
export async function expectDashboard(page: Page): Promise<void> {
  await expectToast(page, 'Login Successful', 'You’re logged in for 24 hours.')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
}

/** Logs in with the demo credentials shown on the login page. */
export async function logInAsDemoAdmin(page: Page): Promise<void> {
  await openPage(page, '/admin-login')
  const credentials = page.getByRole('region', { name: 'Demo credentials' }).getByRole('definition')
  await expect(credentials).toHaveCount(2)
  const [username = '', password = ''] = await credentials.allTextContents()
  await submitAdminLogin(page, username, password)
  await expectDashboard(page)
}

/** Starts an admin session through the API. */
export async function startAdminSession(page: Page): Promise<void> {
  const { demoAdmin } = await getJson<{ demoAdmin: object }>(page, '/api/config')
  expect((await postJson(page, '/api/admin/login', demoAdmin)).status()).toBe(200)
}

/** Starts an admin session and opens a screen. `path` follows `/admin/`; it is empty for the overview. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await startAdminSession(page)
  await openPage(page, path === '' ? '/admin' : `/admin/${path}`)
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
}

/** Opens another screen without a page load, as links do. `path` begins with `/admin`; `label` is the heading. */
export async function goToScreen(page: Page, path: string, label: string): Promise<void> {
  await page.evaluate((url) => {
    history.pushState(null, '', url)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect(page.getByRole('heading', { level: 1, name: label, exact: true })).toBeVisible()
  await waitForHydration(page)
  await waitForRequests(page)
}

/** Logs out from the account menu. */
export async function logOutOfDashboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
}

/** The dashboard's navigation: the sidebar, on a phone the dialog that "More" opens. */
export const dashboardNav = (page: Page): Locator => page.getByRole('navigation', { name: 'Dashboard' })

/** Opens a screen from the dashboard's navigation. */
export async function followNavLink(page: Page, screen: string): Promise<void> {
  if (!(await dashboardNav(page).isVisible())) await page.getByRole('button', { name: 'More' }).click()
  await dashboardNav(page).getByRole('link', { name: screen, exact: true }).click()
}

/** Opens a screen from the dashboard's navigation, then the form dialog that `button` opens; returns the dialog. */
export async function openForm(page: Page, screen: string, button: string): Promise<Locator> {
  await followNavLink(page, screen)
  await page.getByRole('button', { name: button }).click()
  return page.getByRole('dialog')
}

/** Opens a screen from the dashboard's navigation, then the page of a new record; returns its main element. */
export async function openFormPage(page: Page, screen: string, link: string): Promise<Locator> {
  await followNavLink(page, screen)
  await page.getByRole('link', { name: link }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^A new / })).toBeVisible()
  return page.getByRole('main')
}

/** Uploads a photo to a form field; returns its URL once the preview shows. */
export async function uploadPhoto(form: Locator, label: string, size: PhotoSize = PHONE_PHOTO): Promise<string> {
  const field = form.getByRole('group', { name: label, exact: true })
  await field.getByLabel(`${label}: choose a picture`).setInputFiles(await photoFile(size))
  await expect(field.locator('img')).toHaveAttribute('src', /^\/media\/uploads\//)
  return ((await field.locator('img').getAttribute('src')) ?? '').replace('@320', '')
}
