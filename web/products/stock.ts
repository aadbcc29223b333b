/** Below this number of pieces the page says that few are left. */
const LOW_STOCK_LIMIT = 10

type StockState = 'plenty' | 'few' | 'none'

/** How a stock of `pieces` is spoken of. */
export function stockState(pieces: number): StockState {
  if (pieces <= 0) return 'none'
  return pieces < LOW_STOCK_LIMIT ? 'few' : 'plenty'
}
