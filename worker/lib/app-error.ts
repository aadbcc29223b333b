import { ERROR_STATUS, type ErrorCode } from '../contract/errors'

/**
 * A request that we refuse on purpose. `message` is a sentence for the fan: it is the response body, and the
 * client's toast shows it behind the status (specification section 8). Anything else thrown is a bug: 500, no detail.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: (typeof ERROR_STATUS)[ErrorCode]
  /** When a `rate_limited` call may be tried again; a minute unless told. */
  readonly retryAfterSeconds: number
  /** How many are left, of what is `sold_out` in the number that was asked for; null for every other refusal. */
  readonly remaining: number | null
  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number; left?: number },
  ) {
    super(message, options)
    this.code = code
    this.status = ERROR_STATUS[code]
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 60
    this.remaining = options?.left ?? null
  }
}
