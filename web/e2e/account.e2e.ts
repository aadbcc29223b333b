import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openEmailTo } from './mailbox'
import { openPage } from './page'
import { emailOf, expectAccountLoaded, logIn, logInByApi, NEW_PASSWORD, newUsername, PASSWORD, signUp } from './users'

test('signs up after form errors and confirms the email', {
  tag: '@phone',
}, async ({ page }) => {
  const name = newUsername('fan')
  await openPage(page)
  await page.getByRole('banner').getByRole('link', { name: 'Sign Up / Login' }).click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const signUpButton = page.getByRole('button', { name: 'Sign Up', exact: true })
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(emailOf(name))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signUpButton.click()
  await expect(page.getByLabel('Phone number')).toBeFocused()
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/Please fill this in\./)
  await expectToast(page, 'Missing fields', 'Please fill in all required fields')
  await page.getByLabel('Phone number').fill('(813) 555-0142')
  await page.getByLabel('Confirm password', { exact: true }).fill('four quiet gulls')
  await signUpButton.click()
  await expectToast(page, 'Password mismatch', "Passwords don't match!")
  // axe measures only the visible part of an element under the bottom bar.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expectAccessible(page)
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
  await signUpButton.click()
  await expectToast(
    page,
    'Account created!',
    `Welcome, ${name}. We sent a link to ${emailOf(name)}. Open it to confirm your email.`,
  )
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', '/subscribe')

  await openPage(page, '/account')
  await expect(page.getByText('Not confirmed yet')).toBeVisible()
  const { frame } = await openEmailTo(page, emailOf(name), /Confirm your email for/)
  await frame.getByRole('link', { name: 'Confirm my email' }).click()
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText('Thank you. Your email address is confirmed.')).toBeVisible()
  await openPage(page, '/account')
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
})

test('changing the password logs out other browsers', { tag: ['@desktop', '@long'] }, async ({
  page,
  newVisitor,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*401/)
  const name = await signUp(page)
  const otherBrowser = await newVisitor()
  await openPage(otherBrowser, '/privacy-policy')
  await otherBrowser.getByRole('link', { name: 'your account page' }).click()
  await expect(otherBrowser).toHaveURL('/login?return=%2Faccount')
  await logIn(otherBrowser, name, PASSWORD)
  await expectToast(otherBrowser, 'Welcome back!', `You are logged in as ${name}.`)
  await expect(otherBrowser).toHaveURL('/account')
  await expect(otherBrowser.getByText(emailOf(name))).toBeVisible()

  await openPage(page, '/account')
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expectToast(page, 'Password changed', 'You were logged out on all your other devices.')

  // The session of the other browser has ended: its next request fails and saves nothing.
  await otherBrowser.getByLabel('Username').fill(`${name}-x`)
  await otherBrowser.getByRole('button', { name: 'Save the name' }).click()
  await expectToast(otherBrowser, 'Name not changed', '401: Please log in first.')
  await expect(otherBrowser.getByRole('banner').getByRole('link', { name: 'Sign Up / Login' })).toBeVisible()
  expect(await logInByApi(otherBrowser, name, PASSWORD)).toBe(401)
  expect(await logInByApi(otherBrowser, name, NEW_PASSWORD)).toBe(200)

  await page.getByLabel('Username').fill(`${name}-y`)
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expectToast(page, 'Name changed', `You are now ${name}-y.`)
  await expectAccountLoaded(page)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await expectToast(page, 'Logged Out', 'Everywhere.')
  for (const browser of [page, otherBrowser]) {
    await browser.goto('/account')
    await expect(browser).toHaveURL('/login?return=%2Faccount')
  }
})

test('resets a password with a single-use link by email', {
  tag: ['@phone', '@axe'],
}, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*40[01]/)
  const name = await signUp(page)
  await page.context().clearCookies()
  await openPage(page, '/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email', { exact: true }).fill(emailOf(name).toUpperCase())
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'an email with a link is on its way' })).toBeVisible()

  const { frame } = await openEmailTo(page, emailOf(name), /Choose a new password/)
  const link = await frame.getByRole('link', { name: 'Choose a new password' }).getAttribute('href')
  const chooseNewPassword = async () => {
    await openPage(page, link ?? '')
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save the new password' }).click()
  }
  await chooseNewPassword()
  await expectToast(page, 'Password changed', 'Log in with your new password.')
  await expect(page).toHaveURL('/login')
  await logIn(page, name, PASSWORD)
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await logIn(page, name, NEW_PASSWORD)
  await expectToast(page, 'Welcome back!', `You are logged in as ${name}.`)

  await chooseNewPassword()
  await expect(page.getByRole('alert').filter({ hasText: 'That link no longer works' })).toBeVisible()
  await expectToast(page, 'Password not changed', '400: That link no longer works. Please ask for a new one.')
  await expectAccessibleInLongRun(page)
  await expect(page.getByRole('button', { name: 'Email me a link' })).toBeVisible()
})

test('deletes an account after asking for its password', {
  tag: ['@phone', '@long'],
}, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*401/)
  const name = await signUp(page)
  await openPage(page, '/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Your password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByLabel('Your password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expectToast(page, 'Account deleted', 'Nothing here identifies you anymore.')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Up / Login' })).toBeVisible()
  expect(await logInByApi(page, name, PASSWORD)).toBe(401)
})

test('account menu works by keyboard, mobile menu logs out', { tag: ['@desktop', '@axe'] }, async ({ page }) => {
  const name = await signUp(page)
  await openPage(page, '/subscribe')
  const button = page.getByRole('banner').getByRole('button', { name: `Account of ${name}` })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expectAccessibleInLongRun(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeHidden()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account')
  await expectAccessible(page)
  await expectAccountLoaded(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(menu.getByText(name)).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account')
  await expectAccessible(page)
  await menu.getByRole('button', { name: 'Log out' }).click()
  await expectToast(page, 'Logged Out')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Up / Login' })).toBeVisible()
})
