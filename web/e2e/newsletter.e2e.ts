import type { Page } from '@playwright/test'
import { expectNewPage, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

const block = (page: Page) => page.getByRole('region', { name: 'First to know' })
const field = (page: Page) => block(page).getByRole('textbox', { name: 'Email' })
const button = (page: Page) => block(page).getByRole('button')

test('accepts an email and explains points', async ({ page }) => {
  await open(page)
  await expect(block(page).getByText('No spam, just good vibes. Unsubscribe anytime.')).toBeVisible()
  await field(page).fill('fan@example.com')
  await button(page).click()
  await expectToast(
    page,
    'Successfully subscribed!',
    "You'll be the first to know about new merch drops. Sign up to earn points! Check your mail to confirm.",
  )
  await expect(field(page)).toHaveValue('')
})

test('rejects empty and invalid emails before sending', async ({ page }) => {
  await open(page)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await button(page).click()
  await expectToast(page, 'Email required', 'Please enter a valid email address.')
  await field(page).fill('fan@example')
  await field(page).press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await expectToast(page, 'Invalid email', 'Please enter a valid email address.')
  expect(sent).toEqual([])
})

test('shows pending state and earned points', async ({ page }) => {
  let response = () => {}
  const wait = new Promise<void>((resolve) => {
    response = resolve
  })
  let asked = 0
  await page.route('/api/newsletter/subscribe', async (route) => {
    asked += 1
    await wait
    await route.fulfill({ json: { pointsEarned: 50 } })
  })
  await open(page)
  await field(page).fill('fan@example.com')
  await button(page).click()
  await expect(button(page)).toHaveText('Joining...')
  await field(page).press('Enter')
  response()
  await expectToast(
    page,
    'Successfully subscribed!',
    "You'll be the first to know about new merch drops. +50 points earned! Check your mail to confirm.",
  )
  await expect(button(page)).toHaveText('Subscribe')
  expect(asked).toBe(1)
})

test('shows an error’s status and keeps the email', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*429/)
  await open(page)
  // Five a minute; a new minute allows five more.
  let time = 0
  let status = 0
  while (status !== 429 && time < 11) {
    time += 1
    await field(page).fill(`fan${time}@example.com`)
    const response = page.waitForResponse('**/api/newsletter/subscribe')
    await field(page).press('Enter')
    status = (await response).status()
    // Filled before the success message clears the field, the address is lost again.
    if (status !== 429) await expect(field(page)).toHaveValue('')
    await expect(button(page)).toHaveText('Subscribe')
  }
  expect(time).toBeGreaterThan(5)
  await expectToast(page, 'Subscription failed', '429: That was a lot at once. Please wait a minute and try again.')
  await expect(field(page)).toHaveValue(`fan${time}@example.com`)
})

test('shows a network error', async ({ page, expectConsoleError }) => {
  expectConsoleError(/ERR_FAILED/)
  await page.route('/api/newsletter/subscribe', (route) => route.abort())
  await open(page)
  await field(page).fill('fan@example.com')
  await button(page).click()
  await expectToast(page, 'Subscription failed', 'Failed to fetch')
})

test('social links open in new tabs', async ({ page, externalRequests: _ }) => {
  await open(page)
  for (const [name, url] of [
    ['Instagram', 'https://www.instagram.com/'],
    ['TikTok', 'https://www.tiktok.com/'],
    ['YouTube', 'https://www.youtube.com/'],
    ['Spotify', 'https://open.spotify.com/'],
    ['Apple Music', 'https://music.apple.com/'],
  ] as const)
    await expectNewPage(page, block(page).getByRole('link', { name }), url)
})
