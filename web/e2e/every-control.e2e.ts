import type { Page } from '@playwright/test'
import { type Control, homeControls } from './controls'
import { expect, tagsAt, test } from './fixtures'
import { hidePosts, openFullHomePage, showSeededPollsOnly } from './page'

const INTERACTIVE =
  'a[href], button, input, select, textarea, summary, audio[controls], video, iframe, [contenteditable], ' +
  '[role=button], [role=link], [role=slider], [role=switch], [role=tab], [role=option], [tabindex]:not([tabindex="-1"])'

/** Marks the elements of a control as listed; fails if their number differs from `count`. */
async function markListed(page: Page, { name, find, count = 1 }: Control): Promise<void> {
  const elements = find(page)
  await expect(elements, name).toHaveCount(typeof count === 'number' ? count : await count(page))
  await elements.evaluateAll((nodes) => {
    for (const element of nodes) Object.assign(element, { isListed: true })
  })
}

/** HTML of the interactive elements that are not in controls.ts. */
const unlistedControls = (page: Page) =>
  page.evaluate(
    (interactive) =>
      [...document.querySelectorAll(interactive)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !('isListed' in element))
        .map((element) => element.outerHTML.slice(0, 160)),
    INTERACTIVE,
  )

for (const [width, isRepresentative] of [
  // The phone's test is the short one: there, controls of both widths only have to be clickable.
  ['@phone', true],
  ['@desktop', false],
] as const)
  test(`every home page control has its effect on ${width.slice(1)}`, {
    tag: tagsAt(width, isRepresentative),
  }, async ({ page, isMobile, externalRequests: _ }) => {
    await showSeededPollsOnly(page)
    await hidePosts(page)
    await openFullHomePage(page)
    const listedControls = homeControls(isMobile)
    for (const control of listedControls) await markListed(page, control)
    await expect.poll(() => unlistedControls(page), 'controls missing from controls.ts').toEqual([])
    for (const { name, find, effect } of listedControls)
      await test.step(name, async () => {
        const elements = await find(page).all()
        expect(elements.length).toBeGreaterThan(0)
        // Elements of a list are alike: use the first and last, check that the others are clickable.
        for (const [index, element] of elements.entries())
          if (index === 0 || index === elements.length - 1) await effect(page, element)
          else await element.click({ trial: true })
      })
    await page.unrouteAll({ behavior: 'wait' })
  })
