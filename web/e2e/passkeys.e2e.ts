import type { Page } from '@playwright/test'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { signUp } from './users'

/** Adds a virtual authenticator that verifies its user without a dialog. */
async function addVirtualAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('adds a passkey, logs in with it and removes it', { tag: '@phone' }, async ({ page }) => {
  await addVirtualAuthenticator(page)
  const name = await signUp(page)
  await openPage(page, '/account')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByLabel('Passkey name').fill('My phone')
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await expectToast(page, 'Passkey added', 'You can now log in with “My phone”.')
  const row = section.getByRole('listitem')
  await expect(row).toContainText('not used yet')
  await expectAccessible(page)

  await row.getByRole('button', { name: 'Rename My phone' }).click()
  await row.getByLabel('Passkey name').fill('Old phone')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Old phone')

  await page.context().clearCookies()
  // Disables autofill, which the virtual authenticator would accept before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await openPage(page, '/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expectToast(page, 'Welcome back!', `You are logged in as ${name}.`)
  await expect(page).toHaveURL('/')

  await openPage(page, '/account')
  await expect(row).toContainText('last used')
  await row.getByRole('button', { name: 'Remove Old phone' }).click()
  await expectToast(page, 'Passkey removed', 'You can no longer log in with it.')
  await expect(row).toHaveCount(0)
})
