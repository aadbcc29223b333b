import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'

/** Account, device and network that reserve stock. `account` is stored in the column `holder`. */
export type ReservationHolder = { account: string | null; deviceHash: string; networkHash: string }

/** Limits of reserved units, from narrow to wide. Variants with unlimited stock do not count. */
const RESERVATION_LIMITS = [
  { column: 'device_hash', max: limits.maxReservedUnitsPerDevice },
  { column: 'holder', max: limits.maxReservedUnitsPerAccount },
  { column: 'network_hash', max: limits.maxReservedUnitsPerNetwork },
] as const
type LimitedColumn = (typeof RESERVATION_LIMITS)[number]['column']

/** SQL of the values to compare with; `except` is the id of an order that is not counted. */
type ReservationParams = Record<LimitedColumn | 'at' | 'except', string>

/** SQL: units of limited stock that an order holds. */
export const limitedUnitsHeldSql = (orderId: string) => `
  (SELECT coalesce(sum(line.held), 0) FROM order_lines line
   JOIN product_variants variant ON variant.id = line.variant_id AND variant.stock IS NOT NULL
   WHERE line.order_id = ${orderId})`

/** SQL: units reserved at `at` by orders with the same value in `column`, except one. */
const reservedUnitsSql = (column: LimitedColumn, params: ReservationParams) => `
  (SELECT coalesce(sum(${limitedUnitsHeldSql('reserving.id')}), 0) FROM orders reserving
   WHERE reserving.${column} = ${params[column]} AND reserving.status = 'pending'
     AND reserving.reserved_until > ${params.at} AND reserving.id <> ${params.except})`

/** SQL condition: `quantity` more units are within all limits. */
export const withinLimitsSql = (quantity: string, params: ReservationParams) =>
  RESERVATION_LIMITS.map(({ column, max }) => `${reservedUnitsSql(column, params)} + ${quantity} <= ${max}`).join(
    ' AND ',
  )

type ReservedUnits = Record<LimitedColumn, number>

const COUNT_PARAMS = { holder: '?1', device_hash: '?2', network_hash: '?3', at: '?4', except: '?5' }
const COUNT_RESERVED = `SELECT ${RESERVATION_LIMITS.map(({ column }) => `${reservedUnitsSql(column, COUNT_PARAMS)} AS ${column}`).join(', ')}`

/** The error of the limit that `quantity` more units exceed. */
export async function tooManyReservedError(
  db: Db,
  { account, deviceHash, networkHash }: ReservationHolder,
  { at, except, quantity }: { at: Millis; except: string; quantity: number },
): Promise<AppError> {
  const statement = db.$client.prepare(COUNT_RESERVED).bind(account, deviceHash, networkHash, at, except)
  const reserved = (await statement.first<ReservedUnits>()) ?? { holder: 0, device_hash: 0, network_hash: 0 }
  const exceeded = RESERVATION_LIMITS.find(({ column, max }) => reserved[column] + quantity > max)
  const { column, max } = exceeded ?? RESERVATION_LIMITS[0]
  return new AppError('too_many_reserved', limitMessage(column, reserved[column], max))
}

function limitMessage(column: LimitedColumn, reserved: number, max: number): string {
  if (column === 'network_hash')
    return 'Too many items are already reserved from your network. Please try again in 15 minutes, or from another network.'
  if (reserved === 0) return `You can reserve at most ${max} items at a time. Please order fewer.`
  return `You already have ${reserved} items reserved, and the limit is ${max}. Please pay for those first, or order fewer.`
}
