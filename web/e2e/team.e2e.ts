import { dashboardNav, expectDashboard, openScreen, submitAdminLogin } from './admin'
import { expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage, postJson } from './page'
import { PASSWORD, signUpConfirmed } from './users'

test('an owner adds, changes and removes a team member', { tag: ['@desktop', '@axe'] }, async ({
  page,
  newVisitor,
}) => {
  const newAdmin = await newVisitor({ viewport: { width: 390, height: 844 } })
  const name = await signUpConfirmed(newAdmin)
  await openScreen(page, 'team')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const accountField = page.getByLabel('Username or email of their account')
  await expect(accountField).toHaveAccessibleDescription(/Please enter a username or email address\./)
  await accountField.fill(name)
  await page.getByLabel('Role', { exact: true }).selectOption('Door')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, 'Added', 'They can log in at /admin-login with their own password.')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toBeVisible()

  await openPage(newAdmin, '/admin-login')
  await submitAdminLogin(newAdmin, name, PASSWORD)
  await expectDashboard(newAdmin)
  await newAdmin.getByRole('button', { name: 'More' }).click()
  await expect(dashboardNav(newAdmin).getByRole('link')).toHaveText(['Overview', 'Door', 'Security'])
  await dashboardNav(newAdmin).getByRole('link', { name: 'Door' }).click()
  await expect(newAdmin.getByRole('heading', { name: 'Door', level: 1 })).toBeVisible()
  await expectAccessibleInLongRun(newAdmin)
  expect((await newAdmin.request.get('/api/admin/supporters')).status()).toBe(403)

  await row.getByLabel(`Role of ${name}`).selectOption('Editor')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click()
  await expectToast(page, 'Role changed', `${name} has to log in again.`)
  expect((await postJson(newAdmin, '/api/admin/login', { username: name, password: PASSWORD })).status()).toBe(200)
  await openPage(newAdmin, '/admin')
  await newAdmin.getByRole('button', { name: 'More' }).click()
  await expect(dashboardNav(newAdmin).getByRole('link', { name: 'Music', exact: true })).toBeVisible()
  await expect(dashboardNav(newAdmin).getByRole('link', { name: 'Team', exact: true })).toHaveCount(0)

  await row.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Removed', `${name} can no longer open the dashboard.`)
  await expect(row).toHaveCount(0)
  expect((await newAdmin.request.get('/api/admin/session')).status()).toBe(403)
})
