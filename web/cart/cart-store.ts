import { useSyncExternalStore } from 'react'
import { MAX_CART_LINES } from '../../worker/contract/cart'
import { MAX_LINE_QUANTITY } from '../../worker/contract/checkout'
import { createListeners } from '../lib/listeners'
import { deviceStorage } from '../lib/storage'
import { CART_STORAGE_KEY, setCartInUse } from './cart-presence'

export type StoredLine = {
  variantId: string
  quantity: number
  /** The buyer's price of a pay-what-you-want variant; else null. */
  unitPriceCents: number | null
  /** The product as last shown, to render the cart at once and to detect changes. Null until the first quote. */
  seen: SeenProduct | null
}
type SeenProduct = {
  /** Slug of the product's page; empty for a line of the account's cart. */
  slug: string
  productName: string
  variantName: string
  imageUrl: string
  priceCents: number
}

type StoredCart = {
  /** Id of the account that owns the cart; null for a visitor's cart. */
  ownerId: number | null
  /** Whether there are changes that are not saved in the account's cart. */
  isDirty: boolean
  lines: StoredLine[]
  /** The promotion code that the buyer entered; empty without one. */
  code: string
}

type CartState = StoredCart & {
  isOpen: boolean
  /** The last removed line, until the removal is undone, the lines change or the cart closes. */
  removed: { line: StoredLine; index: number } | null
}

