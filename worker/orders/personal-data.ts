import { type SQL, sql } from 'drizzle-orm'
import { eraseAuditReasons } from '../audit/audit'
import { IS_ORDER_EMAIL, ORDER_EMAIL_KINDS_TABLE, orderEmailKeys } from '../email/order-email-kinds'
import { eraseOrderEmails } from '../email/personal-data'
import type { DataSubject, PersonalData } from '../gdpr/personal-data'
import { CLEAR_RESERVATION_HOLDER } from './orders'
import { COARSEN_TAX_LOCATION, deleteOldOrders, eraseBuyers, orderUnderWaySql } from './retention'

/** Ids of the subject's orders: a user's own, and those placed as a guest with the confirmed address. */
const ordersOf = ({ userId, emailSpellings }: DataSubject): SQL => {
  const guestOrders = sql`SELECT id FROM orders WHERE email IS NOT NULL AND user_id IS NULL AND lower(email) IN (${emailSpellings})`
  return userId === null ? guestOrders : sql`SELECT id FROM orders WHERE user_id = ${userId} UNION ${guestOrders}`
}
const isUnderWay = ({ at }: DataSubject): SQL => sql.raw(`(${orderUnderWaySql(String(at))})`)

/** SQL over `outbox`: an email about an order under way that must be sent before `eraseBuyers` deletes it. */
const isNeededOrderEmail = (
  subject: DataSubject,
): SQL => sql`(state = 'waiting' AND ${sql.raw(IS_ORDER_EMAIL)} AND EXISTS (
  SELECT 1 FROM orders WHERE ((orders.email IS NOT NULL AND lower(orders.email) = lower(outbox.recipient)) OR orders.id IN (${ordersOf(subject)}))
    AND outbox.dedupe_key IN (${sql.raw(orderEmailKeys('orders.id'))}) AND ${isUnderWay(subject)}))`

export const personalData: PersonalData = {
  name: 'orders',
  byAddress: {
    counts: (subject) => ({
      orders: sql`SELECT count(*) FROM orders WHERE id IN (${ordersOf(subject)})`,
      ordersUnderWay: sql`SELECT count(*) FROM orders WHERE id IN (${ordersOf(subject)}) AND ${isUnderWay(subject)}`,
    }),
    export: (subject) => ({
      orders: sql`SELECT orders.id, (SELECT group_concat(product_name || iif(variant_name = '', '', ' (' || variant_name || ')'), ', ')
          FROM (SELECT * FROM order_lines WHERE order_id = orders.id ORDER BY position)) AS product, units AS quantity, amount_cents,
        refunded_cents, status, fulfilment, tracking, orders.email, shipping_address, tax_location, orders.created_at, paid_at FROM orders
        WHERE orders.id IN (${ordersOf(subject)}) ORDER BY orders.created_at`,
    }),
    /** Tax law requires rows for seven years; `eraseBuyers` removes the buyer's data after shipment and refund. */
    erase: (subject) => {
      const underWay = isUnderWay(subject)
      return [
        ...eraseOrderEmails(subject, isNeededOrderEmail(subject)),
        // Emails about the subject's orders, to any address given at checkout.
        sql`DELETE FROM outbox WHERE dedupe_key IN (
          SELECT json_each.value || ':' || orders.id FROM orders JOIN ${sql.raw(ORDER_EMAIL_KINDS_TABLE)}
          WHERE orders.id IN (${ordersOf(subject)})) AND NOT ${isNeededOrderEmail(subject)}`,
        // This precedes the next statement, which removes the address that identifies a guest's orders.
        eraseAuditReasons(sql`SELECT 'order:' || id FROM orders WHERE id IN (${ordersOf(subject)})`),
        sql`UPDATE orders SET ${sql.raw(CLEAR_RESERVATION_HOLDER)}, forget_wanted_at = iif(${underWay}, ${subject.at}, NULL), email = iif(${underWay}, email, NULL),
          shipping_address = iif(${underWay}, shipping_address, NULL), ${sql.raw(COARSEN_TAX_LOCATION)}, tracking = iif(${underWay}, tracking, '')
          WHERE id IN (${ordersOf(subject)})`,
        // Another user's order with this email address loses only the address.
        sql`UPDATE orders SET forget_wanted_at = iif(${underWay}, ${subject.at}, forget_wanted_at), email = iif(${underWay}, email, NULL)
          WHERE email IS NOT NULL AND user_id IS NOT NULL AND lower(email) IN (${subject.emailSpellings})`,
      ]
    },
  },
  retention: [
    { name: 'Delete buyers of delivered orders', step: ({ db }, at) => eraseBuyers(db, at) },
    { name: 'Delete old orders', step: ({ db }, at) => deleteOldOrders(db, at) },
  ],
}
