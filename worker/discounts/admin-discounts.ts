import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import { DISCOUNT_STATES, type Discount, type DiscountDraft } from '../contract/discounts'
import { choiceFilter, containsText, type ListDefinition } from '../db/list'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { stateSql, usesSql } from './discounts'
import { discounts } from './discounts.table'

type Row = Omit<Discount, 'productIds' | 'startsAt' | 'endsAt' | 'createdAt' | 'isBroadcast'> & {
  productIds: string
  startsAt: Millis | null
  endsAt: Millis | null
  at: Millis
  isBroadcast: number
}

/** All codes that are not removed, the broadcast channel's included, newest first. */
export const discountList = (at: Millis): ListDefinition<Row, Discount> => ({
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

export const discountCrud: Omit<Crud<DiscountDraft>, 'list'> = {
  noun: 'discount',
  table: discounts,
  notFoundMessage: 'That discount does not exist.',
  ...softDelete(discounts.removedAt),
  // The broadcast code is replaced, not removed.
  remove: {
    ...softDelete(discounts.removedAt).remove,
    condition: and(isNull(discounts.removedAt), eq(discounts.isBroadcast, false)),
  },

  async toRow({ db }, { code, startsAt, endsAt, ...draft }, id, { at }) {
    const [sameCode] = await db
      .select({ id: discounts.id, isBroadcast: discounts.isBroadcast })
      .from(discounts)
      .where(eq(discounts.code, code))
    if (id !== null && (await db.select({ id: discounts.id }).from(discounts).where(eq(discounts.id, id))).length === 0)
      throw new AppError('not_found', 'That discount does not exist.')
    if (sameCode?.isBroadcast)
      throw new AppError('conflict', `${code} is a code of the broadcast channel. Please choose another.`)
    if (id === null && sameCode)
      throw new AppError('conflict', `There has been a discount ${code}. Please choose another code.`)
    if (id !== null && sameCode?.id !== id)
      throw new AppError('bad_input', 'A code cannot change, because orders name it. Please add a new discount.')
    const { kind, percent, amountCents } = draft
    const values = {
      ...draft,
      percent: kind === 'percent' ? percent : null,
      amountCents: kind === 'amount' ? amountCents : null,
      startsAt: startsAt && Date.parse(startsAt),
      endsAt: endsAt && Date.parse(endsAt),
    }
    if (id === null) return { id: newId('disc'), values: { ...values, code, createdAt: at } }
    return { id, values }
  },
}
