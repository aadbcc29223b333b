import type { Page } from '@playwright/test'
import { expectAccessible } from './expectations'
import { expect, tagsAt, test } from './fixtures'
import { openFullHomePage, openPage, showSeededPollsOnly } from './page'
import { logInByApi, pointsTotal, signUp } from './users'

/** Elements beyond the right edge of the window, unless a parent clips or scrolls them. */
function overflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const isClipped = (element: Element) => {
      for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement)
        if (getComputedStyle(parent).overflowX !== 'visible') return true
      return false
    }
    const rightOf = (element: Element) => {
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
      .filter((element) => rightOf(element) > width + 1 && !isClipped(element))
      .map((element) => `${element.outerHTML.slice(0, 100)} at ${width}`)
  })
}

/** Texts that are clipped by their box. */
function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll('a, button, h1, h2, h3, h4, p, li, dd, dt, label, td')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only, [aria-hidden="true"]'))
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        const isCutHorizontally = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
        const isCutVertically = overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1
        return (isCutHorizontally || isCutVertically) && element.clientWidth > 1
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
}

/** Pointer targets under 24 px wide or high. WCAG 2.5.8 exempts links within a sentence. */
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

type TabStop = { name: string; problems: string[] }

/** Names the focused element and its problems: hidden, no visible focus, out of order. Null at the page's end. */
function checkFocus(page: Page): Promise<TabStop | null> {
  return page.evaluate(async () => {
    const pageWindow = window as { previousStop?: Element }
    const element = document.activeElement
    if (!element || element === document.body) return null
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
    const problems: string[] = []
    const isInside =
      top >= 0 && left >= 0 && right <= innerWidth + 1 && (bottom <= innerHeight + 1 || height > innerHeight)
    if (!isInside) problems.push(`outside of the window: ${Math.round(top)} to ${Math.round(bottom)}`)
    const topmost = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2)
    if (topmost && !element.contains(topmost) && !topmost.contains(element))
      problems.push(`under ${topmost.outerHTML.slice(0, 80)}`)
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    // A field indicates focus by its underline.
    const line = element.closest('.field-line')
    await Promise.all((line?.getAnimations() ?? []).map(({ finished }) => finished))
    const focusColor = getComputedStyle(document.querySelector('.text-gold') ?? element).color
    const isIndicated = line
      ? getComputedStyle(line).borderBottomColor === focusColor
      : outlineStyle !== 'none' && outlineWidth !== '0px'
    if (!isIndicated) problems.push(line ? 'its line is not gold' : 'no outline')
    const { previousStop } = pageWindow
    if (previousStop && !(previousStop.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING))
      problems.push('goes back')
    pageWindow.previousStop = element
    const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return { name: name ?? element.tagName, problems }
  })
}

/** Tabs through the page: each control gets focus once, in document order, visibly. */
async function expectTabOrder(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { previousStop: undefined })
    scrollTo({ top: 0, behavior: 'instant' })
  })
  const stops: TabStop[] = []
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab')
    const stop = await checkFocus(page)
    if (!stop) break
    stops.push(stop)
  }
  expect(stops.filter(({ problems }) => problems.length > 0)).toEqual([])
  expect(stops[0]?.name).toBe('Skip to content')
  const tabbable = await page.evaluate(
    () =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'a[href], button:not(:disabled), input, select, textarea, [tabindex="0"]',
        ),
      ].filter((element) => element.tabIndex >= 0 && element.checkVisibility()).length,
  )
  expect(stops).toHaveLength(tabbable)
}

/** For a visitor at a width of 390 pixels, with all deferred sections loaded. */
const MAX_HOME_HEIGHT_PX = 9550

const TAB_ORDER_PATHS = ['/', '/subscribe', '/privacy-policy']

const CONTENT_PATHS = [
  '/shows',
  '/shows/bayfront-shell-tampa-encore',
  '/merch',
  '/merch/gold-nose-clip',
  '/music',
  '/music/gilt-tide',
  '/music/gilt-tide/gilt-tide',
  '/community',
  '/hub',
]

/** One page of each layout. */
const REPRESENTATIVE_PATHS = ['/', '/checkout', '/merch/gold-nose-clip']

for (const path of [...TAB_ORDER_PATHS, '/checkout', '/login', '/signup', ...CONTENT_PATHS])
  test(`${path} fits 320 to 1440 px and meets WCAG`, {
    tag: tagsAt('@desktop', REPRESENTATIVE_PATHS.includes(path)),
  }, async ({ page }) => {
    await (path === '/' ? openFullHomePage(page) : openPage(page, path))
    for (const width of [1440, 768, 390, 320]) {
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      // Scripts that react to the width run after the layout.
      await expect.poll(() => overflowingElements(page)).toEqual([])
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width + 1)
      expect(await smallTargets(page), `small targets at ${width} px`).toEqual([])
      if (width !== 1440 && width !== 390) continue
      if (TAB_ORDER_PATHS.includes(path)) await expectTabOrder(page)
      // axe measures an element half covered by the bottom bar as smaller.
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await expectAccessible(page)
    }
  })

