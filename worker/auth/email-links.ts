import { and, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueWithinQuotas, ownEmailQuotas, resetLinkQuotas } from '../email/email-quotas'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import type { QuotaUse } from '../quotas/quotas'
import { siteNameColumn } from '../site/site'
import { usernameForEmail } from '../users/username'
import { users } from '../users/users.table'
import { emailTokens } from './auth.table'
import { passwordResetEmail, verificationEmail } from './emails'

export const invalidLinkError = () => new AppError('bad_token', 'That link no longer works. Please ask for a new one.')

const canReceiveLinks = and(isNull(users.bannedAt), isNull(users.erasedAt))

/** The user of a token; undefined if it is unknown or expired, or the account changed address, is banned or erased. */
export async function findTokenOwner(db: Db, hash: string, purpose: EmailTokenPurpose, now: Millis) {
  const [owner] = await db
    .select({
      userId: users.id,
      username: users.username,
      email: sql<string>`users.email`,
      mailboxKey: sql<string>`coalesce(mailbox_key, users.email_key)`,
      siteName: siteNameColumn,
      isUsed: isNotNull(emailTokens.usedAt).mapWith(Boolean),
      isVerified: isNotNull(users.emailVerifiedAt).mapWith(Boolean),
    })
    .from(emailTokens)
    .innerJoin(users, and(eq(users.id, emailTokens.userId), eq(users.emailKey, emailTokens.emailKey)))
    .where(
      and(
        eq(emailTokens.hash, hash),
        eq(emailTokens.purpose, purpose),
        gt(emailTokens.expiresAt, now),
        canReceiveLinks,
      ),
    )
  return owner
}

/** Statement that marks unused tokens as used. */
export const markTokensUsed = (db: Db, condition: SQL | undefined, now: Millis): D1PreparedStatement =>
  prepare(
    db,
    db
      .update(emailTokens)
      .set({ usedAt: now })
      .where(and(condition, isNull(emailTokens.usedAt)))
      .getSQL(),
  )

/** Returns the device id if this user has logged in from this browser before, else null. */
type FindKnownDevice = (userId: number) => Promise<string | null>
type LinkEmailDeps = Pick<Deps, 'db' | 'secret' | 'origin'>

/** Emails a new verification link, within a daily quota; does nothing for a confirmed address. */
export async function sendVerificationEmail(deps: LinkEmailDeps, userId: number, now: Millis): Promise<void> {
  const isUnconfirmedUser = and(eq(users.id, userId), isNull(users.emailVerifiedAt))
  await sendLinkEmail(deps, 'verify', isUnconfirmedUser, now, ({ email }) => ownEmailQuotas(deps.secret, email, false))
}

/** Emails a reset link if the address has an account. Call it after the response, so that timing reveals nothing. */
export async function sendPasswordResetEmail(
  deps: LinkEmailDeps,
  { email, findKnownDevice }: { email: string; findKnownDevice: FindKnownDevice },
  now: Millis,
): Promise<void> {
  await sendLinkEmail(deps, 'reset', eq(users.emailKey, normalizeKey(email)), now, async (user) =>
    resetLinkQuotas(deps.secret, user.email, (await findKnownDevice(user.id)) !== null),
  )
}

async function sendLinkEmail(
  { db, origin }: LinkEmailDeps,
  purpose: 'verify' | 'reset',
  condition: SQL | undefined,
  now: Millis,
  quotasOf: (user: { id: number; email: string }) => Promise<QuotaUse[]>,
) {
  const [user] = await db
    .select({ id: users.id, username: usernameForEmail, email: users.email, siteName: siteNameColumn })
    .from(users)
    .where(and(condition, canReceiveLinks))
  if (!user?.email) return
  const { token, hash } = await createEmailToken()
  const renderEmail = purpose === 'verify' ? verificationEmail : passwordResetEmail
  const email = renderEmail({ ...user, origin, token })
  await db.$client.batch([
    saveEmailToken(db, eq(users.id, user.id), { hash, purpose, at: now }),
    ...enqueueWithinQuotas(db, {
      to: user.email,
      email,
      dedupeKey: `${purpose}:${hash}`,
      at: now,
      quotas: await quotasOf({ id: user.id, email: user.email }),
    }),
  ])
}

/** As in the table `emailTokens`: `confirm` is a re-authentication code, not a link that confirms an address. */
type EmailTokenPurpose = 'verify' | 'reset' | 'confirm'

export const EMAIL_TOKEN_TTL_MS: Record<EmailTokenPurpose, Millis> = {
  verify: 3 * DAY_MS,
  reset: HOUR_MS,
  confirm: 10 * MINUTE_MS,
}

/** A random token for an email, and the hash to store. */
export async function createEmailToken(): Promise<{ token: string; hash: string }> {
  const token = randomSecret()
  return { token, hash: await sha256(token) }
}

/** Statement that stores a token's hash for the user who matches the condition. */
export function saveEmailToken(
  db: Db,
  condition: SQL,
  { hash, purpose, at }: { hash: string; purpose: EmailTokenPurpose; at: Millis },
): D1PreparedStatement {
  return prepare(
    db,
    sql`INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at)
      SELECT ${hash}, id, ${purpose}, email_key, ${at + EMAIL_TOKEN_TTL_MS[purpose]} FROM users
      WHERE ${condition} AND email_key IS NOT NULL`,
  )
}
