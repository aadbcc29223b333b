import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

export { expect } from '@playwright/test'

/** Whatever moves and ends has come to its end: half faded, a text has not the colours that anybody reads it in. */
const waitForAnimations = (page: Page): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(() =>
          document
            .getAnimations()
            .filter(({ playState, timeline, effect }) => {
              const ends = Number.isFinite(Number(effect?.getComputedTiming().endTime))
              return playState === 'running' && timeline === document.timeline && ends
            })
            .map(({ effect }) => String((effect as KeyframeEffect).target?.className)),
        ),
      { message: 'what still moves' },
    )
    .toEqual([])

/** WCAG 2.2 A and AA by axe, over what is on the page once it stands still, or over one part of it (a CSS selector). */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await waitForAnimations(page)
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

/** The one toast that stands. */
export const toastOn = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** The standing toast says this; then it is cleared away, so that the next one is surely another. */
export async function expectToast(page: Page, title: string, text = ''): Promise<void> {
  await expect(toastOn(page)).toHaveText(`${title}${text}`)
  await clearToast(page)
}

/** No toast stands any more. Whether a hand could have pressed it away is what dismissToast asks. */
async function clearToast(page: Page): Promise<void> {
  const toast = toastOn(page)
  await toast.getByRole('button', { name: 'Dismiss' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await expect(toast).toHaveCount(0)
}

/** A hand presses the toast away. It is held, for it goes by itself: who comes after five seconds has nothing to press. */
export async function dismissToast(page: Page): Promise<void> {
  await pauseToasts(page)
  const openToast = toastOn(page).and(page.locator('[data-state="open"]'))
  if (await openToast.count()) await openToast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toastOn(page)).toHaveCount(0)
}

/** Keeps the toast that stands from going by itself, as it is kept while its reader is in another window. */
export const pauseToasts = (page: Page) => page.evaluate(() => dispatchEvent(new Event('blur')))

/** What came in with a movement stands where it will stay. */
export const animationsFinished = (element: Locator) =>
  element.evaluate((item) => Promise.all(item.getAnimations({ subtree: true }).map(({ finished }) => finished)).then())

/** The section's beginning has been scrolled to just below the bar, and the next Tab lands inside it. */
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

/** Pressing the link opens this address in a page of its own, which cannot reach back. */
export async function expectNewPage(page: Page, link: Locator, url: string | RegExp): Promise<void> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expect(opened).toHaveURL(url)
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  await opened.close()
}
