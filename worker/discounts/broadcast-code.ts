import { recordAudit } from '../audit/audit'
import type { BroadcastCode } from '../contract/orders'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'

/** Discount per order of the code that the artist posts in the broadcast channel, a channel on another platform. */
const BROADCAST_DISCOUNT_CENTS = 500

const SELECT_CURRENT_CODE = `
  SELECT code, amount_cents AS discountCents, created_at AS at,
    (SELECT count(*) FROM orders WHERE promotion_code = code AND status = 'paid') AS uses
  FROM discounts WHERE is_broadcast = 1 AND ends_at IS NULL`
type CodeRow = Omit<BroadcastCode, 'createdAt'> & { at: Millis }

/** The current code; null before the first one. */
export async function getBroadcastCode(db: Db): Promise<BroadcastCode | null> {
  return toBroadcastCode(await db.$client.prepare(SELECT_CURRENT_CODE).first<CodeRow>())
}

const toBroadcastCode = (row: CodeRow | null | undefined): BroadcastCode | null => {
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
 * @throws AppError `conflict` for a code that a discount or the channel has or had.
 */
export async function rotateBroadcastCode(
  db: Db,
  { code, actorId, at }: Actor & { code: string | undefined },
): Promise<BroadcastCode> {
  const d1 = db.$client
  const next = (code ?? randomCode()).toUpperCase()
  const results = await d1
    .batch([
      d1.prepare('UPDATE discounts SET ends_at = ?1 WHERE is_broadcast = 1 AND ends_at IS NULL').bind(at),
      d1
        .prepare(
          `INSERT INTO discounts (id, code, kind, amount_cents, is_broadcast, created_at) VALUES (?1, ?2, 'amount', ?3, 1, ?4)`,
        )
        .bind(newId('disc'), next, BROADCAST_DISCOUNT_CENTS, at),
      recordAudit(db, { actorId, action: 'promotion.rotated', subject: `promotion:${next}`, at }),
      d1.prepare(SELECT_CURRENT_CODE),
    ])
    .catch((error: Error) => {
      if (!/UNIQUE constraint failed: discounts\.code/.test(error.message)) throw error
      throw new AppError('conflict', 'That code is or was already in use. Please choose another.', { cause: error })
    })
  const current = toBroadcastCode((results.at(-1)?.results as CodeRow[] | undefined)?.[0])
  if (!current) throw new Error('The created code was not found.')
  return current
}
