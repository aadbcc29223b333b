import { openScreen } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openEmailTo } from './mailbox'
import { openPage } from './page'

test('erases a visitor’s data after a confirmed inquiry', {
  tag: ['@desktop', '@long'],
}, async ({ page }) => {
  const email = `leaver${Date.now()}@mail.example`
  const question = `Please forget ${email}.`
  await openPage(page, '/privacy-policy#ask')
  const form = page.getByRole('region', { name: 'Ask about your data' })
  await form.getByRole('button', { name: 'Send the question' }).click()
  await expect(form.getByText('Please enter a valid email address.')).toBeVisible()
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription(/valid email address/)
  await expectAccessible(page, '#ask')
  await form.getByLabel('Topic').selectOption('Delete my data')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Your question').fill(question)
  await form.getByRole('button', { name: 'Send the question' }).click()
  await expect(form.getByRole('status')).toContainText('We received your question.')
  await expect(form.getByRole('status')).toContainText(`We’ll answer at ${email} within 30 days`)

  const { frame } = await openEmailTo(page, email, /Your privacy inquiry/)
  await frame.getByRole('link', { name: 'Confirm my inquiry' }).click()
  await expect(page).toHaveURL(/\/inquiries\/confirm\?token=/)
  await page.getByRole('button', { name: 'Confirm my inquiry' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()

  await openScreen(page, 'privacy')
  await page.getByRole('row').filter({ hasText: question }).getByRole('link', { name: 'Answer' }).click()
  await expect(page.getByText('Confirmed from that mailbox.')).toBeVisible()
  await page.getByRole('button', { name: 'Erase this address' }).click()
  await expect(page.getByRole('heading', { name: /^Erase everything about \S+@mail\.example\?$/ })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Erase this address' })).toBeFocused()
  await page.keyboard.press('Enter')
  // A confirmed address needs no check by the admin.
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page.getByRole('heading', { name: 'The address is erased' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Privacy' }).click()
  await expect(page.getByRole('row').filter({ hasText: question })).toHaveCount(0)

  const { frame: receipt } = await openEmailTo(page, email, /Your address at .* has been deleted/)
  await expect(
    receipt.getByRole('paragraph').filter({ hasText: 'This email is your receipt and the last one' }),
  ).toBeVisible()
  await expect(page.getByRole('group').filter({ hasText: email })).toHaveCount(1)
})
