import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/crypto'

export type MailTokenPurpose = 'verify' | 'reset' | 'confirm'

/** How long a mailed secret works. */
export const MAIL_TOKEN_TTL_MS: Record<MailTokenPurpose, Millis> = {
  verify: 3 * DAY_MS,
  reset: HOUR_MS,
  confirm: 10 * MINUTE_MS,
}

/** A secret for a mail, and the hash that is stored in its place. */
export async function createMailToken(): Promise<{ token: string; hash: string }> {
  const token = randomSecret()
  return { token, hash: await sha256(token) }
}

type HashedMailToken = { hash: string; purpose: MailTokenPurpose; at: Millis }

/** The statement that keeps a secret's hash for the person of this id, or of this username key within a sign-up. */
export function saveMailToken(
  db: D1Database,
  user: { id: number } | { usernameKey: string },
  { hash, purpose, at }: HashedMailToken,
): D1PreparedStatement {
  const [column, value] = 'id' in user ? ['id', user.id] : ['username_key', user.usernameKey]
  return db
    .prepare(
      `INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at)
       SELECT ?1, id, ?2, email_key, ?3 FROM users WHERE ${column} = ?4 AND email_key IS NOT NULL`,
    )
    .bind(hash, purpose, at + MAIL_TOKEN_TTL_MS[purpose], value)
}
