import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildProduct } from '../testing/product.fixture'
import { renderApp } from '../testing/render'

const products = (...list: ReturnType<typeof buildProduct>[]) => ({ 'GET /api/products': list })
const clip = buildProduct({ id: 'clip', slug: 'gold-clip', name: 'Gold Clip', isFeatured: true })
const hoodie = buildProduct({ id: 'hoodie', slug: 'the-hoodie', name: 'The Hoodie' })

test('links every product to its page', async () => {
  await renderApp('/merch', products(clip, hoodie))
  const list = within(await screen.findByRole('list', { name: 'Products' }))
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/merch/gold-clip',
    '/merch/the-hoodie',
  ])
})

test('offers the drop list while the store is empty', async () => {
  await renderApp('/merch', products())
  expect(await screen.findByText(/^No merch right now\./)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Notify Me' })).toBeTruthy()
})

test('a product links to its checkout and to other products', async () => {
  await renderApp('/merch/the-hoodie', products(clip, hoodie))
  expect(await screen.findByRole('heading', { level: 1, name: 'The Hoodie' })).toBeTruthy()
  const hrefOf = (name: RegExp | string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('Buy Now')).toBe('/checkout?product=hoodie&quantity=1')
  expect(hrefOf(/^Gold Clip/)).toBe('/merch/gold-clip')
  expect(screen.getByText(/^Shipping is included/)).toBeTruthy()
})

test('a sold-out product cannot be bought', async () => {
  await renderApp('/merch/the-hoodie', products({ ...hoodie, stock: 0 }))
  const button = await screen.findByRole('button', { name: 'Sold out' })
  expect(button.matches(':disabled')).toBe(true)
  expect(screen.queryByText(/^Shipping is included/)).toBeNull()
})

test('an external payment page has its own terms', async () => {
  await renderApp('/merch/the-hoodie', products({ ...hoodie, checkoutUrl: 'https://pay.example/hoodie' }))
  const link = await screen.findByRole('link', { name: /^Buy Now/ })
  expect(link.getAttribute('href')).toBe('https://pay.example/hoodie')
  expect(screen.queryByText(/^Shipping is included/)).toBeNull()
})

test.each(['/merch/none', '/merch/The-Hoodie'])('shows the 404 card at %s', async (path) => {
  await renderApp(path, products(hoodie))
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy()
})
