import { and, eq, isNull } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { DiscountDraft } from '../contract/discounts'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import { discounts } from './discounts.table'

export const discountCrud: Omit<Crud<DiscountDraft>, 'list'> = {
  noun: 'discount',
  table: discounts,
  notFoundMessage: 'That discount does not exist.',
  ...softDelete(discounts.removedAt),
  // The broadcast code can only be replaced.
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
    if (sameCode?.isBroadcast && sameCode.id === id)
      throw new AppError('conflict', 'The broadcast channel’s code can only be replaced, on the Orders screen.')
    if (sameCode?.isBroadcast)
      throw new AppError('conflict', `${code} is a code of the broadcast channel. Please choose another.`)
    if (id === null && sameCode)
      throw new AppError('conflict', `The code ${code} is or was already used by a discount. Please choose another.`)
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