test('the login page’s title does not overlap the form', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page, '/login')
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const gapPx = await page.evaluate(() => {
      const title = document.createRange()
      title.selectNodeContents(document.querySelector('h1') as Element)
      const form = document.querySelector('.auth-form') as Element
      return form.getBoundingClientRect().left - title.getBoundingClientRect().right
    })
    expect(gapPx, `at ${width} px`).toBeGreaterThan(0)
  }
})

test('a long points total fits 320 px', { tag: '@desktop' }, async ({ page }) => {
  await signUp(page)
  await page.route('/api/auth/status', async (route) => {
    await route.fulfill({ json: { ...(await (await route.fetch()).json()), points: 125_850 } })
  })
  await page.setViewportSize({ width: 320, height: 800 })
  await openPage(page, '/privacy-policy')
  await expect(pointsTotal(page)).toHaveText(/125,850$/)
  expect(await overflowingElements(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(321)
})

for (const [name, paths] of [
  ['account and hub', ['/account', '/hub']],
  ['pages', ['/challenge', ...CONTENT_PATHS]],
] as const)
  test(`${name} of a gold member fit 320 px`, {
    tag: tagsAt('@desktop', name === 'account and hub'),
  }, async ({ page }) => {
    expect(await logInByApi(page, 'goldfan', 'gilt-tide-gold')).toBe(200)
    await page.setViewportSize({ width: 320, height: 800 })
    for (const path of paths) {
      await openPage(page, path)
      await expect.poll(() => overflowingElements(page), { message: path }).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
    }
  })

/** Texts of the demo, each replaced by one word as long as its field allows. */
const LONG_WORDS: Readonly<Record<string, string>> = {
  'Gilt Tide': 'M'.repeat(80),
  'Skyway at Dusk': 'W'.repeat(80),
  'Causeway Season': 'G'.repeat(80),
  'Gold Nose Clip': 'N'.repeat(80),
  'Gilt Disc Hoodie': 'H'.repeat(80),
  'Bayfront Shell': 'B'.repeat(80),
  'Gold Open Verse Challenge': 'V'.repeat(80),
  'The new single, stretched out': 'O'.repeat(80),
  'What closes the set': 'Q'.repeat(80),
  'The Shell is coming up.': 'P'.repeat(80),
  nightchorus: 'U'.repeat(30),
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('words of 80 characters fit 320 px', { tag: '@desktop' }, async ({ page }) => {
    const usedWords = new Set<string>()
    await page.route('**', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      let body = await response.text()
      for (const [text, word] of Object.entries(LONG_WORDS)) {
        if (body.includes(text)) usedWords.add(text)
        body = body.replaceAll(text, word)
      }
      return route.fulfill({ response, body })
    })
    await page.setViewportSize({ width: 320, height: 800 })
    for (const path of ['/', '/challenge', ...CONTENT_PATHS]) {
      await page.goto(path)
      expect(await overflowingElements(page), path).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(321)
    }
    expect([...usedWords].sort()).toEqual(Object.keys(LONG_WORDS).sort())
  })
})

test('text at 200 % neither overflows nor is cut off', { tag: '@desktop' }, async ({ page }) => {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await openFullHomePage(page)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
  expect(await overflowingElements(page)).toEqual([])
  expect(await clippedTexts(page)).toEqual([])
})

test('the home page is short on a phone', { tag: '@phone' }, async ({ page }) => {
  await showSeededPollsOnly(page)
  await openFullHomePage(page)
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  expect(await height()).toBeLessThanOrEqual(MAX_HOME_HEIGHT_PX)
  for (const path of ['/music', '/merch', '/shows', '/hub', '/community'])
    await expect(page.getByRole('main').locator(`a[href="${path}"]`).first()).toBeVisible()
  for (const id of ['music', 'merch', 'concerts', 'exclusive', 'smart-features', 'community-voting', 'hall-of-fame'])
    await expect(page.locator(`#${id}`)).toHaveCount(1)
})

/** Endless animations of elements above or below the window. */
const endlessAnimationsOffScreen = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.getAnimations().flatMap(({ playState, effect }) => {
      const { target, pseudoElement } = effect as KeyframeEffect
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
      if (playState !== 'running' || !isEndless || !target) return []
      const { top, bottom } = target.getBoundingClientRect()
      return bottom < 0 || top > innerHeight ? [`${target.outerHTML.slice(0, 80)} ${pseudoElement}`] : []
    }),
  )

const expectNoAnimationsOffScreen = async (page: Page, paths: readonly string[]): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const path of paths) {
    await openPage(page, path)
    await expect.poll(() => endlessAnimationsOffScreen(page), path).toEqual([])
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
    await expect.poll(() => endlessAnimationsOffScreen(page), `${path}, scrolled down`).toEqual([])
  }
}

test('no animation runs outside the window', { tag: '@phone' }, ({ page }) => expectNoAnimationsOffScreen(page, ['/']))

test('no animation runs outside the window of any page', { tag: '@long' }, ({ page }) =>
  expectNoAnimationsOffScreen(page, [...TAB_ORDER_PATHS, ...CONTENT_PATHS, '/challenge', '/login', '/signup']),
)
