import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { addLine, clearAccountCart, getCart } from '../cart/cart-store'
import { buildProduct, buildSizeVariants } from '../testing/product.fixture'
import { errorResponse } from '../testing/render'
import {
  CREATE_INTENT,
  findPayButton,
  readIntentRequest,
  renderCheckout,
  requestBodies,
  respondWithIntent,
} from '../testing/render-checkout'
import { saveBuyerDraft } from './buyer-draft'

beforeEach(() => {
  localStorage.clear()
  clearAccountCart()
  saveBuyerDraft(null)
})

test('prepares payment for the first non-featured product by default', async () => {
  const { sent } = await renderCheckout('/checkout')
  expect(await screen.findByText('The hoodie')).toBeDefined()
  expect(screen.getByText('Shipping').nextSibling?.textContent).toBe('After your address')
  await findPayButton('Pay $89.00')
  expect(requestBodies(sent)).toEqual([
    { amount: 89, productId: 'hoodie', quantity: 1, checkoutKey: expect.stringMatching(/^\w{48}$/) },
  ])
})

test('reads the quantity from the URL, limited to the stock', async () => {
  const { sent } = await renderCheckout('/checkout?product=clip&quantity=40', {
    [CREATE_INTENT]: async (request: Request) => {
      const { quantity = 1 } = await readIntentRequest(request)
      if (quantity <= 5) return respondWithIntent(request)
      return errorResponse(409, 'sold_out', 'Only 5 of these are left.', { 'x-stock-left': '5' })
    },
  })
  expect(await findPayButton('Pay $99.95')).toBeDefined()
  expect(screen.getByText('Only 5 of these are left.')).toBeDefined()
  expect(requestBodies(sent).map(({ quantity }) => quantity)).toEqual([40, 5])
})

test('counts the order’s own reservation as available', async () => {
  const { sent } = await renderCheckout('/checkout?product=clip&quantity=3', {
    'GET /api/products': [
      buildProduct({ id: 'clip', priceCents: 1999, isFeatured: true, ships: false, kind: 'digital', stock: 0 }),
    ],
    [CREATE_INTENT]: (request: Request) => respondWithIntent(request, { available: 3 }),
  })
  expect(await findPayButton('Pay $59.97')).toBeDefined()
  expect(screen.queryByText(/left\.$/)).toBeNull()
  expect(screen.getByRole('button', { name: 'One more' }).getAttribute('aria-disabled')).toBe('true')
  expect(requestBodies(sent).map(({ quantity }) => quantity)).toEqual([3])
})

