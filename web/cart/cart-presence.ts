import { useSyncExternalStore } from 'react'

// In the initial bundle: says only whether there is a cart. The cart's own code is loaded lazily.

export const CART_STORAGE_KEY = 'cart'

let isInUse = false
const listeners = new Set<() => void>()

/** Called by the cart's store, which may be without storage. */
export function setCartInUse(inUse: boolean): void {
  isInUse = inUse
  for (const listener of listeners) listener()
}

function hasCart(): boolean {
  try {
    return isInUse || localStorage.getItem(CART_STORAGE_KEY) !== null
  } catch {
    return isInUse
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHasCart = () => useSyncExternalStore(subscribe, hasCart, () => false)
