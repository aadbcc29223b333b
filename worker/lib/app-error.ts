import { ERROR_STATUS, type ErrorCode } from '../contract/errors'

/** An expected error, whose `message` is shown to the user. All other errors become a 500 without details. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: (typeof ERROR_STATUS)[ErrorCode]
  /** For `rate_limited`; default one minute. */
  readonly retryAfterSeconds: number
  /** Units in stock, for `sold_out`; null for other errors. */
  readonly remaining: number | null
  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number; remaining?: number },
  ) {
    super(message, options)
    this.code = code
    this.status = ERROR_STATUS[code]
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 60
    this.remaining = options?.remaining ?? null
  }
}
