import { DAY, HOUR, MINUTE, type Millis } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/secret'

export type Purpose = 'verify' | 'reset' | 'confirm'

/** How long a mailed secret works. */
export const TOKEN_LIFE: Record<Purpose, Millis> = { verify: 3 * DAY, reset: HOUR, confirm: 10 * MINUTE }

/** A secret for a mail, and the hash that is stored in its place. */
export async function newMailToken(): Promise<{ token: string; hash: string }> {
  const token = randomSecret()
  return { token, hash: await sha256(token) }
}

type Kept = { hash: string; purpose: Purpose; at: Millis }

/** The statement that keeps a secret's hash for the person of this id, or of this username key within a sign-up. */
export function keepToken(
  db: D1Database,
  person: { id: number } | { usernameKey: string },
  { hash, purpose, at }: Kept,
): D1PreparedStatement {
  const [column, value] = 'id' in person ? ['id', person.id] : ['username_key', person.usernameKey]
  return db
    .prepare(
      `INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at)
       SELECT ?1, id, ?2, email_key, ?3 FROM users WHERE ${column} = ?4 AND email_key IS NOT NULL`,
    )
    .bind(hash, purpose, at + TOKEN_LIFE[purpose], value)
}
