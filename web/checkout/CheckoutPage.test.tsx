import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Product } from '../../worker/contract/shop'
import { aSite } from '../testing/a-site'
import { openApp } from '../testing/render'
import { checkoutSearch, clampQuantity } from './search'

const product = (id: string, priceCents: number, isFeatured: boolean): Product => ({
  id,
  name: `The ${id}`,
  description: '',
  price: priceCents / 100,
  priceCents,
  imageUrl: '/media/a/b.webp',
  images: [],
  stock: 5,
  checkoutUrl: '',
  isFeatured,
  ships: true,
})
const off = () =>
  new Response('Card payment is not set up on this site yet.', {
    status: 503,
    headers: { 'x-error-code': 'payments_off' },
  })

const open = (path: string, intent: () => Response | Promise<Response> = off) =>
  openApp(path, {
    'GET /api/config': aSite(),
    'GET /api/auth/status': null,
    'GET /api/products': [product('clip', 1999, true), product('hoodie', 8900, false)],
    'POST /api/create-payment-intent': intent,
  })
const pay = (name: string) => screen.findByRole('button', { name }) as Promise<HTMLButtonElement>

test.each([
  [undefined, 1],
  ['', 1],
  ['many', 1],
  [0, 1],
  [-4, 1],
  [2.9, 2],
  ['3', 3],
  [99, 99],
  [100, 99],
  [Number.POSITIVE_INFINITY, 99],
])('a quantity of %o is %i', (value, quantity) => {
  expect(clampQuantity(value)).toBe(quantity)
})

test('the address keeps a product that looks like a number and nothing that is none', () => {
  expect(checkoutSearch({ product: 7, quantity: '2', other: 'x' })).toEqual({ product: '7', quantity: 2 })
  expect(checkoutSearch({ product: { id: 1 } })).toEqual({})
})

test('without a product it is the first that is not featured, once', async () => {
  const { sent } = await open('/checkout')
  expect(await screen.findByText('The hoodie')).toBeDefined()
  expect((await pay('Pay $89.00')).disabled).toBe(true)
  const posts = sent.filter((line) => line.startsWith('POST'))
  expect(posts).toEqual(['POST /api/create-payment-intent {"amount":89,"productId":"hoodie","quantity":1}'])
})

test('product and quantity are read from the address', async () => {
  await open('/checkout?product=clip&quantity=3')
  expect(await screen.findByText('The clip')).toBeDefined()
  expect(await pay('Pay $59.97')).toBeDefined()
})

test('the spinner has words until the server answers', async () => {
  let release = () => {}
  await open('/checkout', () => new Promise((resolve) => (release = () => resolve(off()))))
  expect(await screen.findByText('Preparing the payment')).toBeDefined()
  release()
  expect(await screen.findByText('Card payment is not set up on this site yet')).toBeDefined()
  expect(screen.queryByText('Preparing the payment')).toBeNull()
})

test('a refusal is told and can be tried again', async () => {
  let asked = 0
  await open('/checkout', () => {
    asked += 1
    return new Response('The price has changed. Please refresh.', { status: 409 })
  })
  expect(await screen.findByText(/409: The price has changed/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(asked).toBe(2))
})

test('an unknown product is said to be unknown', async () => {
  const { sent } = await open('/checkout?product=boat')
  expect(await screen.findByText('This product is not sold here')).toBeDefined()
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})
