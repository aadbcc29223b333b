import { and, asc, eq, isNull } from 'drizzle-orm'
import { type Cart, type CartLine, MAX_CART_LINES } from '../contract/cart'
import { MAX_LINE_QUANTITY } from '../contract/checkout'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { productVariants } from '../products/products.table'
import { cartLines } from './cart.table'

type CartInput = { userId: number; lines: readonly CartLine[]; at: Millis }

/** The account's cart without variants that are no longer sold. */
export async function readCart(db: Db, userId: number): Promise<Cart> {
  const lines = await db
    .select({
      variantId: cartLines.variantId,
      quantity: cartLines.quantity,
      unitPriceCents: cartLines.unitPriceCents,
    })
    .from(cartLines)
    .innerJoin(productVariants, eq(productVariants.id, cartLines.variantId))
    .where(and(eq(cartLines.userId, userId), isNull(productVariants.removedAt)))
    .orderBy(asc(cartLines.position), asc(cartLines.variantId))
  return { lines }
}

/** SQL condition, ?1 user: the account is not erased, so that no concurrent request writes after the erasure. */
const IS_NOT_ERASED = 'EXISTS (SELECT 1 FROM users WHERE id = ?1 AND erased_at IS NULL)'

/**
 * SELECT of the lines in the JSON array ?2 whose variant is sold. Of lines with the same variant the last counts:
 * SQLite takes the other columns from the row of `max`. `chosen_price` is null unless the buyer sets the price.
 */
const REQUESTED_LINES = `
  SELECT v.id AS variant_id, max(l.key) AS position, l.value->>'quantity' AS quantity,
    iif(v.minimum_cents IS NULL, NULL, l.value->>'unitPriceCents') AS chosen_price, v.stock
  FROM json_each(?2) l JOIN product_variants v ON v.id = l.value->>'variantId' AND v.removed_at IS NULL
  WHERE ${IS_NOT_ERASED} GROUP BY v.id`

/** Replaces the account's cart. Raw SQL: unknown variants are left out in the statement that inserts. */
export async function saveCart(db: Db, { userId, lines, at }: CartInput): Promise<Cart> {
  const d1 = db.$client
  await d1.batch([
    d1.prepare('DELETE FROM cart_lines WHERE user_id = ?1').bind(userId),
    d1
      .prepare(
        `INSERT INTO cart_lines (user_id, variant_id, position, quantity, unit_price_cents, updated_at)
         SELECT ?1, variant_id, position, quantity, chosen_price, ?3 FROM (${REQUESTED_LINES})`,
      )
      .bind(userId, JSON.stringify(lines), at),
  ])
  return readCart(db, userId)
}

/**
 * Adds a browser's lines to the account's cart, with at most the stock but at least 1. A variant in both carts gets
 * the larger quantity and the browser's price. Lines beyond MAX_CART_LINES are dropped, the browser's last ones first.
 */
export async function mergeCart(db: Db, { userId, lines, at }: CartInput): Promise<Cart> {
  const d1 = db.$client
  const withinStock = (quantity: string) =>
    `max(1, min(${quantity}, ${MAX_LINE_QUANTITY}, coalesce(requested.stock, ${MAX_LINE_QUANTITY})))`
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO cart_lines (user_id, variant_id, position, quantity, unit_price_cents, updated_at)
         SELECT ?1, requested.variant_id,
           requested.position + 1 + coalesce((SELECT max(position) FROM cart_lines WHERE user_id = ?1), -1),
           ${withinStock('max(requested.quantity, coalesce(existing.quantity, 1))')}, requested.chosen_price, ?3
         FROM (${REQUESTED_LINES}) requested
         LEFT JOIN cart_lines existing ON existing.user_id = ?1 AND existing.variant_id = requested.variant_id
         WHERE true
         ON CONFLICT (user_id, variant_id) DO UPDATE
         SET quantity = excluded.quantity, unit_price_cents = coalesce(excluded.unit_price_cents, unit_price_cents),
           updated_at = excluded.updated_at`,
      )
      .bind(userId, JSON.stringify(lines), at),
    d1
      .prepare(
        `DELETE FROM cart_lines WHERE user_id = ?1 AND variant_id IN (
           SELECT variant_id FROM cart_lines WHERE user_id = ?1 ORDER BY position LIMIT -1 OFFSET ${MAX_CART_LINES})`,
      )
      .bind(userId),
  ])
  return readCart(db, userId)
}
