import { openScreen } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'

test('packs ten orders from a phone within two minutes', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openScreen(page, 'packing')
  const main = page.getByRole('main')
  await expect(main.getByText(/^Order 1 of/)).toBeVisible()
  await expectAccessible(page)
  const startedAt = Date.now()
  for (let orderNumber = 1; orderNumber <= 10; orderNumber++) {
    for (const box of await main.getByRole('checkbox').all()) await box.check()
    await main.getByRole('button', { name: 'Packed, next' }).click()
    await expect(main.getByText(new RegExp(`^Order ${orderNumber + 1} of`))).toBeVisible()
  }
  expect(Date.now() - startedAt).toBeLessThan(120_000)
})
