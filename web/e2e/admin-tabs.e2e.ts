import { openAdminTab } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { open, postJson, waitForHydration } from './home'

test('every admin tab loads, fits 390 px and meets WCAG', { tag: '@desktop' }, async ({ page }) => {
  await openAdminTab(page, 'overview')
  const names = await page.getByRole('tab').allTextContents()
  expect(names).toEqual(
    expect.arrayContaining(['Overview', 'Music', 'Merchandise', 'Concerts', 'Supporters', 'Verse Challenge']),
  )
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    const panel = page.getByRole('tabpanel', { name, exact: true })
    await expect(panel.getByRole('heading').first()).toBeVisible()
    await waitForHydration(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const excessPx = () => panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(excessPx, name).toBeLessThanOrEqual(1)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectAccessible(page, name === 'Overview' ? 'html' : '[role=tabpanel]')
  }
})

test('an admin answers a privacy inquiry by email', { tag: '@desktop' }, async ({ page }) => {
  const question = `What do you keep about me? (${Date.now()})`
  const inquiry = { email: 'asker@mail.example', kind: 'access', message: question }
  expect((await postJson(page, '/api/privacy/inquiries', inquiry)).ok()).toBe(true)
  await openAdminTab(page, 'privacy')
  await page.getByRole('row').filter({ hasText: question }).getByRole('button', { name: 'Answer' }).click()
  await page.getByLabel('Your answer').fill('Your address, and that you asked.')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await expect(page.getByRole('row').filter({ hasText: question })).toContainText('Answered')

  await open(page, '/demo/mailbox')
  await expect(page.getByText('The answer to your privacy inquiry').first()).toBeVisible()
})
