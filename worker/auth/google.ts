import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { identityHashes } from '../lib/keyed-hashes'
import {
  assignReferralCode,
  awardReferralSignup,
  awardReferrer,
  disqualifyTakenOverReferral,
  eligibleReferrer,
  normalizeReferralCode,
  type ReferralInput,
} from '../users/referrals'
import { emailTakenError, isReservedUsername, usernameKey } from '../users/username'
import { users } from '../users/users.table'
import { identities } from './auth.table'
import { deleteCredentials, hasPasswordOrPasskey } from './credentials'
import { findUserWhere, type UserRow, userColumns } from './current-user'
import { isAddressTaken } from './email-change'
import { emailConfirmedStatements } from './email-confirmed'
import type { OidcIdentity } from './id-token'
import { bannedError } from './sessions'

const PROVIDER = 'google'
export const googleLoginError = () => new AppError('bad_credentials', 'Google sign-in failed')
const passwordLoginError = () =>
  new AppError('bad_credentials', 'Google sign-in failed. Please log in with your password or passkey.')

type GoogleSignup = ReferralInput & {
  /** Version of the age notice that was shown, if any. */
  ageWording: string | null
  /** Creates the account within the sign-up quotas. */
  withQuota: (create: () => Promise<void>) => Promise<void>
}

/**
 * Finds the user by subject, else by address, else creates one with a username derived from the identity.
 * @throws AppError `bad_credentials` if Google has not verified the address, the address is reserved, or the account is
 * an administrator's with a password or, unless Google is linked, a passkey; `forbidden` for a banned account; for a
 * new account, `rate_limited` once the sign-up quotas are used up and `conflict` if no username is free.
 */
export async function findOrCreateGoogleUser(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  identity: OidcIdentity,
  signup: GoogleSignup,
  now: Millis,
): Promise<UserRow> {
  const existing = await findBySubject(db, identity.subject)
  if (existing) return requireGoogleAllowed(existing)
  if (!identity.emailVerified) throw googleLoginError()
  const emailKey = normalizeKey(identity.email)
  const [account] = await db
    .select({ id: users.id, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(and(eq(users.emailKey, emailKey), isNull(users.erasedAt)))
  if (account) await linkAccount({ db, secret }, account, identity, now)
  else
    await signup
      .withQuota(() => createAccount({ db, secret }, identity, emailKey, signup, now))
      .catch((error: unknown) => {
        // A concurrent sign-in created the account, or the address is reserved.
        if (!(error instanceof AppError && error.code === 'email_taken')) throw error
      })
  const user = await findBySubject(db, identity.subject)
  // The address is reserved, or the account was erased meanwhile or does not allow Google.
  if (!user) throw account ? passwordLoginError() : googleLoginError()
  if (!account) {
    const confirmed = { userId: user.id, email: user.email, mailboxKey: mailboxKey(user.email) }
    const statements = await emailConfirmedStatements({ db, secret }, confirmed, now)
    if (statements.length > 0) await db.$client.batch(statements)
  }
  return requireGoogleAllowed(user)
}

/** Returns the user. Rejects a banned account, and an administrator who has set a password since Google was linked. */
function requireGoogleAllowed(user: UserRow): UserRow {
  if (user.banned) throw bannedError()
  if (user.role === 'administrator' && user.hasPassword) throw passwordLoginError()
  return user
}

/**
 * The administrator whom this identity is linked to. Only a sign-in at the supporters' login links an identity.
 * @throws AppError `bad_credentials` for anyone else; `forbidden` for a banned account.
 */
export async function findGoogleAdministrator(db: Db, { subject }: OidcIdentity): Promise<UserRow> {
  const user = await findBySubject(db, subject)
  if (user?.role !== 'administrator') throw googleLoginError()
  return requireGoogleAllowed(user)
}

/** The administrator, if the account's sessions have not ended since the sign-in with Google (`epoch`). Else null. */
export async function findAdministrator(db: Db, userId: number, epoch: number): Promise<UserRow | null> {
  const user = await findUserWhere(db, and(eq(users.id, userId), eq(users.sessionEpoch, epoch)))
  // An erased account has lost its role.
  return user?.role === 'administrator' && !user.banned ? user : null
}

async function findBySubject(db: Db, subject: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select(userColumns)
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, PROVIDER), eq(identities.subject, subject), isNull(users.erasedAt)))
  return user
}

const insertIdentity = (db: Db, { subject }: OidcIdentity, userCondition: SQL, now: Millis) =>
  prepare(
    db,
    sql`INSERT INTO identities (provider, subject, user_id, created_at)
      SELECT ${PROVIDER}, ${subject}, id, ${now} FROM users WHERE ${userCondition} AND erased_at IS NULL ON CONFLICT DO NOTHING`,
  )

