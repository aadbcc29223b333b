import { type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'

/** Tables of what lets a user in besides the password. */
const SECOND_FACTOR_TABLES = ['authenticators', 'recovery_codes']
const CREDENTIAL_TABLES = [...SECOND_FACTOR_TABLES, 'identities', 'passkeys']

/**
 * Statements that delete passkeys, second factor, linked identities and emailed tokens of a user while `condition` on `users`
 * holds. The creator of an account with another's address must not keep a way in once the mailbox is proven. Run them
 * before the update that confirms the address; reset links stay, because the reset uses them up.
 */
export function deleteCredentials(
  db: Db,
  userId: number,
  condition: SQL,
  { keepSecondFactor = false } = {},
): D1PreparedStatement[] {
  const isOwned = sql`user_id = ${userId} AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${condition})`
  const tables = CREDENTIAL_TABLES.filter((table) => !(keepSecondFactor && SECOND_FACTOR_TABLES.includes(table)))
  return [
    ...tables.map((table) => prepare(db, sql`DELETE FROM ${sql.identifier(table)} WHERE ${isOwned}`)),
    prepare(db, sql`DELETE FROM mail_tokens WHERE purpose <> 'reset' AND ${isOwned}`),
  ]
}
