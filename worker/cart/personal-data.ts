import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { batchResult } from '../db/cleanup-batches'
import type { PersonalData } from '../gdpr/personal-data'
import { DAY_MS } from '../lib/clock'

const BATCH_SIZE = 500

export const personalData: PersonalData = {
  name: 'cart',
  export: ({ userId }) => ({
    cart: sql`SELECT products.name AS product, product_variants.name AS variant, quantity, unit_price_cents, updated_at
      FROM cart_lines JOIN product_variants ON product_variants.id = cart_lines.variant_id
      JOIN products ON products.id = product_variants.product_id WHERE cart_lines.user_id = ${userId} ORDER BY cart_lines.position`,
    addresses: sql`SELECT address, used_at FROM saved_addresses WHERE user_id = ${userId} ORDER BY used_at`,
  }),
  erase: ({ userId }) => [
    sql`DELETE FROM cart_lines WHERE user_id = ${userId}`,
    sql`DELETE FROM saved_addresses WHERE user_id = ${userId}`,
  ],
  retention: [
    {
      name: 'Delete old carts',
      step: async ({ db }, at) => {
        const deleted = await db.$client
          .prepare(
            `DELETE FROM cart_lines WHERE rowid IN (
               SELECT rowid FROM cart_lines WHERE updated_at <= ?1 LIMIT ${BATCH_SIZE}) RETURNING user_id`,
          )
          .bind(at - RETENTION.cartDays * DAY_MS)
          .all()
        return batchResult(deleted, BATCH_SIZE)
      },
    },
  ],
}
