import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { awardReferrer, referralHashes } from '../users/referrals'
import { users } from '../users/users.table'
import { emailTokens } from './auth.table'
import { emailConfirmedStatements } from './email-confirmed'
import { findTokenOwner, invalidLinkError, markTokensUsed } from './email-links'
import { verifyCredentials } from './login'

/** The caller who opened an emailed link: a logged-in user, or a visitor with the account's password. */
export type LinkCaller = {
  userId: number | null
  password: string | undefined
  network: string
  findKnownDevice: (userId: number) => Promise<string | null>
}

/**
 * Confirms an address and rewards the referrer. Requires the account's session or password besides the link, because a
 * stranger may have created the account with this address. Succeeds again for a confirmed address.
 * @throws AppError `bad_token`; `password_required`; `bad_credentials` and `rate_limited` as `verifyCredentials`.
 */
export async function verifyEmail(
  deps: Pick<Deps, 'db' | 'secret'>,
  token: string,
  caller: LinkCaller,
  now: Millis,
): Promise<void> {
  const { db } = deps
  const hash = await sha256(token)
  const owner = await findTokenOwner(db, hash, 'verify', now)
  if (!owner || (owner.isUsed && !owner.isVerified)) throw invalidLinkError()
  await requireAccountHolder(deps, owner, caller, now)
  const verify = db
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, owner.userId), isNull(users.emailVerifiedAt), isNull(users.erasedAt)))
  const isConfirmed = and(eq(users.id, owner.userId), isNotNull(users.emailVerifiedAt), isNull(users.erasedAt))
  const results = await db.$client.batch([
    prepare(db, verify.getSQL()),
    awardReferrer(db, { id: owner.userId }, now, await referralHashes(deps, owner)),
    ...(await emailConfirmedStatements(deps, owner, now)),
    markTokensUsed(db, eq(emailTokens.hash, hash), now),
    prepare(db, db.select({ id: users.id }).from(users).where(isConfirmed).getSQL()),
  ])
  // The mailbox's owner may have erased the account meanwhile.
  if (!results.at(-1)?.results.length) throw invalidLinkError()
}

/** Requires a session of this account, or its password. @throws AppError as `verifyEmail`. */
export async function requireAccountHolder(
  deps: Pick<Deps, 'db' | 'secret'>,
  account: { userId: number; username: string },
  { userId, password, network, findKnownDevice }: LinkCaller,
  now: Millis,
): Promise<void> {
  if (userId === account.userId) return
  if (password === undefined)
    throw new AppError('password_required', 'Please enter the password of the account that this link belongs to.')
  await verifyCredentials(deps, { name: account.username, password, network, findKnownDevice }, now)
}

/**
 * The id of a verification link's user, while the address is unconfirmed. The mailbox's owner may erase this account.
 * @throws AppError `bad_token`, also once the address is confirmed.
 */
export async function findUnconfirmedUserId({ db }: Pick<Deps, 'db'>, token: string, now: Millis): Promise<number> {
  const owner = await findTokenOwner(db, await sha256(token), 'verify', now)
  if (!owner || owner.isUsed || owner.isVerified) throw invalidLinkError()
  return owner.userId
}
