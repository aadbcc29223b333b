import { expect, type Page } from '@playwright/test'

export const cartButton = (page: Page) => page.getByRole('button', { name: /^Cart, / })
export const cartDrawer = (page: Page) => page.getByRole('dialog', { name: 'Your cart' })

/** On an open product page, adds a size to the cart and waits for the cart drawer. */
export async function addToCart(page: Page, size: string): Promise<void> {
  await page.getByRole('group', { name: 'Size' }).getByText(size, { exact: true }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(cartDrawer(page)).toBeVisible()
}
