import { Events, OAuth2Server } from 'oauth2-mock-server'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { emailOf, expectAccountLoaded, newUsername } from './users'

// The tests run one after another, because they set the user of one provider.
test.describe.configure({ mode: 'default' })
const provider = new OAuth2Server()

test.beforeAll(async ({ baseURL }) => {
  await provider.issuer.keys.generate('RS256')
  await provider.start(Number(new URL(baseURL ?? '').port) + 1000, 'localhost')
})
test.afterEach(() => {
  provider.service.removeAllListeners()
})
test.afterAll(() => provider.stop())

/** Sets the user that the provider returns in the following logins. */
const setProviderUser = (name: string) =>
  provider.service.on(Events.BeforeTokenSigning, ({ payload }) => {
    Object.assign(payload, { sub: name, email: emailOf(name), email_verified: true, name })
  })

test('a visitor signs up with Google and logs in again', {
  tag: '@desktop',
}, async ({ page }) => {
  const name = newUsername('googler')
  setProviderUser(name)
  for (const visit of ['first', 'second']) {
    await openPage(page, '/login?return=/account')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await expect(page, `the ${visit} visit`).toHaveURL('/account')
    await expect(page.getByText(emailOf(name))).toBeVisible()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
    await expectAccountLoaded(page)
    await page.getByRole('button', { name: `Account of ${name}` }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await expectToast(page, 'Logged Out')
  }
})

test('a like is saved after signing up with Google', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  setProviderUser(newUsername('googler'))
  await openPage(page)
  const like = page.getByRole('button', { name: /^Like / }).first()
  await like.click()
  await page.getByRole('dialog').getByRole('link', { name: 'Continue with Google' }).click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL('/')
  await expectToast(page, 'Liked!', /^Track added to your favorites\. \+5 points earned/)
})

test('a failed Google login can be retried', {
  tag: ['@desktop', '@long'],
}, async ({ page }) => {
  setProviderUser(newUsername('unlucky'))
  provider.service.once(Events.BeforeResponse, (response) => {
    response.statusCode = 500
    response.body = { error: 'down' }
  })
  await openPage(page, '/login?return=/subscribe')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expectToast(page, 'Google sign-in failed', 'Please try again, or use your password.')
  expect(await (await page.request.get('/api/auth/status')).json()).toBe(null)
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page).toHaveURL('/subscribe')
})
