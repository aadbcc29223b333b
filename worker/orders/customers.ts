import { and, desc, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AdminOrderPage, Customer } from '../contract/orders'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { mailboxKey, maskEmail } from '../lib/email'
import { readAdminOrders } from './admin-orders'
import { orders } from './orders.table'

const MAX_ORDERS = 200

/** Keyed hash of a mailbox, so that an address of the dashboard names nobody. */
const customerKey = (secret: string, email: string): Promise<string> => sign(secret, 'customer', mailboxKey(email))

type Buyer = { userId: number | null; username: string | null; email: string | null }

export async function customerOf(secret: string, buyer: Buyer): Promise<AdminOrderPage['customer']> {
  const { userId, username, email } = buyer
  if (userId !== null && username !== null) return { kind: 'supporter', id: String(userId), username }
  return email === null ? null : { kind: 'guest', key: await customerKey(secret, email), email: maskEmail(email) }
}

/** A guest's orders, and what they have paid. @throws AppError `not_found`. */
export async function readCustomer(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  key: string,
  at: Millis,
): Promise<Customer> {
  const emails = await guestEmails(db, secret, key)
  const [email] = emails
  if (email === undefined) throw new AppError('not_found', 'No orders of this customer were found.')
  const isGuests = and(isNull(orders.userId), inArray(sql`lower(${orders.email})`, emails.slice(0, 50)))
  const [[totals], rows] = await db.batch([
    db
      .select({
        orders: sql<number>`count(*)`,
        paidCents: sql<number>`coalesce(sum(${orders.amountCents}), 0)`,
        refundedCents: sql<number>`coalesce(sum(${orders.refundedCents}), 0)`,
      })
      .from(orders)
      .where(and(isGuests, isNotNull(orders.paidAt))),
    db.select({ id: orders.id }).from(orders).where(isGuests).orderBy(desc(orders.createdAt)).limit(MAX_ORDERS),
  ])
  const ids = rows.map(({ id }) => id)
  return {
    key,
    email: maskEmail(email),
    totals: totals ?? { orders: 0, paidCents: 0, refundedCents: 0 },
    orders: await readAdminOrders(db, ids, at),
  }
}

/** The spellings of a guest's address. Compared here: a stored hash would be one more trace of a person to erase. */
async function guestEmails(db: Db, secret: string, key: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: sql<string>`lower(${orders.email})` })
    .from(orders)
    .where(and(isNull(orders.userId), isNotNull(orders.email)))
  const keys = await Promise.all(rows.map(({ email }) => customerKey(secret, email)))
  return rows.flatMap(({ email }, index) => (keys[index] === key ? [email] : []))
}
