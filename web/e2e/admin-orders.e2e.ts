import { buyViaApi, receipt } from './checkout'
import { expect, expectAccessible, test } from './fixtures'
import { open } from './home'

test('the desk finds an order, sends it and sends its money back, and the buyer reads so', { tag: '@desk' }, async ({
  page,
  context,
  baseURL,
}) => {
  const { id, secret } = await buyViaApi(page, baseURL ?? '')
  await open(page, `/orders/${id}?client_secret=${secret}`)
  await expect(receipt(page)).toContainText('Total')

  const desk = await context.newPage()
  await open(desk, '/admin-login')
  const shown = desk.getByRole('region', { name: 'Demo credentials' }).getByRole('definition')
  await expect(shown).toHaveCount(2)
  const [username = '', password = ''] = await shown.allTextContents()
  await desk.getByLabel('Username').fill(username)
  await desk.getByLabel('Password', { exact: true }).fill(password)
  await desk.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(desk.getByRole('heading', { name: 'Admin', level: 1 })).toBeVisible()
  await desk.getByRole('tab', { name: 'Orders' }).click()
  await desk.getByLabel('Search orders').fill(id)
  const line = desk.getByRole('row').filter({ hasText: id })
  await expect(line).toContainText(/Gilt Disc Hoodie.*\$89\.00.*Paid.*To be packed/)
  await expectAccessible(desk)

  await desk.getByRole('button', { name: `Open order ${id}` }).click()
  const order = desk.getByRole('dialog', { name: `Order ${id}` })
  await expect(order).not.toContainText('1 Bay Street')
  await order.getByRole('button', { name: 'Show the address' }).click()
  await expect(order).toContainText('Alex Harbor, 1 Bay Street, Tampa, FL 33602')
  await order.getByLabel('Parcel').selectOption('Shipped')
  await order.getByLabel('Tracking').fill('1Z 999')
  await order.getByRole('button', { name: 'Save the parcel' }).click()
  // A dialog hides what is around it from roles; the toast is read out all the same.
  await expect(desk.getByText('The buyer’s receipt says so.').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Parcel' })).toContainText(/On its way.*Tracking 1Z 999/)

  await order.getByRole('button', { name: 'Refund $89.00' }).click()
  await order.getByRole('button', { name: 'Send the money back' }).click()
  await expect(order).toContainText('Please give a reason.')
  await order.getByLabel('Reason').fill('The parcel came back')
  await order.getByRole('button', { name: 'Send the money back' }).click()
  await expect(order).toContainText('Refunded, by the desk')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Refunded', level: 1 })).toBeVisible()
  await expect(receipt(page)).toContainText('−$89.00')
})
