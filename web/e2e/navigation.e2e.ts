import type { Page } from '@playwright/test'
import { expectAccessible, expectNewPage, expectScrolledTo } from './expectations'
import { expect, test } from './fixtures'
import { openFullHomePage, openPage, waitForHydration } from './page'

/** Distance of a section from the window's top after a scroll to it: `scroll-padding-top` of the root element. */
const SECTION_TOP_PX = 80

const HOME_SECTIONS = [
  ['Music', 'music'],
  ['Merch', 'merch'],
  ['Concerts', 'concerts'],
  ['Exclusive', 'exclusive'],
  ['Supporter Missions', 'smart-features'],
] as const

test('navigation links scroll; a narrow window has the bottom bar', { tag: ['@desktop', '@long'] }, async ({
  page,
}) => {
  await openPage(page)
  const bar = page.getByRole('navigation', { name: 'Sections' })
  for (const [name, id] of HOME_SECTIONS) {
    const link = bar.getByRole('link', { name, exact: true })
    await link.click()
    await expectScrolledTo(page, id)
    await expect(page).toHaveURL(`/#${id}`)
    await expect(link).toHaveAttribute('aria-current', 'location')
    await expect(bar.locator('[aria-current]')).toHaveCount(1)
  }
  await page.getByRole('banner').getByRole('link', { name: 'Tavi Solaire' }).click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect(bar.locator('[aria-current]')).toHaveCount(0)

  const bottomBar = page.getByRole('navigation', { name: 'Quick navigation' })
  await expect(bottomBar).toBeHidden()
  await page.setViewportSize({ width: 767, height: 900 })
  await expect(bottomBar).toBeVisible()
})

test('the menu links sections and contact, and closes', { tag: ['@phone', '@long'] }, async ({
  page,
  externalRequests: _,
}) => {
  await openPage(page)
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu).toBeHidden()
  for (const [name, id] of HOME_SECTIONS) {
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name, exact: true }).click()
    await expect(menu).toBeHidden()
    await expectScrolledTo(page, id)
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectNewPage(page, menu.getByRole('link', { name: 'Contact' }), 'https://www.instagram.com/')
  await expect(menu).toBeHidden()

  const button = page.getByRole('button', { name: 'Menu', exact: true })
  await button.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(menu.getByRole('link', { name: 'Music' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await page.getByRole('button', { name: 'Close menu' }).click()
  await expect(menu).toBeHidden()
  await button.click()
  await page.mouse.click(40, 780)
  await expect(menu).toBeHidden()
})

test('the skip link works, and section links do not reload', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page, '/privacy-policy')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await page.keyboard.press('Tab')
  await expect(skip).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)

  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Merch', exact: true }).click()
  await expect(page).toHaveURL('/#merch')
  await expectScrolledTo(page, 'merch')
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('a URL with a hash opens its section', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openPage(page, '/#exclusive')
  await expect(page.getByRole('heading', { name: 'The Zone' })).toBeInViewport()
})

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a section link scrolls to the exact position before hydration', { tag: '@desktop' }, async ({ page }) => {
    const scriptResponse = Promise.withResolvers<void>()
    await page.route('**/assets/main-*.js', async (route) => {
      await scriptResponse.promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    const section = page.locator('#smart-features')
    const sectionTop = () => section.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Supporter Missions' }).click()
    await expect.poll(sectionTop).toBe(SECTION_TOP_PX)
    scriptResponse.resolve()
    await waitForHydration(page)
    expect(await sectionTop()).toBe(SECTION_TOP_PX)
  })

  test('the hero leads to music and shows', { tag: ['@phone', '@long'] }, async ({ page }) => {
    await openPage(page)
    const hero = page.getByRole('region', { name: 'Tavi Solaire' })
    await expect(hero.getByRole('heading', { level: 1 })).toHaveText(/Tavi\s+Solaire/)
    await expect(hero.getByText("Tampa's Very Own")).toBeVisible()
    await hero.getByRole('link', { name: 'LISTEN NOW' }).click()
    await expectScrolledTo(page, 'music')
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await hero.getByRole('link', { name: 'GET TICKETS' }).click()
    await expect(page).toHaveURL('/shows')
    await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeFocused()
  })
})

