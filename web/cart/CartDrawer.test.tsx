import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { buildProduct } from '../testing/product.fixture'
import { type MockResponses, renderApp } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { addLine, clearAccountCart, closeCart, getCart, openCart, setPromotionCode } from './cart-store'
// Preloads lazy parts, which could load for longer than a test waits.
import './CartButton'
import './CartDrawer'

const POST_QUOTE = 'POST /api/cart/quote'

const hoodie = buildProduct({ id: 'hoodie', slug: 'the-hoodie', name: 'The hoodie' })
const seen = {
  slug: 'the-hoodie',
  productName: 'The hoodie',
  variantName: 'M',
  imageUrl: '/media/a/b',
  priceCents: 8900,
}
const line = { variantId: 'hoodie-m', quantity: 1, unitPriceCents: null, seen }

/** Responds with a quote of $89 and five available for each line, or with `changes`. A `notice` rejects the code. */
const respondWithQuote =
  (changes: { unitPriceCents?: number; available?: number } = {}, notice: string | null = null) =>
  async (request: Request) => {
    const { lines, discountCode } = (await request.json()) as {
      lines: { variantId: string; quantity: number }[]
      discountCode?: string
    }
    const quoted = lines.map(({ variantId, quantity }) => ({
      variantId,
      productId: 'hoodie',
      productName: 'The hoodie',
      variantName: 'M',
      imageUrl: '/media/a/b',
      kind: 'shipped',
      quantity,
      unitPriceCents: 8900,
      available: 5,
      minimumCents: null,
      ...changes,
    }))
    const linesCents = quoted.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
    const discountCents = discountCode && notice === null ? 500 : 0
    return Response.json({
      lines: quoted,
      breakdown: {
        linesCents,
        shippingCents: 0,
        taxCents: 0,
        taxIncluded: false,
        discountCents,
        totalCents: linesCents - discountCents,
        currency: 'USD',
      },
      tax: null,
      shippingMethods: [],
      shippingMethodId: null,
      discountCode: discountCode && notice === null ? discountCode : null,
      discountNotice: notice,
    })
  }

const renderCart = (responses: MockResponses = {}) =>
  renderApp('/merch', {
    'GET /api/auth/status': null,
    'GET /api/products': [hoodie],
    [POST_QUOTE]: respondWithQuote(),
    ...responses,
  })
const findDrawer = () => screen.findByRole('dialog', { name: 'Your cart' })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  clearAccountCart()
  closeCart()
})

test('shows the button only with something in the cart', async () => {
  await renderCart()
  expect(screen.queryByRole('button', { name: /^Cart/ })).toBeNull()
  addLine({ ...line, quantity: 2 }, 5)
  fireEvent.click(await screen.findByRole('button', { name: 'Cart, 2 items' }))
  expect(within(await findDrawer()).getByText('$178.00', { selector: '[aria-live]' })).toBeTruthy()
})

test('removes a line and undoes it, moving the focus', async () => {
  addLine(line, 5)
  openCart()
  await renderCart()
  const dialog = within(await findDrawer())
  fireEvent.click(dialog.getByRole('button', { name: 'Remove The hoodie (M)' }))
  expect(getCart().lines).toEqual([])
  const undo = await dialog.findByRole('button', { name: 'Undo' })
  await waitFor(() => expect(document.activeElement).toBe(undo))
  fireEvent.click(undo)
  expect(getCart().lines).toHaveLength(1)
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Remove The hoodie (M)' }))
})

test('says that the price and the stock have changed', async () => {
  addLine({ ...line, quantity: 3 }, 5)
  openCart()
  await renderCart({ [POST_QUOTE]: respondWithQuote({ unitPriceCents: 9500, available: 2 }) })
  const dialog = within(await findDrawer())
  const notice = 'The price of The hoodie (M) changed from $89.00 to $95.00. Only 2 left, so the quantity is now 2.'
  expect(await dialog.findByText(notice)).toBeTruthy()
  expect(getCart().lines).toMatchObject([{ quantity: 2, seen: { priceCents: 9500 } }])
  expect(dialog.getByRole('button', { name: 'One more' }).getAttribute('aria-disabled')).toBe('true')
})

test('a sold-out line must be removed before the checkout', async () => {
  addLine(line, 5)
  openCart()
  const { router } = await renderCart({ [POST_QUOTE]: respondWithQuote({ available: 0 }) })
  const dialog = within(await findDrawer())
  expect(await dialog.findByText(/^Sold out while/)).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Check out' }))
  expect(router.state.location.pathname).toBe('/merch')
})

