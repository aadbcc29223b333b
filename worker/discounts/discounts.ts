import { and, eq, isNull, sql } from 'drizzle-orm'
import { percentOf } from '../contract/pricing'
import type { TierId } from '../contract/site'
import { TIERS } from '../contract/site'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { formatPrice } from '../lib/price'
import { limits } from '../limits'
import { discounts } from './discounts.table'

type DiscountRow = typeof discounts.$inferSelect
type DiscountCode = Pick<
  DiscountRow,
  'code' | 'kind' | 'percent' | 'amountCents' | 'productIds' | 'isBroadcast' | 'maxUses' | 'maxUsesPerPerson'
>

/** The fields of an order's line that a discount depends on. */
type DiscountableLine = { productId: string; amountCents: number }

/** The buyer. Uses per buyer are counted by account and by mailbox; aliases of a mailbox count as one. */
export type DiscountUser = {
  userId: number | null
  email: string | null
  /** Whether the email is the account's confirmed address. */
  ownsEmail: boolean
  tier: TierId | null
}

type OrderContext = {
  lines: readonly DiscountableLine[]
  user: DiscountUser
  /** The order that already has the code; its own use is not counted. */
  orderId: string | null
  currency: string
  timeZone: string
  at: Millis
}

export const appliesTo = ({ productIds }: Pick<DiscountCode, 'productIds'>, productId: string): boolean =>
  productIds.length === 0 || productIds.includes(productId)

/** The discount on an order's lines. The broadcast code leaves at least `minChargeCents` to pay; others may leave 0. */
export function discountCentsOf(
  discount: DiscountCode,
  lines: readonly DiscountableLine[],
  minChargeCents: number,
): number {
  const sum = (list: readonly DiscountableLine[]) => list.reduce((total, { amountCents }) => total + amountCents, 0)
  const discountableCents = sum(lines.filter(({ productId }) => appliesTo(discount, productId)))
  if (discount.kind === 'percent') return percentOf(discountableCents, discount.percent ?? 0)
  const cents = Math.min(discount.amountCents ?? 0, discountableCents)
  return discount.isBroadcast ? Math.max(0, Math.min(cents, sum(lines) - minChargeCents)) : cents
}

/**
 * SQL `FROM orders u WHERE …`: the orders that use a code, without the order `exceptOrder`. These are paid orders, and
 * unpaid ones that have not expired. The parameters are SQL expressions.
 */
const fromOrdersWithCode = ({ code, exceptOrder, at }: { code: string; exceptOrder: string; at: string }) =>
  `FROM orders u WHERE u.promotion_code = ${code} AND u.id IS NOT ${exceptOrder}
     AND (u.status = 'paid' OR (u.status IN ('pending', 'failed') AND u.reserved_until > ${at}))`

/** SQL expression that does what `mailboxKey` does, except for domains that are not ASCII. `email` is SQL. */
export function mailboxKeySql(email: string): string {
  const at = `instr(${email}, '@')`
  const domain = `lower(substr(${email}, ${at} + 1))`
  const local = `lower(substr(${email}, 1, ${at} - 1))`
  const name = `substr(${local}, 1, instr(${local} || '+', '+') - 1)`
  return `iif(${domain} IN ('gmail.com', 'googlemail.com'), replace(${name}, '.', '') || '@gmail.com', ${name} || '@' || ${domain})`
}

const isBuyerSql = (userId: string, email: string) =>
  `(u.user_id = ${userId} OR ${mailboxKeySql('u.email')} = ${mailboxKeySql(email)})`

/** Each value is an SQL expression. */
type UsageParams = { code: string; exceptOrder: string; at: string; userId: string; email: string; networkHash: string }

/**
 * SQL condition: the code has a use left for this buyer; true without a code. For the statement that writes the order,
 * so that concurrent orders cannot share the last use, and the unpaid orders of one network cannot hold all uses.
 */
export function hasUseLeftSql({ userId, email, networkHash, ...params }: UsageParams): string {
  const uses = `SELECT count(*) ${fromOrdersWithCode(params)}`
  const openUsesOfNetwork = `${uses} AND u.status <> 'paid' AND u.network_hash = ${networkHash}`
  const usesOfBuyer = `${uses} AND ${isBuyerSql(userId, email)}`
  return `(${params.code} IS NULL OR EXISTS (
    SELECT 1 FROM discounts d WHERE d.code = ${params.code}
      AND (d.max_uses IS NULL
        OR (d.max_uses > (${uses}) AND ${limits.maxOpenCodeUsesPerNetwork} > (${openUsesOfNetwork})))
      AND (d.max_uses_per_person IS NULL OR d.max_uses_per_person > (${usesOfBuyer}))))`
}

/** SQL expression: number of uses of the discount `d`. `at` is SQL. */
export const usesSql = (at: string) =>
  `(SELECT count(*) ${fromOrdersWithCode({ code: 'd.code', exceptOrder: 'NULL', at })})`

