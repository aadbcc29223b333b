import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminProduct } from '../../worker/contract/admin-content'
import { SITE_DRAFT } from '../../worker/testing/drafts'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { changeField, noContent, renderApp } from '../testing/render'

const buildVariant = (size: string, stock: number | null): AdminProduct['variants'][number] => ({
  id: `hoodie-${size}`,
  name: size,
  options: { Size: size },
  sku: `H-${size}`,
  priceCents: 8900,
  minimumCents: null,
  stock,
  weightGrams: 600,
  imageUrl: '',
  releaseSlug: null,
  trackId: null,
  items: [],
})
const product: AdminProduct = {
  id: 'hoodie',
  slug: 'hoodie',
  name: 'Hoodie',
  description: 'A hoodie.',
  kind: 'shipped',
  releasesAt: null,
  sizeGuide: '',
  priceCents: 8900,
  stock: 5,
  variants: [buildVariant('S', 5), buildVariant('M', null)],
  checkoutUrl: '',
  isFeatured: false,
  position: 1,
  images: [],
  version: 3,
}
const PATCH_PRODUCT = 'PATCH /api/admin/products/hoodie'

test('saves price and stock of each variant', async () => {
  const { sent } = await renderApp('/admin/merch', {
    'GET /api/admin/session': buildAdminSession(),
    'GET /api/admin/site': SITE_DRAFT,
    'GET /api/admin/products': [product],
    [PATCH_PRODUCT]: noContent,
  })
  fireEvent.click(await screen.findByRole('button', { name: /Edit.*Hoodie/ }))
  await screen.findByLabelText('S: stock')
  changeField('S: stock', '7')
  changeField('M: price', '95')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent.some((request) => request.startsWith(PATCH_PRODUCT))).toBe(true))
  const body = JSON.parse(sent.find((request) => request.startsWith(PATCH_PRODUCT))?.slice(PATCH_PRODUCT.length) ?? '')
  expect(body.variants).toMatchObject([
    { id: 'hoodie-S', priceCents: 8900, stock: 7, previousStock: 5 },
    { id: 'hoodie-M', priceCents: 9500, stock: null, previousStock: null },
  ])
  expect(body.version).toBe(3)
  expect(body).not.toHaveProperty('priceCents')
})