/** Changes the state of the current challenge; null stands for no challenge. */
const mockChallengeState = (page: Page, state: string | null) =>
  page.route('/api/challenge/current', async (route) => {
    if (state === null) return route.fulfill({ json: null })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...((await response.json()) as object), state } })
  })
const voteLink = (page: Page) => page.getByRole('link', { name: 'VOTE NOW #GoldOpenVerse' })

for (const state of ['submissions', 'voting'])
  test(`VOTE NOW leads to a challenge in state ${state}`, {
    tag: ['@phone', '@long'],
  }, async ({ page }) => {
    await mockChallengeState(page, state)
    await openPage(page)
    await expect(voteLink(page)).toHaveAttribute('href', '/challenge')
    await voteLink(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page).toHaveURL('/challenge')
  })

test('VOTE NOW falls back to the hall of fame', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await mockChallengeState(page, null)
  await page.route('/api/polls/active', (route) => route.fulfill({ json: [] }))
  await openPage(page)
  await voteLink(page).click()
  await expectScrolledTo(page, 'hall-of-fame')
  await page.locator('#smart-features').scrollIntoViewIfNeeded()
  await expect(page.getByText('No polls are open right now. Check back soon.')).toBeVisible()
})

test('client navigation sets the title, announces and focuses the page', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page)
  const serverTitle = async (path: string) => {
    const [title = ''] = /<title>.*?<\/title>/.exec(await (await page.request.get(path)).text()) ?? []
    // Parses the title alone, because this page's CSP would block the other page's inline styles.
    return page.evaluate((text) => new DOMParser().parseFromString(text, 'text/html').title, title)
  }
  const expectPage = async (heading: string | RegExp) => {
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
    const title = await serverTitle(new URL(page.url()).pathname)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('status').filter({ hasText: title })).toHaveCount(1)
  }
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
  await expectPage('Privacy Policy')
  await page.getByRole('link', { name: 'Sign Up / Login' }).click()
  await expectPage('Back for side B')
  await page.getByRole('banner').getByRole('link', { name: 'Tavi Solaire' }).click()
  await expectPage(/Tavi\s+Solaire/)
  await page.locator('#concerts .poster-row').first().click()
  await expectPage(/./)
})

test('Back restores the scroll position', { tag: '@phone' }, async ({ page }) => {
  await openFullHomePage(page)
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })
  await link.scrollIntoViewIfNeeded()
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(link).toBeInViewport()
})

test('/shows leads to a past show and back', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openPage(page, '/shows')
  await expectAccessible(page)
  const pastShow = page.getByRole('region', { name: 'Played' }).getByRole('link').first()
  await pastShow.click()
  await expect(page.getByText('PLAYED', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'All shows' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeFocused()
})

test('paths are case-sensitive', { tag: '@desktop' }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/404/)
  expect((await page.goto('/privacy-Policy'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  for (const path of ['/Checkout', '/LOGIN']) expect((await page.request.get(path)).status()).toBe(404)
})

test('no login link or points show before the session loads', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const sessionResponse = Promise.withResolvers<void>()
  await page.route('/api/auth/status', async (route) => {
    await sessionResponse.promise
    await route.continue()
  })
  await page.goto('/privacy-policy')
  const banner = page.getByRole('banner')
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible()
  await expect(banner.getByText('Sign Up / Login')).toBeHidden()
  await expect(banner.getByText('Your points:')).toBeHidden()
  const width = (await banner.getByText('Sign Up / Login').boundingBox())?.width
  sessionResponse.resolve()
  const link = banner.getByRole('link', { name: 'Sign Up / Login' })
  await expect(link).toBeVisible()
  expect((await link.boundingBox())?.width).toBe(width)
})
