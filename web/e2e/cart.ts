import { expect, type Page } from '@playwright/test'

export const cartButton = (page: Page) => page.getByRole('button', { name: /^Cart, / })
export const cartDrawer = (page: Page) => page.getByRole('dialog', { name: 'Your cart' })

/** Chooses a size on the product page that is open, and adds it to the cart; the drawer opens. */
export async function addToCart(page: Page, size: string): Promise<void> {
  await page.getByRole('group', { name: 'Size' }).getByText(size, { exact: true }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(cartDrawer(page)).toBeVisible()
}
