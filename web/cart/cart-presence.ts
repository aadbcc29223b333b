import { useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'
import { deviceStorage } from '../lib/storage'

// Part of the initial bundle, so it knows only whether there is a cart. The cart's other code is loaded lazily.

export const CART_STORAGE_KEY = 'cart'

let isInUse = false
const { subscribe, notify } = createListeners()

/** Called by cart-store.ts: without localStorage, nothing else says that there is a cart. */
export function setCartInUse(inUse: boolean): void {
  isInUse = inUse
  notify()
}

const hasCart = () => isInUse || deviceStorage.read(CART_STORAGE_KEY) !== null

export const useHasCart = () => useSyncExternalStore(subscribe, hasCart, () => false)