test('shows progress until the order is prepared, then test cards', async () => {
  let release = () => {}
  await renderCheckout('/checkout', {
    [CREATE_INTENT]: (request: Request) =>
      new Promise((resolve) => (release = () => resolve(respondWithIntent(request)))),
  })
  expect(await screen.findByText('Preparing the payment')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pay $89.00' }).disabled).toBe(true)
  release()
  expect(await screen.findByText('Test payments: no card is charged')).toBeDefined()
  expect(screen.queryByText('Preparing the payment')).toBeNull()
})

test.each([
  ['payments_off', 503, 'Off.', 'Card payment is not set up on this site yet'],
  ['sold_out', 409, 'This is sold out.', /^This is sold out\./],
  ['sold_out', 409, 'Only 3 of these are left.', /^Only 3 of these are left\. Please order fewer\.$/],
  ['price_changed', 409, 'The price has changed. Please refresh.', /^The price has changed\. Please refresh\./],
  ['unavailable', 503, 'The provider does not answer.', /^The provider does not answer\. Nothing has been charged/],
])('shows the error %s and retries', async (code, status, message, displayedText) => {
  let requestCount = 0
  await renderCheckout('/checkout', {
    [CREATE_INTENT]: (request: Request) => {
      requestCount += 1
      const [, stockLeft] = /^Only (\d+)/.exec(message) ?? []
      return requestCount === 1
        ? errorResponse(status, code, message, stockLeft ? { 'x-stock-left': stockLeft } : {})
        : respondWithIntent(request)
    },
  })
  expect(within(await screen.findByRole('alert')).getByText(displayedText)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await findPayButton('Pay $89.00')).toBeDefined()
})

test('shows the new price after a retry', async () => {
  const prices = [8900, 9500]
  await renderCheckout('/checkout', {
    'GET /api/products': () => Response.json([buildProduct({ priceCents: prices.shift() ?? 9500 })]),
    [CREATE_INTENT]: async (request: Request) => {
      const { amount } = await readIntentRequest(request)
      return amount === 89 ? errorResponse(409, 'price_changed', 'The price has changed.') : respondWithIntent(request)
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await findPayButton('Pay $95.00')).toBeDefined()
})

test('reports a lost connection', async () => {
  await renderCheckout('/checkout', { [CREATE_INTENT]: () => Promise.reject(new TypeError('Failed to fetch')) })
  expect(await screen.findByText('No connection')).toBeDefined()
})

test('reports an unknown product', async () => {
  const { sent } = await renderCheckout('/checkout?product=boat')
  expect(await screen.findByText('This product is not sold here')).toBeDefined()
  expect(requestBodies(sent)).toEqual([])
})

test('changes quantity, URL and total of the same order', async () => {
  const { sent, router } = await renderCheckout('/checkout?product=clip')
  await findPayButton('Pay $19.99')
  fireEvent.click(screen.getByRole('button', { name: 'One more' }))
  expect(await findPayButton('Pay $39.98')).toBeDefined()
  expect(requestBodies(sent)[1]).toMatchObject({ amount: 39.98, quantity: 2, orderId: 'o1', clientSecret: 'cs_1' })
  expect(router.state.location.search).toEqual({ product: 'clip', quantity: 2 })
})

test('keeps the quantity when a change is rejected', async () => {
  const { router } = await renderCheckout('/checkout?product=clip', {
    [CREATE_INTENT]: async (request: Request) => {
      const { quantity } = await readIntentRequest(request)
      if (quantity !== 2) return respondWithIntent(request)
      return errorResponse(409, 'sold_out', 'Only 1 of these is left.', { 'x-stock-left': '1' })
    },
  })
  await findPayButton('Pay $19.99')
  fireEvent.click(screen.getByRole('button', { name: 'One more' }))
  expect(await screen.findByText('Only 1 of these is left.')).toBeDefined()
  expect(await findPayButton('Pay $19.99')).toBeDefined()
  await waitFor(() => expect(router.state.location.search).toEqual({ product: 'clip', quantity: 1 }))
})

test('applies a promotion code and rejects an unknown one', async () => {
  await renderCheckout('/checkout?product=clip', {
    [CREATE_INTENT]: async (request: Request) => {
      const { discountCode } = await readIntentRequest(request)
      if (discountCode !== 'NOPE') return respondWithIntent(request)
      return errorResponse(400, 'unknown_code', 'That code is not valid.')
    },
  })
  await findPayButton('Pay $19.99')
  const field = screen.getByLabelText('Promotion code')
  fireEvent.change(field, { target: { value: 'NOPE' } })
  fireEvent.submit(field.closest('form') as HTMLFormElement)
  expect(await screen.findByText('That code is not valid.')).toBeDefined()
  fireEvent.change(field, { target: { value: 'GILT5' } })
  fireEvent.submit(field.closest('form') as HTMLFormElement)
  expect(await findPayButton('Pay $14.99')).toBeDefined()
  expect(screen.getByText('−$5.00')).toBeDefined()
})

test('asks for the size before the payment', async () => {
  const hoodie = buildProduct({ variants: buildSizeVariants('hoodie', { S: 0, M: 3 }) })
  const { sent, router } = await renderCheckout('/checkout?quantity=2', { 'GET /api/products': [hoodie] })
  expect(await screen.findByRole('heading', { name: 'Choose your size' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  expect(screen.getByRole('alert').textContent).toBe('Choose a size first.')
  expect(requestBodies(sent)).toEqual([])
  fireEvent.click(screen.getByRole('radio', { name: 'M' }))
  fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  expect(await findPayButton('Pay $178.00')).toBeDefined()
  expect(requestBodies(sent)).toMatchObject([{ lines: [{ variantId: 'hoodie-m', quantity: 2, unitPriceCents: 8900 }] }])
  expect(router.state.location.search).toEqual({ product: 'hoodie', variant: 'hoodie-m', quantity: 2 })
})

const seen = { slug: 'hoodie', productName: 'The hoodie', variantName: 'M', imageUrl: '/media/a/b', priceCents: 8900 }
const cartLine = { variantId: 'hoodie-m', quantity: 1, unitPriceCents: null, seen }

test('checks out the cart as one order and follows changes', async () => {
  addLine(cartLine, null)
  addLine({ ...cartLine, variantId: 'album', unitPriceCents: 1200, seen: { ...seen, priceCents: 1200 } }, null)
  const { sent } = await renderCheckout('/checkout?cart=true')
  expect(await findPayButton('Pay $101.00')).toBeDefined()
  expect(requestBodies(sent)).toEqual([
    {
      lines: [
        { variantId: 'hoodie-m', quantity: 1, unitPriceCents: 8900 },
        { variantId: 'album', quantity: 1, unitPriceCents: 1200 },
      ],
      checkoutKey: expect.stringMatching(/^\w{48}$/),
    },
  ])
  act(() => addLine(cartLine, null))
  expect(await findPayButton('Pay $190.00')).toBeDefined()
  expect(await screen.findByText('Your items are now $190.00. The total is now $190.00.')).toBeDefined()
  expect(requestBodies(sent)[1]).toMatchObject({ orderId: 'o1', clientSecret: 'cs_1' })
})

test('returns to the cart when a line is sold out', async () => {
  addLine(cartLine, null)
  await renderCheckout('/checkout?cart=true', {
    [CREATE_INTENT]: () => errorResponse(409, 'sold_out', 'The hoodie, M is sold out.'),
  })
  expect(await screen.findByText(/^The hoodie, M is sold out\. Your cart shows what has changed\./)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Open the cart' }))
  expect(getCart().isOpen).toBe(true)
})

test('shows that the cart is empty and prepares no order', async () => {
  const { sent } = await renderCheckout('/checkout?cart=true')
  expect(await screen.findByRole('heading', { name: 'Your cart is empty' }, { timeout: 4000 })).toBeDefined()
  expect(requestBodies(sent)).toEqual([])
})
