/**
 * Every failure a caller may see, by its stable code, with the HTTP status it travels under (rulings, C).
 * The body is one plain-text English sentence; the code is the header `X-Error-Code`.
 */
export const ERROR_STATUS = {
  bad_input: 400,
  bad_json: 400,
  unknown_option: 400,
  unknown_code: 400,
  bad_token: 400,
  signed_out: 401,
  bad_credentials: 401,
  session_expired: 401,
  second_factor_required: 401,
  forbidden: 403,
  foreign_origin: 403,
  confirm_required: 403,
  tier_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  already_voted: 409,
  name_taken: 409,
  email_taken: 409,
  price_changed: 409,
  sold_out: 409,
  too_many_reserved: 409,
  order_paid: 409,
  payment_under_way: 409,
  closed: 410,
  too_large: 413,
  bad_range: 416,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  google_off: 503,
  payments_off: 503,
  subscriptions_off: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
