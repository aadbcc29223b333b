import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { NewPasskey, Passkey, PasskeyAssertion } from '../contract/passkeys'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { enqueueNotice } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { base64url, fromBase64url, sign } from '../lib/crypto'
import { readSiteName } from '../site/site'
import { users } from '../users/users.table'
import { type Caller, findUserWhere, type UserRow } from './current-user'
import { passkeyAddedEmail, passkeyRemovedEmail } from './emails'
import { consumeOneTimeValue } from './one-time-values'
import { passkeys } from './passkeys.table'
import { bannedError, hasEpochOf, signedOutError } from './sessions'

/** Loaded on first use, because the library would slow every cold start. */
const loadWebauthn = () => import('@simplewebauthn/server')

export const PASSKEY_CHALLENGE_TTL_MS: Millis = 5 * MINUTE_MS
const MAX_PASSKEYS_PER_ACCOUNT = 10

type PasskeyDeps = Pick<Deps, 'db' | 'secret' | 'origin'>
/** A challenge that was issued to this browser. */
export type PasskeyChallenge = { value: string; expiresAt: Millis }

const rpIdOf = (origin: string) => new URL(origin).hostname
const passkeyColumns = {
  id: passkeys.id,
  name: passkeys.name,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
}
const toPasskey = ({
  createdAt,
  lastUsedAt,
  ...passkey
}: Pick<typeof passkeys.$inferSelect, keyof typeof passkeyColumns>) => ({
  ...passkey,
  createdAt: toIso(createdAt),
  lastUsedAt: toIso(lastUsedAt),
})

/** The account's passkeys, newest first. */
export async function listPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  const rows = await db
    .select(passkeyColumns)
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), passkeys.id)
  return rows.map(toPasskey)
}

/** WebAuthn options for a new passkey, which must verify its user and be usable without a username. */
export async function createRegistrationOptions(
  { db, secret, origin }: PasskeyDeps,
  { userId, username }: Pick<Caller, 'userId' | 'username'>,
) {
  const [existing, siteName] = await Promise.all([
    db.select({ id: passkeys.id, transports: passkeys.transports }).from(passkeys).where(eq(passkeys.userId, userId)),
    readSiteName(db),
  ])
  const { generateRegistrationOptions } = await loadWebauthn()
  return generateRegistrationOptions({
    rpID: rpIdOf(origin),
    rpName: siteName,
    userName: username,
    // Authenticators store this id in plain text, so it must not identify the user to others.
    userID: fromBase64url(await sign(secret, 'passkey-user', String(userId))),
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({
      id,
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** WebAuthn options for the use of a passkey, of any account of this site. */
export async function createAuthenticationOptions({ origin }: Pick<Deps, 'origin'>) {
  const { generateAuthenticationOptions } = await loadWebauthn()
  return generateAuthenticationOptions({ rpID: rpIdOf(origin), userVerification: 'required' })
}

/**
 * Verifies and stores a new passkey and notifies the owner.
 * @throws AppError `bad_credentials` or `bad_input` for an invalid passkey; `bad_token` for a missing, used or expired
 * challenge; `conflict` for a passkey in use or an account with the maximum number; `signed_out` for an ended session.
 */
export async function addPasskey(
  { db, origin }: PasskeyDeps,
  caller: Pick<Caller, 'userId' | 'username' | 'email' | 'emailVerified' | 'session'>,
  { name, passkey, challenge }: { name: string; passkey: NewPasskey; challenge: PasskeyChallenge | null },
  now: Millis,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await loadWebauthn()
  const expectedChallenge = await consumeChallenge(db, challenge, now)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: passkey as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }).catch(rejectPasskey)
  if (!registrationInfo) throw invalidPasskeyError()
  const { id, publicKey, counter } = registrationInfo.credential
  const row = { id, name, createdAt: now, lastUsedAt: null }
  const transports = JSON.stringify(passkey.response.transports ?? [])
  const [added] = await db.$client.batch([
    prepare(
      db,
      sql`INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
        SELECT ${id}, ${caller.userId}, ${base64url(publicKey)}, ${counter}, ${transports}, ${name}, ${now}
        WHERE (SELECT count(*) FROM passkeys WHERE user_id = ${caller.userId}) < ${MAX_PASSKEYS_PER_ACCOUNT}
          AND EXISTS (SELECT 1 FROM users WHERE id = ${caller.userId} AND ${hasEpochOf(caller)})
        ON CONFLICT DO NOTHING RETURNING id`,
    ),
    recordAuditIfChanged(db, { actorId: caller.userId, action: 'passkey.added', at: now }),
    ...(await noticeStatements({ db, origin }, caller, passkeyAddedEmail, now)),
  ])
  if (!added?.results.length) {
    if (!(await db.$count(users, and(eq(users.id, caller.userId), hasEpochOf(caller))))) throw signedOutError(null)
    throw new AppError(
      'conflict',
      `This passkey is already in use, or the account already has ${MAX_PASSKEYS_PER_ACCOUNT}.`,
    )
  }
  return toPasskey(row)
}

/** @throws AppError `not_found`. */
export async function renamePasskey(db: Db, userId: number, id: string, name: string): Promise<Passkey> {
  const [row] = await db.update(passkeys).set({ name }).where(isOwn(userId, id)).returning(passkeyColumns)
  if (!row) throw passkeyNotFoundError()
  return toPasskey(row)
}

/** Removes a passkey and notifies the owner. @throws AppError `not_found`. */
export async function removePasskey(
  { db, origin }: PasskeyDeps,
  caller: Pick<Caller, 'userId' | 'username' | 'email' | 'emailVerified'>,
  id: string,
  now: Millis,
): Promise<void> {
  const [removed] = await db.$client.batch([
    prepare(db, db.delete(passkeys).where(isOwn(caller.userId, id)).returning({ id: passkeys.id }).getSQL()),
    recordAuditIfChanged(db, { actorId: caller.userId, action: 'passkey.removed', at: now }),
    ...(await noticeStatements({ db, origin }, caller, passkeyRemovedEmail, now)),
  ])
  if (!removed?.results.length) throw passkeyNotFoundError()
}

/**
 * Checks the use of a passkey with user verification, and returns its owner.
 * @param userId the account that must own the passkey; null to log in.
 * @throws AppError `bad_token` for a missing, used or expired challenge; `bad_credentials` for an unknown passkey, a
 * wrong signature or a repeated counter; `forbidden` for a banned account.
 */
export async function verifyPasskey(
  { db, secret, origin }: PasskeyDeps,
  {
    passkey,
    challenge,
    userId,
  }: { passkey: PasskeyAssertion; challenge: PasskeyChallenge | null; userId: number | null },
  now: Millis,
): Promise<UserRow> {
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const expectedChallenge = await consumeChallenge(db, challenge, now)
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, passkey.id))
  const user = row && (await findUserWhere(db, and(eq(users.id, row.userId), isNull(users.erasedAt))))
  if (!row || !user || (userId !== null && row.userId !== userId)) throw wrongPasskeyError()
  const { userHandle } = passkey.response
  if (userHandle !== undefined && userHandle !== (await sign(secret, 'passkey-user', String(row.userId))))
    throw wrongPasskeyError()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: passkey as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    credential: { id: row.id, publicKey: fromBase64url(row.publicKey), counter: row.counter },
    requireUserVerification: true,
  }).catch(rejectPasskey)
  if (!verified) throw wrongPasskeyError()
  if (user.banned) throw bannedError()
  // Of two concurrent uses with the same counter the second fails: the passkey may have been cloned.
  const [used] = await db.$client.batch([
    prepare(
      db,
      db
        .update(passkeys)
        .set({ counter: authenticationInfo.newCounter, lastUsedAt: now })
        .where(and(eq(passkeys.id, row.id), eq(passkeys.counter, row.counter)))
        .returning({ id: passkeys.id })
        .getSQL(),
    ),
    prepare(db, sql`UPDATE users SET last_active_at = max(last_active_at, ${now}) WHERE id = ${user.id}`),
  ])
  if (!used?.results.length) throw wrongPasskeyError()
  return user
}

