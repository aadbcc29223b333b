/** Kinds of the emails about an order. Each is sent once: its dedupe key is `<kind>:<order id>`. */
export const ORDER_EMAIL_KINDS = ['receipt', 'refund', 'shipped'] as const

/** SQL over `outbox`: an email about an order. */
export const IS_ORDER_EMAIL = `kind IN (${ORDER_EMAIL_KINDS.map((kind) => `'${kind}'`).join(', ')})`

/** SQL list of the dedupe keys of an order's emails. `orderId` is SQL. */
export const orderEmailKeys = (orderId: string) =>
  ORDER_EMAIL_KINDS.map((kind) => `'${kind}:' || ${orderId}`).join(', ')

/** SQL table of the kinds, in its column `value`. */
export const ORDER_EMAIL_KINDS_TABLE = `json_each('${JSON.stringify(ORDER_EMAIL_KINDS)}')`
