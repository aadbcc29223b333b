import { sql } from 'drizzle-orm'
import { DISCOUNT_STATES, type Discount } from '../contract/discounts'
import { choiceFilter, containsText, type ListDefinition } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { stateSql, usesSql } from './discounts'

type DiscountRow = Omit<Discount, 'productIds' | 'startsAt' | 'endsAt' | 'createdAt' | 'isBroadcast'> & {
  productIds: string
  startsAt: Millis | null
  endsAt: Millis | null
  at: Millis
  isBroadcast: number
}

/** All codes that are not removed, the broadcast channel's included, newest first. */
export const discountList = (at: Millis): ListDefinition<DiscountRow, Discount> => ({
  select: sql`d.id, d.code, d.kind, d.percent, d.amount_cents AS amountCents, d.minimum_cents AS minimumCents,
    d.product_ids AS productIds, d.tier, d.starts_at AS startsAt, d.ends_at AS endsAt, d.max_uses AS maxUses,
    d.max_uses_per_person AS maxUsesPerPerson, d.is_broadcast AS isBroadcast, d.version, d.created_at AS at,
    ${stateSql(at)} AS state, ${sql.raw(usesSql(String(at)))} AS uses`,
  from: sql`discounts d`,
  where: sql`d.removed_at IS NULL`,
  id: sql`d.id`,
  sorts: { created: sql`d.created_at`, code: sql`d.code`, uses: sql.raw(usesSql(String(at))) },
  defaultSort: '-created',
  filters: {
    id: (id) => sql`d.id = ${id}`,
    state: choiceFilter(
      DISCOUNT_STATES,
      (chosen) => sql`${stateSql(at)} IN (SELECT value FROM json_each(${JSON.stringify(chosen)}))`,
    ),
  },
  search: (q) => ({ where: containsText([sql`d.code`], q) }),
  toItem: ({ productIds, startsAt, endsAt, at: createdAt, isBroadcast, ...row }) => ({
    ...row,
    productIds: JSON.parse(productIds) as string[],
    startsAt: toIso(startsAt),
    endsAt: toIso(endsAt),
    createdAt: toIso(createdAt),
    isBroadcast: isBroadcast === 1,
  }),
})
