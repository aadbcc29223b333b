import { isNull } from 'drizzle-orm'
import { recordAudit } from '../audit/audit'
import type { PromotionCode } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { promotionCodes } from './orders.table'

/** Discount of the broadcast channel's code, per order. */
const BROADCAST_DISCOUNT_CENTS = 500

type Promotion = { code: string; discountCents: number }

/**
 * The promotion of an order: the typed code, none for an empty one, the order's previous one if undefined. A code that
 * has ended is removed from open orders.
 * @throws AppError `unknown_code` if the typed code is not the current one.
 */
export async function resolvePromotion(
  db: Db,
  typedCode: string | undefined,
  previousCode: string | null,
): Promise<Promotion | null> {
  const code = (typedCode ?? previousCode ?? '').toUpperCase()
  if (code === '') return null
  const [current] = await db
    .select({ code: promotionCodes.code, discountCents: promotionCodes.discountCents })
    .from(promotionCodes)
    .where(isNull(promotionCodes.endedAt))
  if (current?.code === code) return current
  if (typedCode === undefined) return null
  throw new AppError('unknown_code', 'That code is no longer valid. The current one is in the broadcast channel.')
}

/** The discount of an order; at least `minChargeCents` remain to pay. */
export const promotionDiscount = (promotion: Promotion | null, totalCents: number, minChargeCents: number): number =>
  promotion ? Math.max(0, Math.min(promotion.discountCents, totalCents - minChargeCents)) : 0

const CURRENT_WITH_USES = `
  SELECT code, discount_cents AS discountCents, created_at AS at,
    (SELECT count(*) FROM orders WHERE promotion_code = code AND status = 'paid') AS uses
  FROM promotion_codes WHERE ended_at IS NULL`
type Row = Omit<PromotionCode, 'createdAt'> & { at: Millis }

export async function getCurrentPromotion(db: Db): Promise<PromotionCode | null> {
  return toPromotionCode(await db.$client.prepare(CURRENT_WITH_USES).first<Row>())
}

const toPromotionCode = (row: Row | null | undefined): PromotionCode | null => {
  if (!row) return null
  const { at, ...code } = row
  return { ...code, createdAt: toIso(at) }
}

const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Eight characters, without those that look alike. */
const randomCode = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('')

/**
 * Ends the current code and starts a new one, random if `code` is undefined.
 * @throws AppError `conflict` for a code that was used before.
 */
export async function rotatePromotion(
  db: Db,
  { code, actorId, at }: { code: string | undefined; actorId: number; at: Millis },
): Promise<PromotionCode> {
  const d1 = db.$client
  const next = (code ?? randomCode()).toUpperCase()
  const results = await d1
    .batch([
      d1.prepare('UPDATE promotion_codes SET ended_at = ?1 WHERE ended_at IS NULL').bind(at),
      d1
        .prepare('INSERT INTO promotion_codes (code, discount_cents, created_at) VALUES (?1, ?2, ?3)')
        .bind(next, BROADCAST_DISCOUNT_CENTS, at),
      recordAudit(db, { actorId, action: 'promotion.rotated', subject: `promotion:${next}`, at }),
      d1.prepare(CURRENT_WITH_USES),
    ])
    .catch((error: Error) => {
      if (!/UNIQUE constraint failed: promotion_codes\.code/.test(error.message)) throw error
      throw new AppError('conflict', 'That was your site’s code before. Please choose another.', { cause: error })
    })
  const current = toPromotionCode((results.at(-1)?.results as Row[] | undefined)?.[0])
  if (!current) throw new Error('The code that was just written is not there.')
  return current
}
