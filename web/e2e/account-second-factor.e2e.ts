import { SECOND_FACTOR_ADMIN } from '../../scripts/tools/e2e-names'
import { dashboardNav, expectDashboard, logOutOfDashboard, submitAdminLogin } from './admin'
import { totpCode } from './authenticator'
import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { logIn } from './users'

test('an admin enables a second factor and uses it', {
  tag: ['@desktop', '@axe'],
}, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*401/)
  await openPage(page, '/admin-login')
  await submitAdminLogin(page, SECOND_FACTOR_ADMIN.username, SECOND_FACTOR_ADMIN.password)
  await expectDashboard(page)

  await dashboardNav(page).getByRole('link', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText('or type the secret:').getByRole('code').textContent()) ?? ''
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/That code is not right\./)
  await page.getByLabel('Code').fill(totpCode(secret))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expectToast(page, 'Second factor on')
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  const recoveryCodes = await page.getByText(/^[A-Z2-7]{8}-[A-Z2-7]{8}$/).allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await expectAccessible(page)

  const logInWithCode = async (code: string) => {
    await logOutOfDashboard(page)
    await expectToast(page, 'Logged Out')
    await submitAdminLogin(page, SECOND_FACTOR_ADMIN.username, SECOND_FACTOR_ADMIN.password)
    await expect(page.getByLabel('Code')).toBeFocused()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  await logInWithCode(recoveryCodes[0] ?? '')
  await expectDashboard(page)
  await dashboardNav(page).getByRole('link', { name: 'Security' }).click()
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  // Recovery codes are shown once.
  await expect(page.getByText(recoveryCodes[1] ?? '')).toHaveCount(0)

  // The supporter login requires the factor too.
  await logIn(page, SECOND_FACTOR_ADMIN.username, SECOND_FACTOR_ADMIN.password)
  await expect(page.getByLabel('Code')).toBeFocused()
  await expectAccessibleInLongRun(page)
  // Each code works once, and the current one enabled the factor.
  await page.getByLabel('Code').fill(totpCode(secret, 1))
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expectToast(page, 'Welcome back!', `You are logged in as ${SECOND_FACTOR_ADMIN.username}.`)
})
