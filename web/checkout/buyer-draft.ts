import type { BuyerInput } from './BuyerFields'

// In memory only, so that no address is left in the browser's storage.
let buyerDraft: BuyerInput | null = null

/** The typed buyer data, which survives a change of size or a visit to the cart. */
export const readBuyerDraft = (): BuyerInput | null => buyerDraft

export function saveBuyerDraft(buyer: BuyerInput | null): void {
  buyerDraft = buyer
}
