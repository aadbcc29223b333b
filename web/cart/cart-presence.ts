import { useSyncExternalStore } from 'react'

// Part of the initial bundle: only whether the cart has lines. The cart's code is loaded lazily.

export const CART_STORAGE_KEY = 'cart'

let isInUse = false
const listeners = new Set<() => void>()

/** Called by the cart's store, because localStorage may be unavailable. */
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
