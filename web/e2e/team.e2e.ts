import { dashboardNav, expectAdmin, openScreen, submitAdminLogin } from './admin'
import { expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage, postJson } from './home'
import { PASSWORD, signUpConfirmed } from './users'

test('an owner adds, changes and removes a team member', { tag: ['@desktop', '@axe'] }, async ({
  page,
  newVisitor,
}) => {
  const member = await newVisitor({ viewport: { width: 390, height: 844 } })
  const name = await signUpConfirmed(member)
  await openScreen(page, 'team')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const account = page.getByLabel('Username or email of their account')
  await expect(account).toHaveAccessibleDescription(/Please enter a username or email address\./)
  await account.fill(name)
  await page.getByLabel('Role', { exact: true }).selectOption('Door')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, 'Added', 'They can log in at /admin-login with their own password.')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toBeVisible()

  await openPage(member, '/admin-login')
  await submitAdminLogin(member, name, PASSWORD)
  await expectAdmin(member)
  await member.getByRole('button', { name: 'More' }).click()
  await expect(dashboardNav(member).getByRole('link')).toHaveText(['Overview', 'Door', 'Security'])
  await dashboardNav(member).getByRole('link', { name: 'Door' }).click()
  await expect(member.getByRole('heading', { name: 'Door', level: 1 })).toBeVisible()
  await expectAccessibleInLongRun(member)
  expect((await member.request.get('/api/admin/supporters')).status()).toBe(403)

  await row.getByLabel(`Role of ${name}`).selectOption('Editor')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click()
  await expectToast(page, 'Role changed', `${name} has to log in again.`)
  expect((await postJson(member, '/api/admin/login', { username: name, password: PASSWORD })).status()).toBe(200)
  await openPage(member, '/admin')
  await member.getByRole('button', { name: 'More' }).click()
  await expect(dashboardNav(member).getByRole('link', { name: 'Music', exact: true })).toBeVisible()
  await expect(dashboardNav(member).getByRole('link', { name: 'Team', exact: true })).toHaveCount(0)

  await row.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Removed', `${name} can no longer open the dashboard.`)
  await expect(row).toHaveCount(0)
  expect((await member.request.get('/api/admin/session')).status()).toBe(403)
})
