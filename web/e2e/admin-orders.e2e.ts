import { openScreen } from './admin'
import { buyViaApi, receipt } from './checkout'
import { expect, test } from './fixtures'
import { openPage } from './page'

test('the receipt shows an order’s shipment and refund', { tag: ['@desktop', '@long'] }, async ({ page, context }) => {
  const { id, secret } = await buyViaApi(page)
  await openPage(page, `/orders/${id}?client_secret=${secret}`)
  await expect(receipt(page)).toContainText('Total')

  const admin = await context.newPage()
  await openScreen(admin, 'orders')
  await admin.getByLabel('Search by number').fill(id)
  await expect(admin.getByRole('row', { name: `Order ${id}` })).toContainText(
    /Gilt Disc Hoodie.*\$101\.65.*Paid.*To pack/,
  )
  await admin.getByRole('link', { name: id }).click()
  await expect(admin.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible()
  const main = admin.getByRole('main')
  await expect(main).not.toContainText('1 Bay Street')
  await main.getByRole('button', { name: 'Show the address' }).click()
  await expect(main).toContainText(/Alex Harbor\s*1 Bay Street\s*Tampa, FL 33602/)
  const shipment = main.getByRole('region', { name: 'Shipment' })
  await shipment.getByLabel('State').selectOption('Shipped')
  await shipment.getByLabel('Carrier').fill('UPS')
  await shipment.getByLabel('Tracking').fill('1Z 999')
  await shipment.getByRole('button', { name: 'Save the shipment' }).click()
  await expect(main.getByRole('region', { name: 'Timeline' })).toContainText('marked it as shipped')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Shipment' })).toContainText(/On its way.*Tracking with UPS 1Z 999/)

  await main.getByRole('button', { name: 'Refund the whole order, $101.65' }).click()
  const refund = main.getByRole('form', { name: 'Refund the whole order' })
  await refund.getByRole('button', { name: 'Refund the order' }).click()
  await expect(refund).toContainText('Please give a reason.')
  await refund.getByLabel('Reason').fill('The shipment came back')
  await refund.getByRole('button', { name: 'Refund the order' }).click()
  await expect(main).toContainText('Refunded, by the team')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Refunded', level: 1 })).toBeVisible()
  await expect(receipt(page)).toContainText('−$101.65')
})