test('keeps the cart when prices cannot be checked', async () => {
  addLine(line, 5)
  openCart()
  await renderCart({ [POST_QUOTE]: () => Promise.reject(new TypeError('Failed to fetch')) })
  const dialog = within(await findDrawer())
  expect(await dialog.findByText(/^Prices and stock could not be checked/)).toBeTruthy()
  expect(dialog.getByText('The hoodie')).toBeTruthy()
})

test('merges a visitor’s cart into the account and saves changes', async () => {
  addLine({ ...line, quantity: 2 }, 5)
  const merged = { lines: [{ variantId: 'hoodie-m', quantity: 3, unitPriceCents: null }] }
  const { sent } = await renderCart({
    'GET /api/auth/status': buildSupporter(),
    'POST /api/account/cart/merge': merged,
    'POST /api/account/cart': merged,
  })
  await screen.findByRole('button', { name: 'Cart, 3 items' }, { timeout: 4000 })
  expect(sent).toContain(
    'POST /api/account/cart/merge {"lines":[{"variantId":"hoodie-m","quantity":2,"unitPriceCents":null}]}',
  )
  addLine(line, 5)
  await waitFor(() =>
    expect(sent).toContain(
      'POST /api/account/cart {"lines":[{"variantId":"hoodie-m","quantity":4,"unitPriceCents":null}]}',
    ),
  )
})

test('repeats a failed merge and a failed save', async () => {
  addLine({ ...line, quantity: 2 }, 5)
  const [merge, save] = ['POST /api/account/cart/merge', 'POST /api/account/cart']
  const failedPaths = new Set<string>()
  const failOnce = (path: string) => async (request: Request) => {
    if (failedPaths.has(path)) return Response.json(await request.json())
    failedPaths.add(path)
    return new Response('Please try again.', { status: 503 })
  }
  const { sent } = await renderCart({
    'GET /api/auth/status': buildSupporter(),
    [merge]: failOnce(merge),
    [save]: failOnce(save),
  })
  const bodiesOf = (path: string) => sent.filter((request) => request.startsWith(`${path} `))
  const lines = (quantity: number) =>
    `{"lines":[{"variantId":"hoodie-m","quantity":${quantity},"unitPriceCents":null}]}`
  await waitFor(() => expect(bodiesOf(merge)).toEqual(Array(2).fill(`${merge} ${lines(2)}`)), { timeout: 4000 })
  await waitFor(() => expect(getCart().ownerId).not.toBe(null))
  addLine(line, 5)
  await waitFor(() => expect(bodiesOf(save)).toEqual(Array(2).fill(`${save} ${lines(3)}`)), { timeout: 4000 })
  await waitFor(() => expect(getCart()).toMatchObject({ isDirty: false, lines: [{ quantity: 3 }] }))
})

test('applies a promotion code and keeps it for checkout', async () => {
  addLine(line, 5)
  openCart()
  const { sent } = await renderCart()
  fireEvent.click(await within(await findDrawer()).findByRole('button', { name: 'Add a promotion code' }))
  const field = await screen.findByLabelText('Promotion code')
  await waitFor(() => expect(document.activeElement).toBe(field))
  fireEvent.change(field, { target: { value: 'gilt5' } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText('−$5.00')).toBeDefined()
  expect(within(await findDrawer()).getByText('$84.00')).toBeDefined()
  expect(sent.some((request) => request.startsWith(POST_QUOTE) && request.includes('"discountCode":"GILT5"'))).toBe(
    true,
  )
  expect(JSON.parse(localStorage.getItem('cart') ?? '{}')).toMatchObject({ code: 'GILT5' })
  fireEvent.click(screen.getByRole('button', { name: 'Remove the code GILT5' }))
  expect(await screen.findByRole('button', { name: 'Add a promotion code' })).toBeDefined()
})

test('says why a code does not apply', async () => {
  addLine(line, 5)
  setPromotionCode('BIG')
  openCart()
  const reason = 'BIG needs an order of at least $100.00. Yours is $89.00.'
  await renderCart({ [POST_QUOTE]: respondWithQuote({}, reason) })
  expect(await screen.findByText(reason)).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('Promotion code').value).toBe('BIG')
  fireEvent.click(screen.getByRole('button', { name: 'Remove the code' }))
  expect(await screen.findByRole('button', { name: 'Add a promotion code' })).toBeDefined()
  expect(getCart().code).toBe('')
})
