import type { BuyerInput } from './buyer-schema'

// In memory only, so that no address is left in the browser's storage.
let buyerDraft: BuyerInput | null = null

/** The saved input of the checkout form, which survives a change of variant or a visit to the cart; null if none. */
export const readBuyerDraft = (): BuyerInput | null => buyerDraft

/** Null deletes the draft. */
export function saveBuyerDraft(buyer: BuyerInput | null): void {
  buyerDraft = buyer
}
