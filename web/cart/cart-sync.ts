import { useEffect } from 'react'
import { cartApi } from '../../worker/contract/cart'
import { call } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { tabStorage } from '../lib/storage'
import { adoptServerCart, clearAccountCart, getCart, markSaved, type StoredLine, subscribeToCart } from './cart-store'

/** Changes within this time are saved in one request. */
const SAVE_DELAY_MS = 400
const LOADED_KEY = 'cart of account'

/** The account's cart is loaded once per tab, because other devices change it rarely. */
const isLoaded = (userId: number) => tabStorage.read(LOADED_KEY) === String(userId)
const setLoaded = (userId: number | null) => tabStorage.write(LOADED_KEY, userId === null ? null : String(userId))

const toCartLines = (lines: readonly StoredLine[]) =>
  lines.map(({ variantId, quantity, unitPriceCents }) => ({ variantId, quantity, unitPriceCents }))

/**
 * Synchronizes the browser's cart with the account's: merges a visitor's cart on login, saves changes, and removes the
 * account's cart from the browser on logout. A failed save is repeated with the next change, any failed request
 * when the cart button is mounted again.
 */
export function useCartSync(): void {
  const me = useMe()
  const userId = me === undefined ? undefined : (me?.id ?? null)
  useEffect(() => {
    if (userId === undefined) return
    if (userId === null) {
      setLoaded(null)
      if (getCart().ownerId !== null) clearAccountCart()
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
    const synchronize = async (): Promise<void> => {
      if (![null, userId].includes(getCart().ownerId)) clearAccountCart()
      const { ownerId, lines, isDirty } = getCart()
      if (ownerId === userId && isDirty) return save()
      if (ownerId === userId && isLoaded(userId)) return
      const request =
        ownerId === null && lines.length > 0
          ? call(cartApi.mergeCart, { body: { lines: toCartLines(lines) } })
          : call(cartApi.cart, {})
      const cart = await request.catch(() => null)
      if (!cart || isStopped) return
      // The buyer changed the cart during the request.
      if (getCart().lines !== lines) return synchronize()
      adoptServerCart(userId, cart.lines)
      setLoaded(userId)
    }
    void synchronize()
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
