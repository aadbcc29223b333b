import { POINTS } from '../contract/point-rules'

// A purchase in the ledger, for missions that reward one. Each statement says what it needs and is harmless when it is
// run again: the ledger's keys are unique. ?1 is the order, ?2 now.

const KEY = `'merch_purchase:' || o.id`

/** A supporter's order that is paid stands in the ledger, once. */
export const PURCHASE_PAID = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT o.user_id, 'merch_purchase', ${KEY}, 'Bought ' || p.name, ${POINTS.merch_purchase}, ?2
  FROM orders o JOIN products p ON p.id = o.product_id WHERE o.id = ?1 AND o.user_id IS NOT NULL AND o.status = 'paid'
  ON CONFLICT DO NOTHING`

const GONE = `o.id = ?1 AND o.status = 'refunded'`

/** What was paid for an order that is refunded goes back, and with it the missions that do not stand without it. */
export const PURCHASE_UNDONE = [
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT act.user_id, act.action, 'undo:' || act.key, 'Refunded: ' || act.description, -act.points, ?2
   FROM orders o JOIN ledger act ON act.user_id = o.user_id AND act.key = ${KEY} WHERE ${GONE}
   ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger (user_id, action, key, description, points, created_at)
   SELECT paid.user_id, 'mission', 'undo:' || paid.key, 'Taken back: ' || m.title, -paid.points, ?2
   FROM orders o JOIN ledger paid ON paid.user_id = o.user_id JOIN missions m ON paid.key = 'mission:' || m.id
   WHERE ${GONE} AND m.action = 'merch_purchase' AND NOT m.is_streak
     AND m.target > (SELECT count(*) FROM standing_acts s WHERE s.user_id = o.user_id AND s.action = m.action)
   ON CONFLICT DO NOTHING`,
]
