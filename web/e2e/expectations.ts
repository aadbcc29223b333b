import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page, test } from '@playwright/test'

export { expect } from '@playwright/test'

/** Waits for finite animations, because axe would reject the contrast of text that is fading in. */
const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const running = () =>
      document.getAnimations().filter(({ playState, timeline, effect }) => {
        const hasEnd = Number.isFinite(Number(effect?.getComputedTiming().endTime))
        return playState === 'running' && timeline === document.timeline && hasEnd
      })
    for (let animations = running(); animations.length > 0; animations = running())
      await Promise.allSettled(animations.map(({ finished }) => finished))
  })

/** Runs axe (WCAG 2.2 A and AA) on the page or the element with the selector, once animations end. */
export async function expectAccessible(page: Page, selector = 'html'): Promise<void> {
  await waitForAnimations(page)
  const { violations } = await new AxeBuilder({ page })
    .include(selector)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // Runs in this page; the default opens another page to collect the results of frames.
    .setLegacyMode()
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

/**
 * Runs `expectAccessible` in `npm run test:long` only, because `npm test` checks the page elsewhere in a similar state.
 * The test must have the tag `@axe`, which adds it to the long run.
 */
export async function expectAccessibleInLongRun(page: Page, selector?: string): Promise<void> {
  expect(test.info().tags).toContain('@axe')
  if (process.env.LONG === '1') await expectAccessible(page, selector)
}

export const toastOn = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** Expects one toast, then removes it. A string `text` is all that follows the title, including the button's label. */
export async function expectToast(page: Page, title: string, text: string | RegExp = ''): Promise<void> {
  const toast = toastOn(page)
  if (typeof text === 'string') await expect(toast).toHaveText(`${title}${text}`)
  else {
    await expect(toast.locator('> :nth-child(1)')).toHaveText(title)
    await expect(toast.locator('> :nth-child(2)')).toHaveText(text)
  }
  await clearToast(page)
}

/** Clicks the Dismiss buttons by script, even if they are covered. `dismissToast` clicks as a visitor does. */
async function clearToast(page: Page): Promise<void> {
  const toast = toastOn(page)
  await toast.getByRole('button', { name: 'Dismiss' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await expect(toast).toHaveCount(0)
}

/** Dismisses the toast by its button. */
export async function dismissToast(page: Page): Promise<void> {
  const openToast = toastOn(page).and(page.locator('[data-state="open"]'))
  if (await openToast.count()) await openToast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toastOn(page)).toHaveCount(0)
}

/** Waits for the running animations of the element and its descendants. */
export const waitForAnimationsOf = (element: Locator) =>
  element.evaluate(async (item) => {
    await Promise.all(item.getAnimations({ subtree: true }).map(({ finished }) => finished))
  })

/** Expects the section to be focused and at the top, or visible at the end of the page. */
export async function expectScrolledTo(page: Page, id: string): Promise<void> {
  const section = page.locator(`#${id}`)
  await expect(section).toBeFocused()
  const position = () =>
    section.evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      const isAtPageEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
      return (top >= 0 && top < 200) || (isAtPageEnd && top < innerHeight)
        ? 'reached'
        : `${Math.round(top)} px below the top`
    })
  await expect.poll(position, `position of #${id}`).toBe('reached')
}

/** Clicks a link or button; expects it to open the URL in a new tab, which has no access to the page. */
export async function expectNewPage(page: Page, control: Locator, url: string | RegExp): Promise<void> {
  const [newPage] = await Promise.all([page.context().waitForEvent('page'), control.click()])
  await expect(newPage).toHaveURL(url)
  expect(await newPage.evaluate(() => window.opener)).toBeNull()
  await newPage.close()
}
