import { ADMIN_SCREENS } from '../../worker/contract/admin-screens'
import { dashboardNav, openScreen } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { open, postJson } from './home'

const screens = ADMIN_SCREENS.filter(({ path }) => !path.includes(':'))
const navLabels = ADMIN_SCREENS.flatMap((screen) => ('group' in screen ? [screen.label] : []))

test('the dashboard has the six names, one heading each and no public navigation', { tag: '@desktop' }, async ({
  page,
}) => {
  await openScreen(page, '')
  await expect(dashboardNav(page).getByRole('link')).toContainText(navLabels)
  for (const name of ['Overview', 'Music', 'Merchandise', 'Concerts', 'Supporters', 'Verse Challenge']) {
    await dashboardNav(page).getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^${name} \\| `))
  }
  for (const name of ['Sections', 'Menu', 'Quick navigation'])
    await expect(page.getByRole('navigation', { name })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign Up / Login' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Supporters' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Supporters' })).toBeVisible()
})

for (const { id, label, path } of screens)
  test(`${id} fits and meets WCAG at both widths`, { tag: '@desktop' }, async ({ page }) => {
    await openScreen(page, path.slice('/admin/'.length))
    await expect(page.getByRole('heading', { level: 1, name: label, exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const excessPx = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(excessPx).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })

test('a phone reaches every screen from the bottom bar', { tag: '@phone' }, async ({ page }) => {
  await openScreen(page, '')
  const bar = page.getByRole('navigation', { name: 'Quick navigation' })
  await expect(bar.getByRole('listitem')).toHaveText(['Home', 'Orders', 'Door', 'Post', 'More'])
  await bar.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await expectAccessible(page)
  await dashboardNav(page).getByRole('link', { name: 'Polls' }).click()
  await expect(page).toHaveURL('/admin/polls')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an admin answers a privacy inquiry by email', { tag: '@desktop' }, async ({ page }) => {
  const question = `What do you keep about me? (${Date.now()})`
  const inquiry = { email: 'asker@mail.example', kind: 'access', message: question }
  expect((await postJson(page, '/api/privacy/inquiries', inquiry)).ok()).toBe(true)
  await openScreen(page, 'privacy')
  await page.getByRole('row').filter({ hasText: question }).getByRole('button', { name: 'Answer' }).click()
  await page.getByLabel('Your answer').fill('Your address, and that you asked.')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await expect(page.getByRole('row').filter({ hasText: question })).toContainText('Answered')

  await open(page, '/demo/mailbox')
  await expect(page.getByText('The answer to your privacy inquiry').first()).toBeVisible()
})
