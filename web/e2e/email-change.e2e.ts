import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { emailedLink, emailOf, logInByApi, PASSWORD, signUpConfirmed } from './users'

test('an email change is confirmed, then undone', { tag: ['@phone', '@long'] }, async ({ page, newVisitor }) => {
  const name = await signUpConfirmed(page)
  const newEmail = `new-${emailOf(name)}`
  await openPage(page, '/account')
  const section = page.getByRole('region', { name: 'Email', exact: true })
  await section.getByRole('button', { name: 'Change email' }).click()
  const field = section.getByLabel('New email')
  await expect(field).toBeFocused()
  await field.fill('no address')
  await field.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await field.fill(newEmail)
  await section.getByRole('button', { name: 'Email me a link' }).click()
  await expectToast(page, 'Email sent', `Open the link we emailed to ${newEmail} to confirm the change.`)
  await expect(section.getByText('Open the link we emailed to')).toContainText(newEmail)
  await expect(section.getByText(emailOf(name), { exact: true })).toBeVisible()

  await openPage(page, await emailedLink(page, newEmail, '/verify-email?token='))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText('Thank you. Your email address is confirmed.')).toBeVisible()
  await openPage(page, '/account')
  await expect(section.getByText(newEmail, { exact: true })).toBeVisible()

  const owner = await newVisitor()
  await openPage(owner, await emailedLink(owner, emailOf(name), '/undo-email-change?token='))
  await expectAccessible(owner)
  await owner.getByRole('button', { name: 'Undo the change' }).click()
  await expect(owner.getByRole('heading', { name: 'Your address is back' })).toBeVisible()
  await expectAccessible(owner)
  await page.goto('/account')
  await expect(page).toHaveURL('/login?return=%2Faccount')
  expect(await logInByApi(page, name, PASSWORD)).toBe(401)
})
