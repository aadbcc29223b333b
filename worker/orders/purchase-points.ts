import { POINTS } from '../contract/point-rules'

// A purchase in the ledger, for missions that reward one. Each statement says what it needs and is harmless when it is
// run again. ?1 is the order, ?2 now.
//
// Money can go away and come back: what a refund took back is not spoilt by it, as what a person takes back is. It
// stands again as an act of its own, `<key>#2`, and by its action one sees which undoing was a refund's.

const PURCHASE_KEY = `'merch_purchase:' || o.id`
/** SQL: `l.key` is `key`, or `key` standing again. Nothing else stands between `key` and `key$`. */
const REPEATS_OF = (key: string) => `l.key >= ${key} AND l.key < ${key} || '$'`
const NOT_REVERSED = `NOT EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key)`
const REVERSED_BY_REFUND = `EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key AND u.action = 'merch_refund')`

/** A supporter's order that is paid stands in the ledger, once at a time. */
export const AWARD_PURCHASE_POINTS = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT o.user_id, 'merch_purchase',
    ${PURCHASE_KEY} || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger l WHERE l.user_id = o.user_id AND ${REPEATS_OF(PURCHASE_KEY)}),
    'Bought ' || p.name, ${POINTS.merch_purchase}, ?2
  FROM orders o JOIN products p ON p.id = o.product_id WHERE o.id = ?1 AND o.user_id IS NOT NULL AND o.status = 'paid'
    AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.user_id = o.user_id AND ${REPEATS_OF(PURCHASE_KEY)} AND NOT ${REVERSED_BY_REFUND})
  ON CONFLICT DO NOTHING`

const REFUNDED_ORDER = `o.id = ?1 AND o.status = 'refunded'`

/** What was paid for an order that is refunded goes back, and with it the missions that do not stand without it. */
export const REVERSE_PURCHASE_POINTS = [
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT l.user_id, 'merch_refund', 'undo:' || l.key, 'Refunded: ' || l.description, -l.points, ?2
   FROM orders o JOIN ledger l ON l.user_id = o.user_id AND ${REPEATS_OF(PURCHASE_KEY)} WHERE ${REFUNDED_ORDER} AND ${NOT_REVERSED}
   ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT l.user_id, 'merch_refund', 'undo:' || l.key, 'Taken back: ' || m.title, -l.points, ?2
   FROM orders o JOIN missions m ON m.action = 'merch_purchase' AND NOT m.is_streak
     JOIN ledger l ON l.user_id = o.user_id AND ${REPEATS_OF("'mission:' || m.id")}
   WHERE ${REFUNDED_ORDER} AND m.target > (SELECT count(*) FROM standing_acts s WHERE s.user_id = o.user_id AND s.action = m.action)
     AND ${NOT_REVERSED}
   ON CONFLICT DO NOTHING`,
]
