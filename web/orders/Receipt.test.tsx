import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildBreakdown, buildOrder, buildOrderLine } from '../testing/order.fixture'
import { renderWithProviders } from '../testing/render'
import { Receipt } from './Receipt'

const rowText = (term: string) => screen.getByText(term).parentElement?.textContent

test('lists lines, shipping and included tax', async () => {
  const lines = [
    buildOrderLine({ id: 'l1', variantName: 'M', quantity: 2 }),
    buildOrderLine({ id: 'l2', productName: 'The album', kind: 'digital', unitPriceCents: 1200 }),
  ]
  const breakdown = buildBreakdown({
    linesCents: 19000,
    discountCents: 500,
    shippingCents: 1400,
    taxCents: 3177,
    taxIncluded: true,
    totalCents: 19900,
  })
  const shippingMethod = { id: 'eu', name: 'Europe', priceCents: 1400 }
  await renderWithProviders(
    <Receipt
      order={buildOrder({
        lines,
        breakdown,
        tax: { name: 'VAT', ratePer100k: 19_000, isEstimate: false },
        shippingMethod,
        discountCode: 'GILT5',
        amountCents: 19900,
      })}
    />,
  )
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'The hoodieM, 2 × $89.00$178.00',
    'The album$12.00',
  ])
  expect(rowText('Promotion GILT5')).toBe('Promotion GILT5−$5.00')
  expect(rowText('Shipping, Europe')).toBe('Shipping, Europe$14.00')
  expect(rowText('Includes 19% VAT')).toBe('Includes 19% VAT$31.77')
  expect(rowText('Total')).toBe('Total$199.00')
})

test('shows what was refunded of each line', async () => {
  const refunded = buildOrderLine({ quantity: 2, refundedQuantity: 1, refundedCents: 8900 })
  await renderWithProviders(<Receipt order={buildOrder({ lines: [refunded], refundedCents: 8900 })} />)
  expect(within(screen.getByRole('listitem')).getByText('1 returned, $89.00 refunded')).toBeDefined()
  expect(rowText('Refunded')).toBe('Refunded−$89.00')
})

test('an order without a shipping method shows free shipping', async () => {
  await renderWithProviders(<Receipt order={buildOrder()} />)
  expect(rowText('Shipping')).toBe('ShippingFree')
})
