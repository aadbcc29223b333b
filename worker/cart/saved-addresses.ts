import { and, desc, eq } from 'drizzle-orm'
import { MAX_SAVED_ADDRESSES, type SavedAddress } from '../contract/cart'
import { ShippingAddress } from '../contract/checkout'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { savedAddresses } from './cart.table'

export async function listAddresses(db: Db, userId: number): Promise<SavedAddress[]> {
  const rows = await db
    .select()
    .from(savedAddresses)
    .where(eq(savedAddresses.userId, userId))
    .orderBy(desc(savedAddresses.usedAt), desc(savedAddresses.id))
  return rows.map(({ id, address }) => ({ id, shippingAddress: ShippingAddress.parse(JSON.parse(address)) }))
}

/** JSON with all keys in a fixed order, so that equal addresses are equal texts. */
const toJson = ({ name, line1, line2 = '', city, state, postalCode, country }: ShippingAddress): string =>
  JSON.stringify({ name, line1, line2, city, state, postalCode, country })

/**
 * Saves an address, or moves it to the front if it is saved already. Raw SQL: the limit is checked in the
 * statement that inserts.
 * @throws AppError `conflict` beyond MAX_SAVED_ADDRESSES.
 */
export async function saveAddress(
  db: Db,
  { userId, address, at }: { userId: number; address: ShippingAddress; at: Millis },
): Promise<SavedAddress[]> {
  const saved = await db.$client
    .prepare(
      `INSERT INTO saved_addresses (id, user_id, address, used_at)
       SELECT ?1, u.id, ?3, ?4 FROM users u WHERE u.id = ?2 AND u.erased_at IS NULL
         AND (EXISTS (SELECT 1 FROM saved_addresses WHERE user_id = ?2 AND address = ?3)
           OR (SELECT count(*) FROM saved_addresses WHERE user_id = ?2) < ${MAX_SAVED_ADDRESSES})
       ON CONFLICT (user_id, address) DO UPDATE SET used_at = excluded.used_at
       RETURNING id`,
    )
    .bind(newId('addr'), userId, toJson(address), at)
    .all()
  if (saved.results.length === 0)
    throw new AppError('conflict', `You have ${MAX_SAVED_ADDRESSES} saved addresses. Delete one in your account first.`)
  return listAddresses(db, userId)
}

/** @throws AppError `not_found`. */
export async function deleteAddress(db: Db, { userId, id }: { userId: number; id: string }): Promise<void> {
  const deleted = await db
    .delete(savedAddresses)
    .where(and(eq(savedAddresses.id, id), eq(savedAddresses.userId, userId)))
    .returning({ id: savedAddresses.id })
  if (deleted.length === 0) throw new AppError('not_found', 'That address is not saved here.')
}
