import type { Page } from '@playwright/test'
import { type Control, controls } from './controls'
import { expect, test } from './fixtures'
import { hidePosts, openFullPage, showSeededPollsOnly } from './home'

const PRESSABLE =
  'a[href], button, input, select, textarea, summary, audio[controls], video, iframe, [contenteditable], ' +
  '[role=button], [role=link], [role=slider], [role=switch], [role=tab], [role=option], [tabindex]:not([tabindex="-1"])'

/** Marks the controls of a table row as known; fails if their number differs. */
async function markKnown(page: Page, { name, find, count = 1 }: Control): Promise<void> {
  const found = find(page)
  await expect(found, name).toHaveCount(typeof count === 'number' ? count : await count(page))
  await found.evaluateAll((elements) => {
    for (const element of elements) Object.assign(element, { isKnown: true })
  })
}

/** Interactive elements that no row covers. */
const unknownControls = (page: Page) =>
  page.evaluate(
    (pressable) =>
      [...document.querySelectorAll(pressable)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !('isKnown' in element))
        .map((element) => element.outerHTML.slice(0, 160)),
    PRESSABLE,
  )

test('every home page control has its effect', async ({ page, isMobile, externalRequests: _ }) => {
  await showSeededPollsOnly(page)
  await hidePosts(page)
  await openFullPage(page)
  const table = controls(isMobile)
  for (const control of table) await markKnown(page, control)
  await expect.poll(() => unknownControls(page), 'controls missing from the table').toEqual([])
  for (const { name, find, effect } of table)
    await test.step(name, async () => {
      const found = await find(page).all()
      expect(found.length).toBeGreaterThan(0)
      // Controls of a list are alike: the first and the last act, the others are clickable.
      for (const [at, element] of found.entries())
        if (at === 0 || at === found.length - 1) await effect(page, element)
        else await element.click({ trial: true })
    })
  await page.unrouteAll({ behavior: 'wait' })
})
