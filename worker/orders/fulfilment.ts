import { RETENTION } from '../contract/retention'
import { DAY_MS } from '../lib/clock'

/**
 * SQL: an order whose parcel or money is still on its way at `now` (SQL, too) needs its buyer's address, and has it. A
 * parcel that nobody says was delivered counts as delivered some time after it left.
 */
export const hasPendingFulfilment = (
  now: string,
) => `((status IN ('pending', 'paid') AND (fulfilment IN ('unfulfilled', 'packed')
      OR (fulfilment = 'shipped' AND coalesce(shipped_at, paid_at, created_at) > ${now} - ${RETENTION.shipmentDays * DAY_MS})))
    OR intent_open = 1 OR (refund_wanted_at IS NOT NULL AND refund_sent_at IS NULL))
  AND (email IS NOT NULL OR shipping_address IS NOT NULL)`
