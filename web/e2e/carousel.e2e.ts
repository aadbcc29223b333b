import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { swipe } from './touch'

const carousel = (page: Page) => page.getByRole('region', { name: 'Gold Nose Clip' })
const control = (page: Page, name: string) => carousel(page).getByRole('button', { name })

/** Waits until this image is current and visible. */
async function expectImage(page: Page, number: number): Promise<void> {
  await expect(carousel(page).locator('[aria-current="true"]')).toHaveAccessibleName(`Picture ${number}`)
  const visibleNumber = () =>
    carousel(page)
      .locator('.slides')
      .evaluate((strip) => strip.scrollLeft / strip.clientWidth + 1)
  await expect.poll(visibleNumber, 'the visible image').toBeCloseTo(number, 1)
}

/** Opens the page with a clock that only `page.clock.runFor` advances. Returns the current image's number. */
async function openWithStoppedClock(page: Page): Promise<number> {
  await page.clock.install()
  await openPage(page)
  await carousel(page).scrollIntoViewIfNeeded()
  // Images change only when visible. The carousel's own observer is notified before this one.
  await carousel(page).evaluate(
    (region) => new Promise<void>((done) => new IntersectionObserver(() => done()).observe(region)),
  )
  await page.clock.pauseAt(Date.now() + 60_000)
  // React changes the image in a later task, so wait for tasks of the same kind.
  await page.evaluate(async () => {
    for (let task = 0; task < 3; task += 1)
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = done
        port2.postMessage(null)
      })
  })
  const label = await carousel(page).locator('[aria-current="true"]').getAttribute('aria-label')
  return Number(label?.at(-1))
}
const imageAfter = (number: number) => (number % 3) + 1

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('images change every 3000 ms unless paused', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    const first = await openWithStoppedClock(page)
    await page.clock.runFor(2999)
    await expectImage(page, first)
    await page.clock.runFor(1)
    await expectImage(page, imageAfter(first))
    await control(page, 'Pause the pictures').click()
    await control(page, 'Picture 2').click()
    await page.clock.runFor(10_000)
    await expectImage(page, 2)
    await control(page, 'Play the pictures').click()
    await page.clock.runFor(3000)
    await expectImage(page, 3)
    await control(page, 'Next picture').focus()
    await page.clock.runFor(10_000)
    await expectImage(page, 3)
    await page.getByRole('link', { name: 'Buy Now' }).focus()
    await page.mouse.move(2, 2)
    await control(page, 'Next picture').hover()
    await page.clock.runFor(10_000)
    await expectImage(page, 3)
    await page.mouse.move(2, 2)
    await page.clock.runFor(3000)
    await expectImage(page, 1)
  })
})

test('under reduced motion, images change only after Play', { tag: ['@phone', '@long'] }, async ({ page }) => {
  expect(await openWithStoppedClock(page)).toBe(1)
  await page.clock.runFor(10_000)
  await expectImage(page, 1)
  await control(page, 'Play the pictures').click()
  await page.clock.runFor(3000)
  await expectImage(page, 2)
})

test('images can be stepped, chosen and swiped', { tag: '@phone' }, async ({ page }) => {
  await openPage(page)
  await control(page, 'Previous picture').click()
  await expectImage(page, 3)
  await control(page, 'Next picture').click()
  await expectImage(page, 1)
  await control(page, 'Picture 2').click()
  await expectImage(page, 2)
  await control(page, 'Picture 1').click()
  await expectImage(page, 1)
  const strip = carousel(page).locator('.slides')
  const { x, y, width } = (await strip.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await swipe(page, { x: x + width * 0.9, y: y + 40 }, -width * 0.7)
  await expectImage(page, 2)
})
