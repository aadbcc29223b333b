import { generateKeyPairSync, sign } from 'node:crypto'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'
import { emailOf, newUsername } from './users'

// One provider for all of these: they run one after another.
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

/** Whom the provider vouches for from now on. */
const vouchFor = (name: string) =>
  provider.service.on(Events.BeforeTokenSigning, ({ payload }) => {
    Object.assign(payload, { sub: name, email: emailOf(name), email_verified: true, name })
  })

test('Google logs a new fan in, confirmed, and back to where they came from', {
  tag: '@desk',
}, async ({ page }) => {
  const name = newUsername('googler')
  vouchFor(name)
  for (const visit of ['first', 'second']) {
    await open(page, '/login?return=/account')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await expect(page, `the ${visit} visit`).toHaveURL('/account')
    await expect(page.getByText(emailOf(name))).toBeVisible()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: `Account of ${name}` }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await expectToast(page, 'Logged Out')
  }
})

test('a token signed with another key lets nobody in', { tag: '@desk' }, async ({ page }) => {
  vouchFor(newUsername('forger'))
  provider.service.once(Events.BeforeResponse, ({ body }) => {
    const response = body as { id_token: string }
    const signed = response.id_token.slice(0, response.id_token.lastIndexOf('.'))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    response.id_token = `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
  })
  await open(page, '/login')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expectToast(page, 'Google sign-in failed', 'Please try again, or use your password.')
  expect(await (await page.request.get('/api/auth/status')).json()).toBe(null)
})

test('a Google that fails is told once, and the second try leads where the first one would have', {
  tag: '@desk',
}, async ({ page }) => {
  vouchFor(newUsername('unlucky'))
  provider.service.once(Events.BeforeResponse, (response) => {
    response.statusCode = 500
    response.body = { error: 'down' }
  })
  await open(page, '/login?return=/subscribe')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expectToast(page, 'Google sign-in failed', 'Please try again, or use your password.')
  await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page).toHaveURL('/subscribe')
})