/**
 * Links Google to the account with this address. If the address was never confirmed, deletes all credentials and ends
 * all sessions, to prevent account pre-hijacking. Does not link to a confirmed administrator with a password or
 * passkey: reading that mailbox once would give lasting access to the dashboard.
 */
async function linkAccount(
  deps: Pick<Deps, 'db' | 'secret'>,
  { id, emailVerifiedAt }: { id: number; emailVerifiedAt: Millis | null },
  identity: OidcIdentity,
  now: Millis,
): Promise<void> {
  const { db } = deps
  const { email } = identity
  const user = { userId: id, email, mailboxKey: mailboxKey(email), isTakeover: true }
  const takeOver = db
    .update(users)
    .set({
      emailVerifiedAt: now,
      passwordHash: null,
      phoneHash: null,
      phoneLast2: null,
      sessionEpoch: sql`session_epoch + 1`,
    })
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt), isNull(users.erasedAt)))
  await db.$client.batch([
    ...(emailVerifiedAt === null
      ? [
          ...deleteCredentials(db, id, sql`email_verified_at IS NULL`),
          disqualifyTakenOverReferral(db, id, sql`true`, now),
          prepare(db, takeOver.getSQL()),
          prepare(db, sql`DELETE FROM mail_tokens WHERE user_id = ${id}`),
          ...(await emailConfirmedStatements(deps, user, now)),
        ]
      : []),
    insertIdentity(db, identity, sql`id = ${id} AND NOT (role = 'administrator' AND ${hasPasswordOrPasskey})`, now),
  ])
}

async function createAccount(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  identity: OidcIdentity,
  emailKey: string,
  { referralCode, browserUserIds, ageWording }: GoogleSignup,
  now: Millis,
): Promise<void> {
  const { siteName, referrerId, isTaken } = await db.get<{
    siteName: string
    referrerId: number | null
    isTaken: number
  }>(sql`
    SELECT coalesce((SELECT name FROM site), '') AS siteName, ${isAddressTaken(emailKey, now)} AS isTaken,
      (SELECT id FROM users
        WHERE referral_code = ${normalizeReferralCode(referralCode)} AND banned_at IS NULL AND erased_at IS NULL) AS referrerId`)
  // The address is free but reserved: an account that had it can restore it with an undo link.
  if (isTaken) throw emailTakenError()
  const signupIdentity = { mailboxKey: mailboxKey(identity.email), phoneHash: null }
  const referredBy = eligibleReferrer({
    ...signupIdentity,
    referrerId,
    browserUserIds,
    identityHashes: await identityHashes(secret, 'referral', signupIdentity),
  })
  for (const username of usernameCandidates(identity, siteName)) {
    const key = usernameKey(username)
    const isUsernameTaken = await db.$client
      .batch([
        prepare(
          db,
          sql`INSERT INTO users (username, username_key, email, email_key, email_verified_at, mailbox_key, referred_by,
              created_at, last_active_at, age_wording, age_confirmed_at)
            SELECT ${username}, ${key}, ${identity.email}, ${emailKey}, ${now}, ${signupIdentity.mailboxKey}, ${referredBy},
              ${now}, ${now}, ${ageWording}, ${ageWording && now}`,
        ),
        assignReferralCode(db, key),
        awardReferralSignup(db, key, now),
        insertIdentity(db, identity, eq(users.usernameKey, key), now),
        awardReferrer(db, { usernameKey: key }, now),
      ])
      .then(
        () => false,
        (error: Error) => {
          if (error.message.includes('users.username_key')) return true
          if (error.message.includes('users.email_key')) throw emailTakenError()
          throw error
        },
      )
    if (!isUsernameTaken) return
  }
  throw new AppError('conflict', 'We could not find a free username for you. Please sign up with your email instead.')
}

/** The name, the local part of the email address and `supporter`, if valid; then the first with random numbers. */
function usernameCandidates({ name, email }: OidcIdentity, siteName: string): string[] {
  const toUsername = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]/g, '')
      .slice(0, 24)
  const bases = [toUsername(name.replace(/\s+/g, '.')), toUsername(email.split('@')[0] ?? ''), 'supporter'].filter(
    (base) => base.length >= 3 && /[A-Za-z0-9]/.test(base),
  )
  const numbered = Array.from({ length: 8 }, () => `${bases[0]}${crypto.getRandomValues(new Uint16Array(1))[0]}`)
  return [...bases, ...numbered].filter((username) => !isReservedUsername(username, siteName))
}