/** The discount of a code, or an error that explains why the code does not apply. */
export async function findDiscount(
  db: Db,
  code: string,
  context: OrderContext,
): Promise<{ discount: DiscountCode } | { problem: AppError }> {
  const [row] = await db
    .select()
    .from(discounts)
    .where(and(eq(discounts.code, code), isNull(discounts.removedAt)))
  if (!row) return { problem: unknownCodeError('There is no such code.') }
  if (row.isBroadcast && row.endsAt !== null && row.endsAt <= context.at)
    return {
      problem: unknownCodeError('That code is no longer valid. The current one is in the broadcast channel.'),
    }
  const reason = problemOf(row, context) ?? (await usageProblem(db, row, context))
  return reason === null ? { discount: row } : { problem: rejectedCodeError(reason) }
}

const unknownCodeError = (message: string) => new AppError('unknown_code', message)
const rejectedCodeError = (reason: string) => new AppError('discount_rejected', reason)

/** Why a code does not apply to this order now; null if it does. Its limits of uses are checked by `usageProblem`. */
function problemOf(row: DiscountRow, { lines, user, currency, timeZone, at }: OrderContext): string | null {
  const { code, tier, minimumCents } = row
  const formatDateTime = (time: Millis) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(time)
  if (row.endsAt !== null && row.endsAt <= at) return `${code} ended on ${formatDateTime(row.endsAt)}.`
  if (row.startsAt !== null && row.startsAt > at)
    return `${code} starts on ${formatDateTime(row.startsAt)}. Try it again then.`
  if (tier !== null && user.tier === null) return `${code} is for ${TIER_AUDIENCE[tier]}. Log in, then enter it again.`
  if (tier !== null && user.tier !== null && TIERS.indexOf(user.tier) < TIERS.indexOf(tier))
    return `${code} is for ${TIER_AUDIENCE[tier]}. Your membership does not include it.`
  if (!lines.some(({ productId }) => appliesTo(row, productId)))
    return `${code} does not apply to the products in your order.`
  const linesCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (linesCents < minimumCents)
    return `${code} needs an order of at least ${formatPrice(minimumCents, currency)}. Yours is ${formatPrice(linesCents, currency)}.`
  return null
}

const TIER_AUDIENCE: Record<TierId, string> = {
  bronze: 'supporters with an account',
  silver: 'silver and gold members',
  gold: 'gold members',
}

/** Why the code has no use left for this buyer; null if it has one. */
async function usageProblem(
  db: Db,
  { code, maxUses, maxUsesPerPerson }: Pick<DiscountCode, 'code' | 'maxUses' | 'maxUsesPerPerson'>,
  { user, orderId, at }: Pick<OrderContext, 'user' | 'orderId' | 'at'>,
): Promise<string | null> {
  if (maxUses === null && maxUsesPerPerson === null) return null
  const uses = await db.$client
    .prepare(
      `SELECT count(*) AS total, coalesce(sum(u.user_id = ?4), 0) AS ofAccount,
         coalesce(sum(${isBuyerSql('?4', '?5')}), 0) AS ofBuyer
       ${fromOrdersWithCode({ code: '?1', exceptOrder: '?2', at: '?3' })}`,
    )
    .bind(code, orderId, at, user.userId, user.email)
    .first<{ total: number; ofAccount: number; ofBuyer: number }>()
  if (maxUsesPerPerson !== null && (uses?.ofBuyer ?? 0) >= maxUsesPerPerson) {
    // The message must not reveal what the owner of another address has bought.
    if (!user.ownsEmail && (uses?.ofAccount ?? 0) < maxUsesPerPerson) return `${code} cannot be used for this order.`
    return maxUsesPerPerson === 1
      ? `You have used ${code} already. It works once per person.`
      : `You have used ${code} already. It works ${maxUsesPerPerson} times per person.`
  }
  if (maxUses !== null && (uses?.total ?? 0) >= maxUses)
    return `${code} has been used up. It worked for ${maxUses === 1 ? 'one order' : `${maxUses} orders`}.`
  return null
}

/**
 * The error of an order without a use left: a concurrent order got the last one, or its network holds too many with
 * unpaid orders.
 */
export async function noUseLeftError(
  db: Db,
  code: string,
  context: Pick<OrderContext, 'user' | 'orderId' | 'at'>,
): Promise<AppError> {
  const [row] = await db.select().from(discounts).where(eq(discounts.code, code))
  return rejectedCodeError(
    (row && (await usageProblem(db, row, context))) ??
      `${code} is held by other orders that are not paid yet. Try it again in 15 minutes.`,
  )
}

/** SQL expression: state of the discount `d` at a time. */
export const stateSql = (at: number) =>
  sql.raw(`CASE WHEN d.ends_at <= ${at} THEN 'ended'
  WHEN d.max_uses <= ${usesSql(String(at))} THEN 'used_up' WHEN d.starts_at > ${at} THEN 'scheduled' ELSE 'active' END`)
