import { expectAccessible, toastOn } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

test('toasts, invalid fields, locked tracks and lyric meet WCAG', { tag: '@desktop' }, async ({ page }) => {
  await openPage(page)
  await page.getByRole('button', { name: 'Run-out groove, side A' }).click()
  await page
    .getByRole('list', { name: 'All tracks' })
    .getByRole('button', { name: / plays$/ })
    .last()
    .click()
  await page.getByRole('region', { name: 'First to know' }).getByRole('button').click()
  await expect(toastOn(page)).toContainText('Email required')
  await expectAccessible(page)
})

// axe ignores the colors that forced colors mode substitutes.
test('forced colors keep buttons, sliders and focus visible', { tag: '@desktop' }, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page)
  const hasBorder = (name: string) =>
    page
      .getByRole('link', { name })
      .or(page.getByRole('button', { name }))
      .first()
      .evaluate((control) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(control)
        return borderTopStyle === 'solid' && borderTopWidth !== '0px' && borderTopColor !== backgroundColor
      })
  for (const name of ['LISTEN NOW', 'GET TICKETS', 'Buy Now', 'Notify Me', 'Add to Calendar', 'Next', 'Choose Gold'])
    expect(await hasBorder(name), `the border of ${name}`).toBe(true)
  for (const name of ['Seek', 'Volume'])
    expect(await page.getByRole('slider', { name }).evaluate((slider) => slider.clientHeight)).toBeGreaterThan(0)
  // After a key press, focus that a script sets shows its outline.
  await page.keyboard.press('Tab')
  const play = page.getByRole('button', { name: 'Play Gilt Tide' })
  await play.focus()
  await expect(play).toHaveCSS('outline-style', 'solid')
})

test('only a playing record animates, nothing under reduced motion', { tag: '@desktop' }, async ({ page }) => {
  const runningAnimations = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1)
        .map((animation) => (animation.effect as KeyframeEffect).target?.className),
    )
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openPage(page)
  await expect.poll(runningAnimations, 'when nothing plays').toEqual([])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect(page.getByRole('button', { name: 'Pause Gilt Tide' })).toBeVisible()
  expect(await runningAnimations()).toEqual([])
  await page
    .getByRole('button', { name: /Lantern Roof/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await runningAnimations()).toEqual([])
  await page.keyboard.press('Escape')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(runningAnimations, 'the turning record').toContainEqual(expect.stringContaining('record'))
})
