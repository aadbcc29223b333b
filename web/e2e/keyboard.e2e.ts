import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open, openFullPage } from './home'

type Stop = { name: string; problems: string[] }

/** Checks visibility, focus indicator and order of the focused element; null at the end of the page. */
function checkFocus(page: Page): Promise<Stop | null> {
  return page.evaluate(async () => {
    const state = window as { previousStop?: Element }
    const element = document.activeElement
    if (!element || element === document.body) return null
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
    const problems: string[] = []
    const isInside =
      top >= 0 && left >= 0 && right <= innerWidth + 1 && (bottom <= innerHeight + 1 || height > innerHeight)
    if (!isInside) problems.push(`outside the window: ${Math.round(top)} to ${Math.round(bottom)}`)
    const topmost = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight) / 2)
    if (topmost && !element.contains(topmost) && !topmost.contains(element))
      problems.push(`covered by ${topmost.outerHTML.slice(0, 80)}`)
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    // A field indicates focus by its underline.
    const underline = element.closest('.field-line')
    await Promise.all((underline?.getAnimations() ?? []).map(({ finished }) => finished))
    const gold = getComputedStyle(document.querySelector('.text-gold') ?? element).color
    const isIndicated = underline
      ? getComputedStyle(underline).borderBottomColor === gold
      : outlineStyle !== 'none' && outlineWidth !== '0px'
    if (!isIndicated) problems.push(underline ? 'the underline is not gold' : 'no outline')
    const { previousStop } = state
    if (previousStop && !(previousStop.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING))
      problems.push('is before the previous stop')
    state.previousStop = element
    const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return { name: name ?? element.tagName, problems }
  })
}

for (const path of ['/', '/subscribe', '/privacy-policy'])
  test(`Tab order on ${path} is logical and visible`, async ({ page }) => {
    await (path === '/' ? openFullPage(page) : open(page, path))
    const stops: Stop[] = []
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
  })

test('the skip link jumps over the navigation', { tag: '@desktop' }, async ({ page }) => {
  await open(page, '/privacy-policy')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await page.keyboard.press('Tab')
  await expect(skip).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})
