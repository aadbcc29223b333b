import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { clearAccountCart, closeCart, getCart } from '../cart/cart-store'
import { buildProduct, buildSizeVariants, buildVariant } from '../testing/product.fixture'
import { changeField, renderApp } from '../testing/render'
// Preloads the lazy cart dialog, because loading it may exceed the timeout of the queries.
import '../cart/CartDrawer'

const productResponse = (...products: ReturnType<typeof buildProduct>[]) => ({ 'GET /api/products': products })
beforeEach(() => {
  clearAccountCart()
  closeCart()
})

const clip = buildProduct({ id: 'clip', slug: 'gold-clip', name: 'Gold Clip', isFeatured: true })
const hoodie = buildProduct({ id: 'hoodie', slug: 'the-hoodie', name: 'The Hoodie' })

test('links every product to its page', async () => {
  await renderApp('/merch', productResponse(clip, hoodie))
  const list = within(await screen.findByRole('list', { name: 'Products' }))
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/merch/gold-clip',
    '/merch/the-hoodie',
  ])
})

test('offers the newsletter form while the store is empty', async () => {
  await renderApp('/merch', productResponse())
  expect(await screen.findByText(/^No merch right now\./)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Notify Me' })).toBeTruthy()
})

test('a product links to its checkout and to other products', async () => {
  await renderApp('/merch/the-hoodie', productResponse(clip, hoodie))
  expect(await screen.findByRole('heading', { level: 1, name: 'The Hoodie' })).toBeTruthy()
  const hrefOf = (name: RegExp | string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('Buy Now')).toBe('/checkout?product=hoodie&quantity=1')
  expect(hrefOf(/^Gold Clip/)).toBe('/merch/gold-clip')
  expect(screen.getByText(/^Packed and shipped/)).toBeTruthy()
})

test('a sold-out product cannot be bought', async () => {
  await renderApp('/merch/the-hoodie', productResponse({ ...hoodie, stock: 0, variants: [buildVariant({ stock: 0 })] }))
  const button = await screen.findByRole('button', { name: 'Sold out' })
  expect(button.matches(':disabled')).toBe(true)
  expect(screen.queryByText(/^Packed and shipped/)).toBeNull()
})

test('shows no delivery notes for an external payment page', async () => {
  await renderApp('/merch/the-hoodie', productResponse({ ...hoodie, checkoutUrl: 'https://pay.example/hoodie' }))
  const link = await screen.findByRole('link', { name: /^Buy Now/ })
  expect(screen.queryByRole('button', { name: 'Add to cart' })).toBeNull()
  expect(link.getAttribute('href')).toBe('https://pay.example/hoodie')
  expect(screen.queryByText(/^Packed and shipped/)).toBeNull()
})

test.each(['/merch/none', '/merch/The-Hoodie'])('shows the 404 card at %s', async (path) => {
  await renderApp(path, productResponse(hoodie))
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})

const hoodieWithSizes = { ...hoodie, variants: buildSizeVariants('hoodie', { S: 0, M: 3, L: 20 }) }

test('asks for a size, shows its stock, fills the cart', async () => {
  await renderApp('/merch/the-hoodie', productResponse(hoodieWithSizes))
  const group = within(await screen.findByRole('group', { name: /^Size/ }))
  expect(group.getByRole<HTMLInputElement>('radio', { name: /^S/ }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Add to cart' }))
  expect(screen.getByRole('alert').textContent).toBe('Choose a size first.')
  expect(document.activeElement).toBe(group.getByRole('radio', { name: 'M' }))
  fireEvent.click(group.getByRole('radio', { name: 'M' }))
  expect(screen.getByText('3 left')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Buy Now' }).getAttribute('href')).toBe(
    '/checkout?product=hoodie&variant=hoodie-m&quantity=1',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add to cart' }))
  expect(getCart()).toMatchObject({ isOpen: true, lines: [{ variantId: 'hoodie-m', quantity: 1 }] })
})

test('accepts a chosen price at or above the minimum', async () => {
  const variant = buildVariant({
    id: 'album-flac',
    priceCents: 1200,
    minimumCents: 700,
    suggestedCents: 1200,
    stock: null,
  })
  const album = buildProduct({ id: 'album', slug: 'album', kind: 'digital', ships: false, variants: [variant] })
  await renderApp('/merch/album', productResponse(album))
  await screen.findByText(/at least \$7\.00\. We suggest \$12\.00/)
  for (const [typed, message] of [
    ['5', /^The lowest price is \$7\.00/],
    ['a lot', /^Enter an amount like/],
  ] as const) {
    changeField('Name your price', typed)
    fireEvent.click(screen.getByRole('button', { name: 'Add to cart' }))
    expect(screen.getByText(message)).toBeTruthy()
  }
  changeField('Name your price', '15.50')
  fireEvent.click(screen.getByRole('button', { name: 'Add to cart' }))
  expect(getCart().lines).toMatchObject([{ variantId: 'album-flac', unitPriceCents: 1550 }])
})

test('requests a stock alert for a sold-out size', async () => {
  const { sent } = await renderApp('/merch/the-hoodie', {
    ...productResponse(hoodieWithSizes),
    'POST /api/stock-alerts': () => new Response(null, { status: 202 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: /Tell me when it is back$/ }))
  changeField('Email', 'fan@mail.example')
  fireEvent.click(screen.getByRole('button', { name: 'Tell me when The Hoodie is back' }))
  expect(await screen.findByText(/^Check your inbox and confirm/)).toBeTruthy()
  expect(sent).toContain('POST /api/stock-alerts {"variantId":"hoodie-s","email":"fan@mail.example"}')
})

test('a pre-order names its release day', async () => {
  const releasesAt = '2999-03-04T17:00:00Z'
  await renderApp('/merch/the-hoodie', productResponse({ ...hoodie, releasesAt, sizeGuide: 'M: 58 cm across.' }))
  expect(await screen.findByText('Pre-order')).toBeTruthy()
  expect(screen.getByText(/we ship it on March 4, 2999/)).toBeTruthy()
  expect(screen.getByText('M: 58 cm across.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add to cart' })).toBeTruthy()
})
