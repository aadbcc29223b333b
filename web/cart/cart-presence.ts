import { useSyncExternalStore } from 'react'
import { deviceStorage } from '../lib/storage'

// Part of the initial bundle: only whether the cart has lines. The cart's code is loaded lazily.

export const CART_STORAGE_KEY = 'cart'

let isInUse = false
const listeners = new Set<() => void>()

/** Called by the cart's store, because localStorage may be unavailable. */
export function setCartInUse(inUse: boolean): void {
  isInUse = inUse
  for (const listener of listeners) listener()
}

const hasCart = () => isInUse || deviceStorage.read(CART_STORAGE_KEY) !== null

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHasCart = () => useSyncExternalStore(subscribe, hasCart, () => false)
