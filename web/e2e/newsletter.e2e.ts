import type { Page } from '@playwright/test'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage, postJson } from './page'

const section = (page: Page) => page.getByRole('region', { name: 'First to know' })
const field = (page: Page) => section(page).getByRole('textbox', { name: 'Email' })
const button = (page: Page) => section(page).getByRole('button')

const SUBSCRIBED_TEXT =
  "You'll be the first to know about new merch drops. Sign up to earn points! Check your inbox to confirm."

test('validates, reports a network error and subscribes once', { tag: '@long' }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/ERR_FAILED/)
  await openPage(page)
  await expect(section(page).getByText('No spam, just good vibes. Unsubscribe anytime.')).toBeVisible()
  const postedUrls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && postedUrls.push(request.url()))
  await button(page).click()
  await expectToast(page, 'Email required', 'Please enter a valid email address.')
  await field(page).fill('fan@example')
  await field(page).press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await expectToast(page, 'Invalid email', 'Please enter a valid email address.')
  expect(postedUrls).toEqual([])

  await page.route('/api/newsletter/subscribe', (route) => route.abort())
  await field(page).fill('fan@example.com')
  await button(page).click()
  await expectToast(page, 'Subscription failed', 'Failed to fetch')
  await page.unroute('/api/newsletter/subscribe')
  const pendingResponse = Promise.withResolvers<void>()
  await page.route('/api/newsletter/subscribe', async (route) => {
    await pendingResponse.promise
    await route.continue()
  })
  postedUrls.length = 0
  await button(page).click()
  await expect(button(page)).toHaveText('Joining...')
  await field(page).press('Enter')
  pendingResponse.resolve()
  await expectToast(page, 'Successfully subscribed!', SUBSCRIBED_TEXT)
  await expect(button(page)).toHaveText('Subscribe')
  expect(postedUrls).toHaveLength(1)
  await expect(field(page)).toHaveValue('')
})

test('shows an error’s status and keeps the email', { tag: '@long' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*429/)
  await openPage(page)
  await expect(async () => {
    // Six requests exceed the limit of five a minute, unless a new minute begins in between.
    for (let request = 0; request < 6; request += 1)
      await postJson(page, '/api/newsletter/subscribe', { email: `fan${request}@example.com` })
    await field(page).fill('fan@example.com')
    const response = page.waitForResponse('**/api/newsletter/subscribe')
    await field(page).press('Enter')
    expect((await response).status()).toBe(429)
  }).toPass()
  await expectToast(page, 'Subscription failed', '429: That was a lot at once. Please wait a minute and try again.')
  await expect(field(page)).toHaveValue('fan@example.com')
})
