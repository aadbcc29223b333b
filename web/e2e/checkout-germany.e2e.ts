import { addToCart, cartDrawer } from './cart'
import { fillCheckout, payButton, receipt } from './checkout'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

test('a German buyer sees included tax after a promotion code', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page, '/merch/gilt-disc-hoodie')
  await addToCart(page, 'S')
  const drawer = cartDrawer(page)
  await drawer.getByRole('button', { name: 'Add a promotion code' }).click()
  await drawer.getByLabel('Promotion code').fill('gilt5')
  await drawer.getByLabel('Promotion code').press('Enter')
  await expect(drawer).toContainText(/Promotion GILT5\s*−\$5\.00.*Subtotal\s*\$84\.00/)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Check out' }).click()

  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText(/Gilt Disc Hoodie\s*S.*Promotion GILT5\s*−\$5\.00/)
  await fillCheckout(page, 'kaeufer@mail.example', {
    name: 'Jana Becker',
    line1: 'Torstraße 1',
    city: 'Berlin',
    state: '',
    postalCode: '10119',
    country: 'DE',
  })
  // The 19 % tax is $13.41 of the $84.00, and $2.55 of the $16.00 for shipping.
  const totals = /Shipping, Tracked, 7 to 12 days\s*\$16\.00.*Includes 19% VAT\s*\$15\.96.*Total\s*\$100\.00/
  await expect(summary).toContainText(totals)
  await expectAccessible(page)
  await expect(payButton(page)).toHaveText('Pay $100.00')
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Purchase Successful' })).toBeVisible()
  await expect(receipt(page)).toContainText(/Subtotal\s*\$89\.00.*Promotion GILT5\s*−\$5\.00/)
  await expect(receipt(page)).toContainText(/Berlin/)
  await expect(receipt(page)).toContainText(/Shipping, Tracked, 7 to 12 days\s*\$16\.00.*Includes 19% VAT\s*\$15\.96/)
  await expect(receipt(page)).toContainText(/Total\s*\$100\.00/)
})
