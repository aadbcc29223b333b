import { useEffect } from 'react'
import { cartApi } from '../../worker/contract/cart'
import { call } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { adoptServerCart, getCart, leaveAccount, markSaved, type StoredLine, subscribeToCart } from './cart-store'

/** Changes within this time are one request. */
const SAVE_DELAY_MS = 400
const CHECKED_KEY = 'cart of account'

/** The account's cart is read once per tab; other devices change it rarely. */
function isChecked(userId: number): boolean {
  try {
    return sessionStorage.getItem(CHECKED_KEY) === String(userId)
  } catch {
    return false
  }
}

function setChecked(userId: number | null): void {
  try {
    if (userId === null) sessionStorage.removeItem(CHECKED_KEY)
    else sessionStorage.setItem(CHECKED_KEY, String(userId))
  } catch {
    // Without storage it is read on every page load.
  }
}

const toCartLines = (lines: readonly StoredLine[]) =>
  lines.map(({ variantId, quantity, unitPriceCents }) => ({ variantId, quantity, unitPriceCents }))

/**
 * Joins the browser's cart with the account's: merges a visitor's cart at the log-in, saves changes, and leaves nothing
 * of the account in the browser after the log-out. A failed request is repeated with the next change or page.
 */
export function useCartSync(): void {
  const me = useMe()
  const userId = me === undefined ? undefined : (me?.id ?? null)
  useEffect(() => {
    if (userId === undefined) return
    if (userId === null) {
      setChecked(null)
      if (getCart().ownerId !== null) leaveAccount()
      return
    }
    let isStopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = async () => {
      const { lines, isDirty, ownerId } = getCart()
      if (!isDirty || ownerId !== userId) return
      const saved = await call(cartApi.saveCart, { body: { lines: toCartLines(lines) } }, { keepalive: true }).catch(
        () => null,
      )
      if (saved && !isStopped) markSaved(lines)
    }
    const start = async (): Promise<void> => {
      if (![null, userId].includes(getCart().ownerId)) leaveAccount()
      const { ownerId, lines, isDirty } = getCart()
      if (ownerId === userId && isDirty) return save()
      if (ownerId === userId && isChecked(userId)) return
      const request =
        ownerId === null && lines.length > 0
          ? call(cartApi.mergeCart, { body: { lines: toCartLines(lines) } })
          : call(cartApi.cart, {})
      const cart = await request.catch(() => null)
      if (!cart || isStopped) return
      // The buyer has changed the cart while the request was under way.
      if (getCart().lines !== lines) return start()
      adoptServerCart(userId, cart.lines)
      setChecked(userId)
    }
    void start()
    const unsubscribe = subscribeToCart(() => {
      if (getCart().ownerId !== userId || !getCart().isDirty) return
      clearTimeout(timer)
      timer = setTimeout(() => void save(), SAVE_DELAY_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
      void save()
      isStopped = true
    }
  }, [userId])
}
