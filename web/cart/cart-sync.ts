import { useEffect } from 'react'
import { cartApi } from '../../worker/contract/cart'
import { ApiError, call, hasStatus } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { tabStorage } from '../lib/storage'
import { adoptAccountCart, clearAccountCart, getCart, markSaved, type StoredLine, subscribeToCart } from './cart-store'

/** Changes within this time are saved in one request. */
const SAVE_DELAY_MS = 400
/** A failed request is repeated after this time, which doubles with each failure. */
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000
const LOADED_KEY = 'cart of account'

/** The account's cart is loaded once per tab, because other devices change it rarely. */
const isLoaded = (userId: number) => tabStorage.read(LOADED_KEY) === String(userId)
const setLoaded = (userId: number | null) => tabStorage.write(LOADED_KEY, userId === null ? null : String(userId))

const toCartLines = (lines: readonly StoredLine[]) =>
  lines.map(({ variantId, quantity, unitPriceCents }) => ({ variantId, quantity, unitPriceCents }))

/** Whether a repeated request would fail too, for example because the session has ended. */
const isPermanent = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !hasStatus(error, 408, 429)

/**
 * Synchronizes the browser's cart with the account's: merges a visitor's cart on login, saves changes, and removes the
 * account's cart from the browser on logout. Failed requests are repeated. Repeating a merge whose response was lost
 * adds nothing, because a line in both carts gets the larger quantity.
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
    let retryMs = FIRST_RETRY_MS
    const save = async () => {
      const { lines, isDirty, ownerId } = getCart()
      if (!isDirty || ownerId !== userId) return
      await call(cartApi.saveCart, { body: { lines: toCartLines(lines) } }, { keepalive: true })
      if (!isStopped) markSaved(lines)
    }
    const synchronize = async (): Promise<void> => {
      const previousOwnerId = getCart().ownerId
      if (previousOwnerId !== null && previousOwnerId !== userId) clearAccountCart()
      const { ownerId, lines, isDirty } = getCart()
      if (ownerId === userId && isDirty) return save()
      if (ownerId === userId && isLoaded(userId)) return
      const cart =
        ownerId === null && lines.length > 0
          ? await call(cartApi.mergeCart, { body: { lines: toCartLines(lines) } })
          : await call(cartApi.cart, {})
      if (isStopped) return
      // The buyer changed the cart during the request.
      if (getCart().lines !== lines) return synchronize()
      adoptAccountCart(userId, cart.lines)
      setLoaded(userId)
    }
    const schedule = (delayMs: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => void run(), delayMs)
    }
    const run = async () => {
      try {
        await synchronize()
        retryMs = FIRST_RETRY_MS
      } catch (error) {
        if (isStopped || isPermanent(error)) return
        schedule(retryMs)
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)
      }
    }
    void run()
    const unsubscribe = subscribeToCart(() => {
      if (getCart().ownerId === userId && getCart().isDirty) schedule(SAVE_DELAY_MS)
    })
    const onOnline = () => schedule(0)
    addEventListener('online', onOnline)
    return () => {
      unsubscribe()
      removeEventListener('online', onOnline)
      clearTimeout(timer)
      void save().catch(() => undefined)
      isStopped = true
    }
  }, [userId])
}
