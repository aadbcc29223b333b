import type { Locator, Page } from '@playwright/test'
import { dismissToast, expect, expectNewPage, expectScrolledTo, toastOn } from './expectations'
import { goBackToHomePage, waitForHydration } from './page'

/** Uses a control and checks its effect. Must end on the home page, for the next control. */
export type Effect = (page: Page, control: Locator) => Promise<void>

export const scrollTo =
  (id: string): Effect =>
  async (page, link) => {
    await link.click()
    await expectScrolledTo(page, id)
  }

export const scrollToTop: Effect = async (page, link) => {
  await page.evaluate(() => window.scrollTo(0, 2000))
  await link.click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
}

/** Waits until another page has replaced the home page. */
async function expectOtherPage(page: Page): Promise<void> {
  await expect(page.locator('#smart-features')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

export const navigateTo =
  (url: string): Effect =>
  async (page, link) => {
    await link.click()
    await expect(page).toHaveURL(url)
    await expectOtherPage(page)
    if (url.startsWith('/checkout')) await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
    await waitForHydration(page)
    await goBackToHomePage(page)
  }

/** Checks that nothing covers the control. */
export const expectClickable: Effect = (_, control) => control.click({ trial: true })

/** Checks a link's target without opening it, because another control or test opens it. */
export const linkTo =
  (url: string | RegExp): Effect =>
  async (_, link) => {
    await expect(link).toHaveAttribute('href', url)
    await link.click({ trial: true })
  }

/** Checks a link to a new tab; content.e2e.ts opens such tabs. */
export const externalLink =
  (url: string | RegExp): Effect =>
  async (page, link) => {
    await linkTo(url)(page, link)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', /noopener|noreferrer/)
  }

/** Opens a streaming service and expects the click to be counted. */
export const countedLink =
  (service: string, url: string): Effect =>
  async (page, link) => {
    const response = page.waitForResponse('**/api/tracks/1/play')
    await expectNewPage(page, link, url)
    expect((await response).status()).toBe(204)
    expect((await response).request().postDataJSON()).toEqual({ service })
  }

export const openMenu: Effect = async (page, button) => {
  await button.click()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu.getByRole('link')).toHaveText([
    'Music',
    'Merch',
    'Concerts',
    'Exclusive',
    'Supporter Missions',
    /^Contact/,
  ])
  await page.getByRole('button', { name: 'Close menu' }).click()
  await expect(menu).toBeHidden()
}

export const playAndPause: Effect = async (page) => {
  const seek = page.getByRole('region', { name: 'Latest Releases' }).getByRole('slider', { name: 'Seek' })
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect(seek).not.toHaveValue('0')
  await page.getByRole('button', { name: 'Pause Gilt Tide' }).click()
  await expect(page.getByRole('button', { name: 'Play Gilt Tide' })).toBeVisible()
}

export const moveSlider =
  (key: 'ArrowLeft' | 'ArrowRight'): Effect =>
  async (_, slider) => {
    const before = await slider.inputValue()
    await slider.press(key)
    await expect(slider).not.toHaveValue(before)
  }

export const switchOn: Effect = async (_, button) => {
  await expect(button).toHaveAttribute('aria-pressed', 'false')
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
}

export const selectTrack: Effect = async (page, button) => {
  await button.click()
  await expect(button).toHaveAttribute('aria-current', 'true')
  const title =
    (await page
      .getByRole('region', { name: 'Latest Releases' })
      .getByRole('heading', { level: 3 })
      .first()
      .textContent()) ?? ''
  await expect(button).toContainText(title)
}

export const playAndPauseCarousel: Effect = async (page, button) => {
  await button.click()
  await page.getByRole('button', { name: 'Pause the pictures' }).click()
  await expect(button).toBeVisible()
}

export const scrollSideways: Effect = async (_, strip) => {
  await strip.press('ArrowRight')
  await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
}

export const becomeCurrent: Effect = async (_, button) => {
  await button.click()
  await expect(button).toHaveAttribute('aria-current', 'true')
}

export const changeImage: Effect = async (page, button) => {
  const current = page.getByRole('list', { name: 'Choose a picture' }).locator('[aria-current="true"]')
  const before = (await current.getAttribute('aria-label')) ?? ''
  await button.click()
  await expect(current).not.toHaveAccessibleName(before)
}

export const changeMonth: Effect = async (page, button) => {
  const month = page.getByRole('grid')
  const before = await month.evaluate(
    (grid) => document.getElementById(grid.getAttribute('aria-labelledby') ?? '')?.textContent,
  )
  await button.click()
  await expect(month).not.toHaveAccessibleName(before ?? '')
}

export const openDialog: Effect = async (page, button) => {
  await button.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()
}

export const downloadCalendarFile: Effect = async (page, link) => {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/\.ics$/)
}

export const typeText: Effect = async (_, field) => {
  await field.fill('fan@example.com')
  await expect(field).toHaveValue('fan@example.com')
}

export const showToast =
  (title: string): Effect =>
  async (page, button) => {
    await button.click()
    await expect(toastOn(page)).toContainText(title)
    await dismissToast(page)
  }

export const enterInPrompt =
  (entry: string, title: string): Effect =>
  async (page, button) => {
    page.once('dialog', (dialog) => dialog.accept(entry))
    await button.click()
    await expect(toastOn(page)).toContainText(title)
    await dismissToast(page)
  }

export const expectDisabled: Effect = (_, button) => expect(button).toBeDisabled()

export const revealLyric: Effect = async (_, button) => {
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
}

/** Expects a dialog and a toast that ask the visitor to sign up. */
export const openSignUpSheet: Effect = async (page, button) => {
  await showToast('Login required')(page, button)
  const sheet = page.getByRole('dialog', { name: 'Sign up to make it count' })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
}

/** Selects July 2025, then the initial month again. */
export const selectMonth: Effect = async (page, select) => {
  const shownValue = await select.inputValue()
  await select.selectOption('July 2025')
  await expect(page.getByRole('grid')).toHaveAccessibleName('July 2025')
  await select.selectOption(shownValue)
}
