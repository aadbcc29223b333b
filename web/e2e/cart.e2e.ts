import { addToCart, cartButton, cartDrawer } from './cart'
import { fillCheckout, payButton, receipt } from './checkout'
import { expectAccessible, expectAccessibleInLongRun } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

const HOODIE_PAGE = '/merch/gilt-disc-hoodie'

test('a visitor fills a cart while browsing and pays once', { tag: ['@phone', '@axe'] }, async ({ page }) => {
  await openPage(page, HOODIE_PAGE)
  await addToCart(page, 'M')
  const drawer = cartDrawer(page)
  await expect(drawer).toContainText(/Gilt Disc Hoodie\s*M/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(cartButton(page)).toHaveAccessibleName('Cart, 1 item')

  await page.getByRole('link', { name: 'All merch' }).click()
  await page
    .getByRole('link', { name: /Gold Nose Clip/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(drawer.getByRole('listitem')).toHaveCount(2)
  await page.reload()
  await expect(cartButton(page)).toHaveAccessibleName('Cart, 2 items')

  await cartButton(page).click()
  await drawer
    .getByRole('group', { name: /Nose Clip/ })
    .getByRole('button', { name: 'One more' })
    .click()
  await expect(drawer).toContainText('3 items')
  await drawer.getByRole('button', { name: /^Remove Gilt Disc Hoodie/ }).click()
  await expect(drawer).toContainText('2 items')
  await drawer.getByRole('button', { name: 'Undo' }).click()
  await expect(drawer).toContainText('3 items')

  await drawer.getByRole('button', { name: 'Check out' }).click()
  await expect(page).toHaveURL('/checkout?cart=true')
  await fillCheckout(page)
  await expect(page.getByText('Enter your address to see how we can deliver.')).toHaveCount(0)
  await expect(payButton(page)).toBeEnabled()
  await expectAccessibleInLongRun(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
  await expect(receipt(page).getByRole('listitem')).toHaveCount(2)
  await expect(cartButton(page)).toHaveCount(0)
})

test('sizes, cart and payment work by keyboard alone', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page, HOODIE_PAGE)
  await page.getByRole('button', { name: 'Add to cart' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Choose a size first.')
  await expect(page.getByRole('radio', { name: 'S', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'M', exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Add to cart' }).press('Enter')
  const drawer = cartDrawer(page)
  await drawer.getByRole('button', { name: /^Remove/ }).press('Enter')
  await expect(drawer.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('button', { name: /^Remove/ })).toBeFocused()
  await drawer.getByRole('button', { name: 'Check out' }).press('Enter')
  await fillCheckout(page)
  await expect(page.getByText('Enter your address to see how we can deliver.')).toHaveCount(0)
  await payButton(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
})
