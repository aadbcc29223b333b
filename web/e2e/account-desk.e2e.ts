import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { codeOf } from './authenticator'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'
import { addressOf, newName, PASSWORD } from './people'

/** Types a name and a password at the door to the desk. */
async function knock(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function expectDesk(page: Page): Promise<void> {
  await expectToast(page, 'Login Successful', 'The desk is yours for 24 hours.')
  await expect(page).toHaveURL(/\/admin$|\/admin\?/)
}

/** Logs in with what the demo's own page shows. */
async function openDesk(page: Page): Promise<void> {
  await open(page, '/admin-login')
  const shown = page.getByRole('region', { name: 'Demo credentials' }).getByRole('definition')
  await expect(shown).toHaveCount(2)
  const [username = '', password = ''] = await shown.allTextContents()
  await knock(page, username, password)
  await expectDesk(page)
}

test('the desk closes by its log-out, and after 24 hours by itself', { tag: '@desk' }, async ({ page }) => {
  // A device whose own clock is days ahead: the hours are the server's.
  await page.clock.install({ time: Date.now() + 72 * 3_600_000 })
  await openDesk(page)
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await expectToast(page, 'Logged Out')
  await expect(page).toHaveURL('/admin-login')
  await openDesk(page)
  await page.clock.fastForward('23:58:00')
  await expect(page.getByRole('heading', { name: 'Admin', level: 1 })).toBeVisible()
  await page.clock.fastForward('02:00')
  await expectToast(page, 'Session Expired', 'Please log in again')
  await expect(page).toHaveURL('/admin-login')
})

test('a flag set by hand opens nothing', { tag: '@phone' }, async ({ page, expectComplaint }) => {
  expectComplaint(/Failed to load resource.*401/)
  await page.addInitScript(() => {
    for (const name of ['isAdmin', 'adminLoggedIn', 'adminAuthenticated', 'admin']) localStorage.setItem(name, 'true')
    for (const name of ['adminLoginTime', 'loginTime']) localStorage.setItem(name, String(Date.now()))
  })
  await page.goto('/admin')
  await expectToast(page, 'Session Expired', 'Please log in again')
  await expect(page).toHaveURL('/admin-login')
  for (const path of ['/api/admin/session', '/api/admin/overview'])
    expect((await page.request.get(path)).status(), path).toBe(401)
})

test('an administrator whom the command made turns a second factor on, and needs it from then on', {
  tag: '@desk',
}, async ({ page, expectComplaint }) => {
  expectComplaint(/Failed to load resource.*401/)
  const name = newName('boss')
  const command = [
    'scripts/admin-create.ts',
    '--username',
    name,
    '--email',
    addressOf(name),
    '--state',
    '.wrangler/e2e',
  ]
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, ADMIN_PASSWORD: PASSWORD } })
  await open(page, '/admin-login')
  await knock(page, name, PASSWORD)
  await expectDesk(page)

  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText('or type the secret:').getByRole('code').textContent()) ?? ''
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/That code is not right\./)
  await page.getByLabel('Code').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expectToast(page, 'Second factor on')
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  const recovery = await page.getByText(/^[A-Z2-7]{8}-[A-Z2-7]{8}$/).allTextContents()
  expect(recovery).toHaveLength(10)
  await expectAccessible(page)

  const comeBackWith = async (code: string) => {
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
    await expectToast(page, 'Logged Out')
    await knock(page, name, PASSWORD)
    await expect(page.getByLabel('Code')).toBeFocused()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  // The one that turned it on was spent with that.
  await comeBackWith(codeOf(secret, 1))
  await expectDesk(page)
  await comeBackWith(recovery[0] ?? '')
  await expectDesk(page)
  await page.getByRole('tab', { name: 'Security' }).click()
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  // What was shown once is shown no more.
  await expect(page.getByText(recovery[1] ?? '')).toHaveCount(0)
})