const isOwn = (userId: number, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** Marks the challenge as used. @throws AppError `bad_token` if there is none, it has expired or was used before. */
async function consumeChallenge(db: Db, challenge: PasskeyChallenge | null, now: Millis): Promise<string> {
  if (!challenge || challenge.expiresAt <= now) throw expiredChallengeError()
  if (!(await consumeOneTimeValue(db, challenge))) throw expiredChallengeError()
  return challenge.value
}

/** Statements that enqueue a security notice; none without a confirmed address. */
async function noticeStatements(
  { db, origin }: Pick<Deps, 'db' | 'origin'>,
  { userId, username, email, emailVerified }: Pick<Caller, 'userId' | 'username' | 'email' | 'emailVerified'>,
  render: typeof passkeyAddedEmail,
  now: Millis,
): Promise<D1PreparedStatement[]> {
  if (!emailVerified || email === '') return []
  const siteName = await readSiteName(db)
  const notice = render({ siteName, origin, username })
  // `ifChanged` checks the statement before it in the batch: the audit entry, written only if the passkey changed.
  return [enqueueNotice(db, userId, { to: email, email: notice, at: now, ifChanged: true })]
}

const wrongPasskeyError = () =>
  new AppError('bad_credentials', 'That passkey does not work here. Please use another passkey or your password.')
const invalidPasskeyError = () => new AppError('bad_input', 'That passkey could not be checked. Please try again.')
const passkeyNotFoundError = () => new AppError('not_found', 'That passkey no longer exists.')
const expiredChallengeError = () =>
  new AppError('bad_token', 'That took too long or was interrupted. Please try again.')

/** Hides the library's message, which names the check that failed. */
function rejectPasskey(cause: unknown): never {
  throw new AppError('bad_credentials', 'That passkey could not be checked. Please try again.', { cause })
}
