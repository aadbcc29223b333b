import { type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'

const SECOND_FACTOR_TABLES = ['authenticators', 'recovery_codes']
/** Tables of all credentials except the password. */
const CREDENTIAL_TABLES = [...SECOND_FACTOR_TABLES, 'identities', 'passkeys']

/**
 * Statements that delete what a stranger may have added to an account: all credentials except the password, all emailed
 * tokens except reset links, and pending changes of address. They delete nothing unless `condition` on `users` holds,
 * so run them before statements that change what it reads.
 */
export function deleteCredentials(
  db: Db,
  userId: number,
  condition: SQL,
  { keepSecondFactor = false } = {},
): D1PreparedStatement[] {
  const isAffected = sql`user_id = ${userId} AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${condition})`
  const tables = CREDENTIAL_TABLES.filter((table) => !(keepSecondFactor && SECOND_FACTOR_TABLES.includes(table)))
  return [
    ...tables.map((table) => prepare(db, sql`DELETE FROM ${sql.identifier(table)} WHERE ${isAffected}`)),
    prepare(db, sql`DELETE FROM mail_tokens WHERE purpose <> 'reset' AND ${isAffected}`),
    deletePendingEmailChanges(db, userId, condition),
  ]
}

/** SQL condition on `users`: the account has a password or a passkey. */
export const hasPasswordOrPasskey = sql`(password_hash IS NOT NULL
  OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id))`

/** Statement that unlinks Google, perhaps linked by an intruder in the mailbox, if `condition` on `users` holds. */
export const unlinkGoogle = (db: Db, userId: number, condition: SQL): D1PreparedStatement =>
  prepare(
    db,
    sql`DELETE FROM identities WHERE user_id = ${userId}
      AND EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND ${condition})`,
  )

/** Statement that deletes pending changes of address, perhaps an intruder's, if `condition` on `users` holds. */
export const deletePendingEmailChanges = (db: Db, userId: number, condition: SQL): D1PreparedStatement =>
  prepare(
    db,
    sql`DELETE FROM email_changes WHERE user_id = ${userId} AND confirmed_at IS NULL
      AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${condition})`,
  )
