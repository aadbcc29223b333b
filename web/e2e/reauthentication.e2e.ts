import { openScreen } from './admin'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { getJson } from './page'

test('an export continues after re-authentication', { tag: ['@phone', '@long'] }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*40[13]/)
  const { demoAdmin } = await getJson<{ demoAdmin: { password: string } }>(page, '/api/config')
  await openScreen(page, 'exports')
  // Simulates a session that logged in more than 15 minutes ago.
  let isReauthenticated = false
  await page.route('/api/admin/exports', async (route) => {
    if (isReauthenticated || route.request().method() !== 'POST') return route.fallback()
    const headers = { 'x-error-code': 'recent_auth_required' }
    await route.fulfill({ status: 403, headers, body: 'Please confirm that it is you.' })
  })
  await page.getByLabel('Data', { exact: true }).selectOption('Points ledger')
  const exportButton = page.getByRole('button', { name: 'Export', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const password = dialog.getByLabel('Your password', { exact: true })
  await exportButton.click()
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expectToast(page, 'The export could not be requested', '403: Please confirm that it is you.')

  await exportButton.click()
  await password.fill('not the password')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/\w/)
  await password.fill(demoAdmin.password)
  isReauthenticated = true
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expectToast(page, 'Export requested', 'It appears below as soon as it is ready.')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Points ledger' }).first().click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
})
