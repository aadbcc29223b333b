import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open, openFullPage } from './home'
import { pointsTotal, signUp } from './users'

/** Elements that overflow the window, unless a parent clips or scrolls them. */
function overflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const isClipped = (element: Element) => {
      for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement)
        if (getComputedStyle(parent).overflowX !== 'visible') return true
      return false
    }
    const rightEdge = (element: Element) => {
      const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const edges = texts.map((text) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getBoundingClientRect().right
      })
      return Math.max(element.getBoundingClientRect().right, ...edges)
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && !element.closest('svg *, [aria-hidden="true"], .sr-only'))
      .filter((element) => rightEdge(element) > width + 1 && !isClipped(element))
      .map((element) => `${element.outerHTML.slice(0, 100)} at ${width}`)
  })
}

/** Elements whose text is cut off. */
function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll('a, button, h1, h2, h3, h4, p, li, dd, dt, label, td')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only, [aria-hidden="true"]'))
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        const isTooWide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
        const isTooHigh = overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1
        return (isTooWide || isTooHigh) && element.clientWidth > 1
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
}

/** Targets under 24 px (WCAG 2.5.8, which exempts links within a sentence). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, [tabindex="0"]')]
      .filter((target) => target.checkVisibility() && target.getBoundingClientRect().width > 1)
      .filter(
        (target) =>
          !(getComputedStyle(target).display === 'inline' && target.parentElement?.textContent !== target.textContent),
      )
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect()
        return width < 24 || height < 24
      })
      .map((target) => `${target.outerHTML.slice(0, 100)} ${JSON.stringify(target.getBoundingClientRect())}`),
  )
}

for (const path of [
  '/',
  '/subscribe',
  '/privacy-policy',
  '/checkout',
  '/login',
  '/signup',
  '/shows/show-bayfront-shell',
])
  test(`${path} fits 320 to 1440 px with 24 px targets`, { tag: '@desktop' }, async ({ page }) => {
    await (path === '/' ? openFullPage(page) : open(page, path))
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      // Scripts that react to the width run after layout.
      await expect.poll(() => overflowingElements(page)).toEqual([])
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width + 1)
      expect(await smallTargets(page), `small targets at ${width} px`).toEqual([])
    }
  })

test('a long points total fits 320 px', { tag: '@desktop' }, async ({ page }) => {
  await signUp(page)
  await page.route('/api/auth/status', async (route) => {
    await route.fulfill({ json: { ...(await (await route.fetch()).json()), points: 125_850 } })
  })
  await page.setViewportSize({ width: 320, height: 800 })
  await open(page, '/privacy-policy')
  await expect(pointsTotal(page)).toHaveText(/125,850$/)
  expect(await overflowingElements(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(321)
})

test('text at 200 % is neither cut off nor overflowing', { tag: '@desktop' }, async ({ page }) => {
  const cdpSession = await page.context().newCDPSession(page)
  await cdpSession.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await openFullPage(page)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
  expect(await overflowingElements(page)).toEqual([])
  expect(await clippedTexts(page)).toEqual([])
})
