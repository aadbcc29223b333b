import { openAdmin } from './admin'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'

test('the desk closes by its log-out, and after 24 hours by itself', { tag: '@desk' }, async ({ page }) => {
  // A device whose own clock is days ahead: the hours are the server's.
  await page.clock.install({ time: Date.now() + 72 * 3_600_000 })
  await openAdmin(page)
  // What is still being asked when the desk closes is answered 401, rightly.
  await page.waitForLoadState('networkidle')
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await expectToast(page, 'Logged Out')
  await expect(page).toHaveURL('/admin-login')
  await openAdmin(page)
  await page.clock.fastForward('23:58:00')
  await expect(page.getByRole('heading', { name: 'Admin', level: 1 })).toBeVisible()
  await page.clock.fastForward('02:00')
  await expectToast(page, 'Session Expired', 'Please log in again')
  await expect(page).toHaveURL('/admin-login')
})

test('a flag set by hand opens nothing', { tag: '@phone' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*401/)
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
