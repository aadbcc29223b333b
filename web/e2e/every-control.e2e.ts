import type { Page } from '@playwright/test'
import { type Control, controls } from './controls'
import { expect, test } from './fixtures'
import { hidePosts, openFullPage, showSeededPollsOnly } from './home'

const PRESSABLE =
  'a[href], button, input, select, textarea, summary, audio[controls], video, iframe, [contenteditable], ' +
  '[role=button], [role=link], [role=slider], [role=switch], [role=tab], [role=option], [tabindex]:not([tabindex="-1"])'

/** Marks the controls of a table row; fails if their number differs. */
async function mark(page: Page, { name, find, count = 1 }: Control): Promise<void> {
  const found = find(page)
  await expect(found, name).toHaveCount(typeof count === 'number' ? count : await count(page))
  await found.evaluateAll((elements) => {
    for (const element of elements) Object.assign(element, { isKnown: true })
  })
}

/** Interactive elements that no row covers. */
const unknown = (page: Page) =>
  page.evaluate(
    (pressable) =>
      [...document.querySelectorAll(pressable)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !('isKnown' in element))
        .map((element) => element.outerHTML.slice(0, 160)),
    PRESSABLE,
  )

test('every home page control has its effect', async ({ page, isMobile, externalRequests: _ }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await showSeededPollsOnly(page)
  await hidePosts(page)
  await openFullPage(page)
  const table = controls(isMobile)
  for (const control of table) await mark(page, control)
  await expect.poll(() => unknown(page), 'controls that the table does not know').toEqual([])
  for (const { name, find, effect } of table)
    await test.step(name, async () => {
      const found = find(page)
      const count = await found.count()
      expect(count).toBeGreaterThan(0)
      for (let at = 0; at < count; at += 1) await effect(page, found.nth(at))
    })
  await page.unrouteAll({ behavior: 'wait' })
})
