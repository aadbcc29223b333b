import { AppError } from '../lib/app-error'
import { limits } from '../limits'

// One visitor may not keep a whole drop from everybody else.

/** SQL: the pieces that `holder` keeps reserved at `at`, in orders other than `but`. */
export const RESERVED_PIECES = ({ holder, at, but }: Record<'holder' | 'at' | 'but', string>) => `
  (SELECT coalesce(sum(mine.held), 0) FROM orders mine
   WHERE mine.holder = ${holder} AND mine.status = 'pending' AND mine.reserved_until > ${at} AND mine.id <> ${but})`

/** `reserved` in other orders, when more are wanted than may be kept. */
export function tooManyReserved(reserved: number): AppError {
  const max = limits.maxReservedUnits
  return new AppError(
    'too_many_reserved',
    reserved === 0
      ? `At most ${max} pieces can be reserved at a time. Please order fewer.`
      : `You have ${reserved} pieces reserved already, and at most ${max} can be at a time. Please pay for those first, or order fewer.`,
  )
}
