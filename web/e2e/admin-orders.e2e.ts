import { openScreen } from './admin'
import { buyViaApi, receipt } from './checkout'
import { expect, expectAccessible, test } from './fixtures'
import { open } from './home'

test('the receipt shows an order’s shipment and refund', { tag: '@desktop' }, async ({ page, context }) => {
  const { id, secret } = await buyViaApi(page)
  await open(page, `/orders/${id}?client_secret=${secret}`)
  await expect(receipt(page)).toContainText('Total')

  const admin = await context.newPage()
  await openScreen(admin, 'orders')
  await admin.getByLabel('Search by number').fill(id)
  await expect(admin.getByRole('row', { name: `Order ${id}` })).toContainText(
    /Gilt Disc Hoodie.*\$101\.65.*Paid.*To pack/,
  )
  await expectAccessible(admin)
  await admin.getByRole('button', { name: id }).click()
  const order = admin.getByRole('dialog', { name: `Order ${id}` })
  await expect(order).not.toContainText('1 Bay Street')
  await expectAccessible(admin)
  await order.getByRole('button', { name: 'Show the address' }).click()
  await expect(order).toContainText('Alex Harbor, 1 Bay Street, Tampa, FL 33602')
  await order.getByLabel('Parcel').selectOption('Shipped')
  await order.getByLabel('Carrier').fill('UPS')
  await order.getByLabel('Tracking').fill('1Z 999')
  await order.getByRole('button', { name: 'Save the parcel' }).click()
  // A modal dialog hides the toast from role queries.
  await expect(admin.getByText('The buyer sees it on the receipt.').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Parcel' })).toContainText(/On its way.*Tracking with UPS 1Z 999/)

  await order.getByRole('button', { name: 'Refund $101.65' }).click()
  await order.getByRole('button', { name: 'Refund the order' }).click()
  await expect(order).toContainText('Please give a reason.')
  await order.getByLabel('Reason').fill('The parcel came back')
  await order.getByRole('button', { name: 'Refund the order' }).click()
  await expect(order).toContainText('Refunded, by the team')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Refunded', level: 1 })).toBeVisible()
  await expect(receipt(page)).toContainText('−$101.65')
})
