import type { BuyerInput } from './BuyerFields'

// In memory only, so that no address is left in the browser's storage.
let buyerDraft: BuyerInput | null = null

/** What the buyer has entered. It survives a change of size or a visit to the cart; null if nothing was saved. */
export const readBuyerDraft = (): BuyerInput | null => buyerDraft

export function saveBuyerDraft(buyer: BuyerInput | null): void {
  buyerDraft = buyer
}
