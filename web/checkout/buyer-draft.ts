import type { Buyer } from './BuyerFields'

// In memory only, so that no address is left in the browser's storage.
let draft: Buyer | null = null

/** The typed buyer data, which survives a change of size or a visit to the cart. */
export const readBuyerDraft = (): Buyer | null => draft

export function saveBuyerDraft(buyer: Buyer | null): void {
  draft = buyer
}
