import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { createPoll, openPoll } from './polls'
import { emailedLink, emailOf, logInByApi, PASSWORD, signUp, signUpConfirmed } from './users'

test('a vote counts after its voter confirms on another device', { tag: ['@phone', '@long'] }, async ({
  page,
  newVisitor,
  expectConsoleError,
}) => {
  expectConsoleError(/401.*\/api\/auth\/email\/verify/)
  const author = await newVisitor()
  const title = `Which side, ${await signUpConfirmed(author)}?`
  await createPoll(author, title)
  const name = await signUp(page)
  const poll = await openPoll(page, title)
  await poll.getByRole('button', { name: 'Left' }).click()
  await expectToast(page, 'Vote submitted!', '+10 points earned and +20 for the mission “Cast your first vote”')
  await expect(poll.getByText('Your vote counts once you confirm your email')).toContainText(emailOf(name))
  await expect(poll.getByRole('button', { name: /^Left/ })).toHaveText('Left0 (0.0%)')
  await poll.scrollIntoViewIfNeeded()
  await expectAccessible(page, '#community-voting')
  await poll.getByRole('button', { name: 'Send a new link' }).click()
  await expectToast(page, 'Email sent', `A new link is on its way to ${emailOf(name)}.`)

  const otherDevice = await newVisitor()
  await openPage(otherDevice, await emailedLink(page, emailOf(name), '/verify-email?token='))
  const password = otherDevice.getByLabel('Your password', { exact: true })
  await expect(password).toBeVisible()
  await expect(otherDevice.getByText(name)).toHaveCount(0)
  await password.fill('not the password')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/That password is not right\./)
  await expectAccessible(otherDevice)
  await password.fill(PASSWORD)
  await otherDevice.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(otherDevice.getByText('Thank you. Your email address is confirmed.')).toBeVisible()
  await expect(otherDevice.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()

  const countedPoll = await openPoll(page, title)
  await expect(countedPoll.getByRole('button', { name: /^Left/ })).toHaveText('Left1 (100.0%)')
  await expect(countedPoll.getByText('Your vote counts once')).toHaveCount(0)
})

test('a mailbox owner deletes the account that a stranger created', { tag: ['@phone', '@long'] }, async ({
  page,
  newVisitor,
}) => {
  const stranger = await newVisitor()
  const name = await signUp(stranger)
  await openPage(page, await emailedLink(page, emailOf(name), '/verify-email?token='))
  await page.getByRole('button', { name: 'This was not me' }).click()
  await expect(page.getByText('Didn’t do this?')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete it' }).click()
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible()
  await stranger.goto('/account')
  await expect(stranger).toHaveURL('/login?return=%2Faccount')
  expect(await logInByApi(stranger, name, PASSWORD)).toBe(401)
})
