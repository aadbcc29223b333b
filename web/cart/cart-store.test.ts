import { beforeEach, expect, test, vi } from 'vitest'
import type { StoredLine } from './cart-store'

const buildLine = (variantId: string, quantity = 1, changes: Partial<StoredLine> = {}): StoredLine => ({
  variantId,
  quantity,
  unitPriceCents: null,
  seen: { slug: 'hoodie', productName: 'The hoodie', variantName: 'M', imageUrl: '/media/a/b', priceCents: 8900 },
  ...changes,
})

/** Loads the store module anew, as a page load does. */
async function loadStore() {
  vi.resetModules()
  return import('./cart-store')
}
const storedCart = () => JSON.parse(localStorage.getItem('cart') ?? 'null')
const quantities = (lines: readonly StoredLine[]) => lines.map(({ variantId, quantity }) => [variantId, quantity])

beforeEach(() => localStorage.clear())

test('restores the cart after a reload', async () => {
  const first = await loadStore()
  first.addLine(buildLine('m', 2), 5)
  first.addLine(buildLine('album'), null)
  const second = await loadStore()
  expect(quantities(second.getCart().lines)).toEqual([
    ['m', 2],
    ['album', 1],
  ])
})

test.each([
  'not json',
  '{"lines":[{"variantId":"m","quantity":0}]}',
  '{"ownerId":null,"isDirty":false,"lines":[{"variantId":"m","quantity":-4,"unitPriceCents":null,"seen":null}]}',
  '{"ownerId":"x","isDirty":false,"lines":[]}',
  '[]',
])('starts empty from damaged data: %s', async (text) => {
  localStorage.setItem('cart', text)
  expect((await loadStore()).getCart().lines).toEqual([])
})

test('adds quantities of one variant, up to stock or 99', async () => {
  const store = await loadStore()
  store.addLine(buildLine('m', 2), 3)
  store.addLine(buildLine('m', 2), 3)
  expect(quantities(store.getCart().lines)).toEqual([['m', 3]])
  store.addLine(buildLine('album', 60), null)
  store.addLine(buildLine('album', 60), null)
  expect(quantities(store.getCart().lines)).toEqual([
    ['m', 3],
    ['album', 99],
  ])
})

test('limits the cart to fifty lines', async () => {
  const store = await loadStore()
  for (let index = 0; index < 50; index++) expect(store.addLine(buildLine(`v${index}`), null)).toBe(true)
  expect(store.addLine(buildLine('one more'), null)).toBe(false)
  expect(store.getCart().lines).toHaveLength(50)
})

test('undo puts a removed line back in its place', async () => {
  const store = await loadStore()
  for (const id of ['a', 'b', 'c']) store.addLine(buildLine(id), null)
  store.removeLine('b')
  expect(quantities(storedCart().lines).map(([id]) => id)).toEqual(['a', 'c'])
  store.undoRemove()
  expect(storedCart().lines.map(({ variantId }: StoredLine) => variantId)).toEqual(['a', 'b', 'c'])
  store.undoRemove()
  expect(store.getCart().lines).toHaveLength(3)
})

test('removes the stored cart with its last line', async () => {
  const store = await loadStore()
  store.addLine(buildLine('m'), 5)
  store.removeLine('m')
  expect(storedCart()).toBeNull()
})

test('shows changes made in another tab', async () => {
  const store = await loadStore()
  const unsubscribe = store.subscribeToCart(() => {})
  localStorage.setItem('cart', JSON.stringify({ ownerId: null, isDirty: true, lines: [buildLine('s', 4)] }))
  dispatchEvent(new StorageEvent('storage', { key: 'cart', storageArea: localStorage }))
  expect(quantities(store.getCart().lines)).toEqual([['s', 4]])
  unsubscribe()
})

test('without localStorage, the cart lasts until the page closes', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('Blocked.', 'SecurityError')
    },
  })
  const store = await loadStore()
  store.addLine(buildLine('m'), 5)
  expect(store.getCart().lines).toHaveLength(1)
  vi.unstubAllGlobals()
})

test('keeps shown products when the account’s cart replaces the lines', async () => {
  const store = await loadStore()
  store.addLine(buildLine('m', 1), 5)
  store.adoptAccountCart(7, [
    { variantId: 'm', quantity: 3, unitPriceCents: null },
    { variantId: 'album', quantity: 1, unitPriceCents: 1200 },
  ])
  expect(store.getCart()).toMatchObject({ ownerId: 7, isDirty: false })
  expect(store.getCart().lines.map(({ seen }) => seen?.productName ?? null)).toEqual(['The hoodie', null])
  store.clearAccountCart()
  expect(storedCart()).toBeNull()
})
