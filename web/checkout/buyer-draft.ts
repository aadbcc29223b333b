import type { Buyer } from './BuyerFields'

// In memory only: an address does not belong into the browser's storage.
let draft: Buyer | null = null

/** What the buyer has typed, while they change a size or look into the cart. */
export const readBuyerDraft = (): Buyer | null => draft

export function saveBuyerDraft(buyer: Buyer | null): void {
  draft = buyer
}
