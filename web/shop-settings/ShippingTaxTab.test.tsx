import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminShippingZone } from '../../worker/contract/shop-settings'
import { mockFetch, renderWithProviders } from '../testing/render'
import { NEW_METHOD } from './MethodsField'
import { ShippingTaxTab } from './ShippingTaxTab'

const method = { ...NEW_METHOD, id: 'm1' }
const shipping: AdminShippingZone = {
  id: 'z1',
  name: 'Home',
  kind: 'shipping',
  countries: ['US'],
  methods: [method],
  position: 3,
  version: 1,
}
const pickup: AdminShippingZone = { ...shipping, id: 'z2', kind: 'pickup', countries: [], position: 100 }

test('a new zone comes before pickup', async () => {
  mockFetch({
    'GET /api/admin/shipping-zones': [shipping, pickup],
    'GET /api/admin/shipping-zones?sort=-position': [pickup, shipping],
    'GET /api/admin/shipping-zones?kind=shipping': [shipping],
    'GET /api/admin/shipping-zones?kind=shipping&sort=-position': [shipping],
    'GET /api/admin/tax-rates': [],
  })
  await renderWithProviders(<ShippingTaxTab />, { path: '/admin/shop?zones.edit=new' })
  expect((await screen.findByLabelText<HTMLInputElement>('Place')).value).toBe('4')
})
