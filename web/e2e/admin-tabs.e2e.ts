import { openAdmin } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { open, waitForHydration } from './home'

test('every admin tab opens, is accessible, without failed requests', { tag: '@desktop' }, async ({ page }) => {
  await openAdmin(page)
  const names = await page.getByRole('tab').allTextContents()
  expect(names).toEqual(
    expect.arrayContaining(['Overview', 'Music', 'Merchandise', 'Concerts', 'Supporters', 'Verse Challenge']),
  )
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(page.getByRole('tabpanel', { name, exact: true }).getByRole('heading').first()).toBeVisible()
    await waitForHydration(page)
    await expectAccessible(page)
  }
})

test('an admin answers a privacy inquiry by email', { tag: '@desktop' }, async ({ page }) => {
  const question = `What do you keep about me? (${Date.now()})`
  await open(page, '/privacy-policy#ask')
  const form = page.getByRole('region', { name: 'Ask about your data' })
  await form.getByRole('button', { name: 'Send the question' }).click()
  await expect(form.getByText('Please enter a valid email address.')).toBeVisible()
  await form.getByLabel('Email').fill('asker@mail.example')
  await form.getByLabel('Your question').fill(question)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Send the question' }).click()
  await expect(form.getByRole('status')).toContainText('Your question has reached us.')

  await openAdmin(page)
  await page.getByRole('tab', { name: 'Privacy', exact: true }).click()
  await page.getByRole('row').filter({ hasText: question }).getByRole('button', { name: 'Answer' }).click()
  await page.getByLabel('Your answer').fill('Your address, and that you asked.')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await expect(page.getByRole('row').filter({ hasText: question })).toContainText('Answered')

  await open(page, '/demo/mailbox')
  await expect(page.getByText('The answer to your privacy inquiry').first()).toBeVisible()
})
