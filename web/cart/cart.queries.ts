import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CartQuote, cartApi } from '../../worker/contract/cart'
import { call } from '../api/call'
import { getCart, type StoredLine, updateLines, useCart } from './cart-store'
import { type CartNotice, reconcile } from './reconcile'

export type QuotedLine = CartQuote['lines'][number]

/** Maximum age of prices and stock when the cart is opened. */
const QUOTE_STALE_MS = 30_000

/** The lines as a quote request sends them. */
const toRequestLines = (lines: readonly Pick<StoredLine, 'variantId' | 'quantity' | 'unitPriceCents'>[]) =>
  lines.map(({ variantId, quantity, unitPriceCents }) => ({
    variantId,
    quantity,
    ...(unitPriceCents !== null && { unitPriceCents }),
  }))

/**
 * The cart's current prices and stock. Applies them to the stored cart and returns notices about changes. While
 * `isCurrent` is false, `quote` is that of the previous lines or code; undefined if there was none.
 */
export function useCartQuote() {
  const { lines, code } = useCart()
  const [notices, setNotices] = useState<readonly CartNotice[]>([])
  const request = toRequestLines(lines)
  const query = useQuery({
    queryKey: ['cart-quote', request, code],
    queryFn: () => call(cartApi.quote, { body: { lines: request, ...(code !== '' && { discountCode: code }) } }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    staleTime: QUOTE_STALE_MS,
  })
  // Placeholder data is the quote of the previous request.
  const currentQuote = query.isPlaceholderData ? undefined : query.data
  useEffect(() => {
    if (!currentQuote) return
    const results = new Map(getCart().lines.map((line) => [line.variantId, reconcile(line, currentQuote)]))
    updateLines((line) => results.get(line.variantId)?.line ?? null)
    const newNotices = [...results.values()].flatMap((result) => result.notice ?? [])
    if (newNotices.length > 0) setNotices(newNotices)
  }, [currentQuote])
  return { query, quote: query.data, isCurrent: currentQuote !== undefined, notices }
}
