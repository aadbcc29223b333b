/** SQL: an order whose parcel or money is still on its way needs its buyer's address, and has it. */
export const OUTSTANDING = `((status IN ('pending', 'paid') AND fulfilment IN ('unfulfilled', 'packed')) OR intent_open = 1
    OR (refund_wanted_at IS NOT NULL AND refund_sent_at IS NULL))
  AND (email IS NOT NULL OR shipping_address IS NOT NULL)`
