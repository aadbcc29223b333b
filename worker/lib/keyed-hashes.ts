import { sign } from './crypto'

/** Keyed hash of a suppressed address. */
export const suppressionHash = (secret: string, emailKey: string): Promise<string> =>
  sign(secret, 'suppressed', emailKey)

/** Keyed hash of an erased user's id, by which a restore of an archive erases the user again. */
export const erasureKey = (secret: string, userId: number): Promise<string> => sign(secret, 'erased', String(userId))

/** Values that identify a user across accounts. */
export type IdentityKeys = { mailboxKey: string | null; phoneHash: string | null }

/**
 * Keyed hashes that outlive an erased account, so that a new account of the same user gets no second trial or referral
 * bonus. Hashes of different purposes differ. Returns a JSON array, for SQL.
 */
export async function identityHashes(
  secret: string,
  purpose: 'trial' | 'referral',
  { mailboxKey, phoneHash }: IdentityKeys,
): Promise<string> {
  const keys = [mailboxKey && `mailbox:${mailboxKey}`, phoneHash && `phone:${phoneHash}`].filter((key) => key !== null)
  return JSON.stringify(await Promise.all(keys.map((key) => sign(secret, purpose, key))))
}
