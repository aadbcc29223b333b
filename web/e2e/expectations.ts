import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

export { expect } from '@playwright/test'

/** Waits for animations that end: half-faded text has too little contrast. */
const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const running = () =>
      document.getAnimations().filter(({ playState, timeline, effect }) => {
        const ends = Number.isFinite(Number(effect?.getComputedTiming().endTime))
        return playState === 'running' && timeline === document.timeline && ends
      })
    for (let animations = running(); animations.length > 0; animations = running())
      await Promise.allSettled(animations.map(({ finished }) => finished))
  })

/** Runs axe (WCAG 2.2 A and AA) on the settled page or on a part (CSS selector). */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await waitForAnimations(page)
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // Runs in the page; the default opens a second one to collect the results of frames.
    .setLegacyMode()
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

export const toastOn = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** Expects the toast and removes it, so that the next one is new. */
export async function expectToast(page: Page, title: string, text = ''): Promise<void> {
  await expect(toastOn(page)).toHaveText(`${title}${text}`)
  await clearToast(page)
}

/** Removes the toast by script; dismissToast tests the button. */
async function clearToast(page: Page): Promise<void> {
  const toast = toastOn(page)
  await toast.getByRole('button', { name: 'Dismiss' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await expect(toast).toHaveCount(0)
}

/** Dismisses the toast by its button, with its timer paused. */
export async function dismissToast(page: Page): Promise<void> {
  await pauseToasts(page)
  const openToast = toastOn(page).and(page.locator('[data-state="open"]'))
  if (await openToast.count()) await openToast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toastOn(page)).toHaveCount(0)
}

/** Pauses toast timers, as a window without focus does. */
export const pauseToasts = (page: Page) => page.evaluate(() => dispatchEvent(new Event('blur')))

export const animationsFinished = (element: Locator) =>
  element.evaluate((item) => Promise.all(item.getAnimations({ subtree: true }).map(({ finished }) => finished)).then())

/** The section is below the navigation, and the next Tab lands inside it. */
export async function expectScrolledTo(page: Page, id: string): Promise<void> {
  const section = page.locator(`#${id}`)
  await expect(section).toBeFocused()
  const where = () =>
    section.evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      const atTheEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
      return (top >= 0 && top < 200) || (atTheEnd && top < innerHeight)
        ? 'reached'
        : `${Math.round(top)} px below the top`
    })
  await expect.poll(where, `where #${id} is`).toBe('reached')
}

/** The link opens the address in a new tab without an opener. */
export async function expectNewPage(page: Page, link: Locator, url: string | RegExp): Promise<void> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expect(opened).toHaveURL(url)
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  await opened.close()
}
