/** Below this number of pieces the page says that few are left. */
const FEW = 10

type Stock = 'plenty' | 'few' | 'none'

/** How a stock of `pieces` is spoken of. */
export function stockState(pieces: number): Stock {
  if (pieces <= 0) return 'none'
  return pieces < FEW ? 'few' : 'plenty'
}
