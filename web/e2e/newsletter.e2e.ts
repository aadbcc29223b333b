import type { Page } from '@playwright/test'
import { expectNewPage, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

const block = (page: Page) => page.getByRole('region', { name: 'First to know' })
const field = (page: Page) => block(page).getByRole('textbox', { name: 'Email' })
const button = (page: Page) => block(page).getByRole('button')

test('an address is taken, and a visitor is told how to earn points', async ({ page }) => {
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

test('an empty field and what is no address are refused before anything is sent', async ({ page }) => {
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

test('while the answer is awaited the button says so, and earned points are told', async ({ page }) => {
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

test('a refusal is told with its status, and the address stays', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*429/)
  await open(page)
  // Five a minute; a new minute that begins meanwhile allows five more.
  let time = 0
  let status = 0
  while (status !== 429 && time < 11) {
    time += 1
    await field(page).fill(`fan${time}@example.com`)
    const response = page.waitForResponse('**/api/newsletter/subscribe')
    await field(page).press('Enter')
    status = (await response).status()
    // A field that is filled before the thanks have emptied it loses its address again.
    if (status !== 429) await expect(field(page)).toHaveValue('')
    await expect(button(page)).toHaveText('Subscribe')
  }
  expect(time).toBeGreaterThan(5)
  await expectToast(page, 'Subscription failed', '429: That was a lot at once. Please wait a minute and try again.')
  await expect(field(page)).toHaveValue(`fan${time}@example.com`)
})

test('a network that fails is told', async ({ page, expectConsoleError }) => {
  expectConsoleError(/ERR_FAILED/)
  await page.route('/api/newsletter/subscribe', (route) => route.abort())
  await open(page)
  await field(page).fill('fan@example.com')
  await button(page).click()
  await expectToast(page, 'Subscription failed', 'Failed to fetch')
})

test('the artist elsewhere opens in pages of their own', async ({ page, externalRequests: _ }) => {
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