// Validated without zod, because the merch pages would load it for these checks alone.
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isInteger = (value: unknown, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max
const isText = (value: unknown, maxLength = Number.POSITIVE_INFINITY): value is string =>
  typeof value === 'string' && value.length <= maxLength

function isLine(value: unknown): value is StoredLine {
  if (!isObject(value)) return false
  const { variantId, quantity, unitPriceCents, seen } = value
  return (
    isText(variantId, 64) &&
    variantId !== '' &&
    isInteger(quantity, 1, MAX_LINE_QUANTITY) &&
    (unitPriceCents === null || isInteger(unitPriceCents, 0)) &&
    (seen === null || isSeenProduct(seen))
  )
}

const isSeenProduct = (value: unknown): value is SeenProduct =>
  isObject(value) &&
  [value.slug, value.productName, value.variantName, value.imageUrl].every((text) => isText(text)) &&
  isInteger(value.priceCents)

const isOwnerId = (value: unknown): value is number | null => value === null || isInteger(value)

const isLines = (value: unknown): value is StoredLine[] =>
  Array.isArray(value) && value.length <= MAX_CART_LINES && value.every(isLine)

const EMPTY_CART: StoredCart = { ownerId: null, isDirty: false, lines: [], code: '' }

let state: CartState = { ...readStored(), isOpen: false, removed: null }
const { subscribe, notify } = createListeners()

/** The stored cart; an empty one if it is missing or damaged. */
function readStored(): StoredCart {
  const cart = deviceStorage.readJson(CART_STORAGE_KEY)
  if (!isObject(cart)) return EMPTY_CART
  const { ownerId, isDirty, lines, code = '' } = cart
  const isValid = isOwnerId(ownerId) && typeof isDirty === 'boolean' && isLines(lines) && isText(code, 40)
  return isValid ? { ownerId, isDirty, lines, code } : EMPTY_CART
}

function writeStored({ ownerId, isDirty, lines, code }: StoredCart): void {
  const isEmpty = lines.length === 0 && ownerId === null
  deviceStorage.write(CART_STORAGE_KEY, isEmpty ? null : JSON.stringify({ ownerId, isDirty, lines, code }))
}

function setState(changes: Partial<CartState>): void {
  state = { ...state, ...changes }
  setCartInUse(state.lines.length > 0 || state.isOpen)
  notify()
}

function setLines(lines: readonly StoredLine[], removed: CartState['removed'] = null): void {
  setState({ lines: [...lines], isDirty: true, removed })
  writeStored(state)
}

/** Applies a change that another tab has stored; a null key means that all entries were removed. */
function onStorage({ key, storageArea }: StorageEvent): void {
  if (storageArea === localStorage && (key === CART_STORAGE_KEY || key === null))
    setState({ ...readStored(), removed: null })
}

export function subscribeToCart(listener: () => void): () => void {
  // Adds the listener once, because the browser ignores one that it has already.
  addEventListener('storage', onStorage)
  return subscribe(listener)
}

export const getCart = (): CartState => state
/** The server renders every page with an empty cart. */
const SERVER_RENDERED_STATE: CartState = { ...EMPTY_CART, isOpen: false, removed: null }
const getServerRenderedCart = (): CartState => SERVER_RENDERED_STATE

export const useCart = () => useSyncExternalStore(subscribeToCart, getCart, getServerRenderedCart)

/** Sets the code without validation; the quote and the checkout validate it. */
export function setPromotionCode(code: string): void {
  setState({ code: code.trim().toUpperCase() })
  writeStored(state)
}

export const openCart = () => setState({ isOpen: true })
export const closeCart = () => setState({ isOpen: false, removed: null })

const clampQuantity = (quantity: number, max: number) => Math.max(1, Math.min(quantity, max, MAX_LINE_QUANTITY))

/**
 * Adds a variant. If the cart has it already, the quantities are added, up to `stock` (null is unlimited), and the
 * price is replaced. @returns false if the cart has the maximum number of lines.
 */
export function addLine(line: StoredLine, stock: number | null): boolean {
  const max = stock ?? MAX_LINE_QUANTITY
  const current = state.lines.find(({ variantId }) => variantId === line.variantId)
  if (current) {
    const quantity = clampQuantity(current.quantity + line.quantity, max)
    setLines(state.lines.map((each) => (each === current ? { ...line, quantity } : each)))
    return true
  }
  if (state.lines.length >= MAX_CART_LINES) return false
  setLines([...state.lines, { ...line, quantity: clampQuantity(line.quantity, max) }])
  return true
}

export function setQuantity(variantId: string, quantity: number): void {
  setLines(
    state.lines.map((line) =>
      line.variantId === variantId ? { ...line, quantity: clampQuantity(quantity, MAX_LINE_QUANTITY) } : line,
    ),
  )
}

/** The buyer's price of a pay-what-you-want line. */
export function setPrice(variantId: string, unitPriceCents: number): void {
  setLines(
    state.lines.map((line) =>
      line.variantId === variantId
        ? { ...line, unitPriceCents, seen: line.seen && { ...line.seen, priceCents: unitPriceCents } }
        : line,
    ),
  )
}

export function removeLine(variantId: string): void {
  const index = state.lines.findIndex((line) => line.variantId === variantId)
  const line = state.lines[index]
  if (line)
    setLines(
      state.lines.filter((each) => each !== line),
      { line, index },
    )
}

/** Puts the last removed line back in its place. */
export function undoRemove(): void {
  if (!state.removed) return
  const { line, index } = state.removed
  setLines([...state.lines.slice(0, index), line, ...state.lines.slice(index)])
}

/** Replaces the lines with those of the account's cart, and keeps the products as last shown. */
export function adoptAccountCart(ownerId: number, lines: readonly Omit<StoredLine, 'seen'>[]): void {
  const seenOf = (variantId: string) => state.lines.find((line) => line.variantId === variantId)?.seen ?? null
  setState({
    ownerId,
    isDirty: false,
    lines: lines.map((line) => ({ ...line, seen: seenOf(line.variantId) })),
    removed: null,
  })
  writeStored(state)
}

/** Called after these lines were saved in the account's cart. The cart stays dirty if its lines have changed since. */
export function markSaved(lines: readonly StoredLine[]): void {
  if (lines !== state.lines) return
  setState({ isDirty: false })
  writeStored(state)
}

/**
 * Applies the changes of a quote; `update` returns null to remove a line. The cart becomes dirty only if a line was
 * removed or a quantity changed.
 */
export function updateLines(update: (line: StoredLine) => StoredLine | null): void {
  const lines = state.lines.map(update).filter((line) => line !== null)
  if (lines.length === state.lines.length && lines.every((line, index) => line === state.lines[index])) return
  const isChanged =
    lines.length !== state.lines.length || lines.some((line, index) => line.quantity !== state.lines[index]?.quantity)
  setState({ lines, isDirty: state.isDirty || isChanged })
  writeStored(state)
}

/** Called after a purchase: subtracts the bought quantities and clears the promotion code. */
export function removeBought(bought: readonly { variantId: string; quantity: number }[]): void {
  setState({ code: '' })
  const boughtQuantity = (variantId: string) => bought.find((line) => line.variantId === variantId)?.quantity ?? 0
  setLines(
    state.lines.flatMap((line) => {
      const quantity = line.quantity - boughtQuantity(line.variantId)
      return quantity > 0 ? [{ ...line, quantity }] : []
    }),
  )
}

/** Removes the account's cart from this browser. */
export function clearAccountCart(): void {
  setState({ ...EMPTY_CART, removed: null })
  writeStored(state)
}
