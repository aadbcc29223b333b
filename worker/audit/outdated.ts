import { AppError } from '../lib/app-error'

/** A draft was made from an older version than the stored one. */
export const outdatedError = () =>
  new AppError('conflict', 'Someone else has saved this since you opened it. Compare both versions, then save again.')

/** Fails the batch if the statement before it changed nothing, so that no other statement of the batch applies. */
export const REQUIRE_CHANGE = "SELECT iif(changes() > 0, 1, json('unchanged'))"
export const isUnchangedError = (error: unknown) => /malformed JSON/i.test(String(error))
