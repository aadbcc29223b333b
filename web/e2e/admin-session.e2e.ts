import { logInAsDemoAdmin, logOutOfDashboard } from './admin'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { waitForRequests } from './page'

test('an admin session ends at logout and after 24 hours', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  // The client's clock is three days ahead and must not matter.
  await page.clock.install({ time: Date.now() + 72 * 3_600_000 })
  await logInAsDemoAdmin(page)
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  await waitForRequests(page)
  await logOutOfDashboard(page)
  await expectToast(page, 'Logged Out')
  await expect(page).toHaveURL('/admin-login')
  await logInAsDemoAdmin(page)
  await page.clock.fastForward('23:58:00')
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await page.clock.fastForward('02:00')
  await expectToast(page, 'Session Expired', 'Please log in again')
  await expect(page).toHaveURL('/admin-login')
})

test('forged flags in localStorage grant no admin access', { tag: '@phone' }, async ({ page, expectConsoleError }) => {
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
