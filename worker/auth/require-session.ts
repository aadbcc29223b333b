import { AppError } from '../lib/app-error'
import { CALLER_CTE } from './sessions'

/** Columns that say whether the session that CALLER checks still stands, and whether a ban is why it does not. */
export const SESSION_STATUS_COLUMNS = `EXISTS (SELECT 1 FROM caller) AS stands,
  EXISTS (SELECT 1 FROM users WHERE id = ?1 AND banned_at IS NOT NULL) AS banned`

export type SessionStatusRow = { stands: number; banned: number }

/**
 * The statement that confirms the session and reads `columns` beside it, always one row: the last of a hot write's
 * batch, which says what the write came to, and why when it did nothing. Binds ?1 to ?3 as CALLER does.
 */
export const withSessionStatus = (columns: string) => `WITH ${CALLER_CTE} SELECT ${SESSION_STATUS_COLUMNS}, ${columns}`

/**
 * The row of an explaining statement, once it says that the session stands.
 * @throws AppError `forbidden` for a suspended account, `signed_out` for a session that is over.
 */
export function requireActiveSession<R extends SessionStatusRow>(row: R | undefined, signIn: string | null): R {
  if (!row) throw new Error('The explaining statement returned no row.')
  if (row.banned) throw new AppError('forbidden', 'This account has been suspended.')
  if (!row.stands) throw signedOutError(signIn)
  return row
}

/** The refusal of somebody who is not logged in, in the endpoint's own words where it has some. */
export const signedOutError = (signIn: string | null) => new AppError('signed_out', signIn ?? 'Please log in first.')
