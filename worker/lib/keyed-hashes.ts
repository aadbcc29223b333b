import { sign } from './crypto'

/** Keyed hash of a suppressed address. */
export const suppressionHash = (secret: string, emailKey: string): Promise<string> =>
  sign(secret, 'suppressed', emailKey)

/** Values that identify a person across accounts. */
export type IdentityKeys = { mailboxKey: string | null; phoneHash: string | null }

/**
 * Keyed hashes that outlive an erased account, so that a person gets one trial and counts as one referral. Hashes of
 * different purposes differ. Returns a JSON array, for SQL.
 */
export async function identityHashes(
  secret: string,
  purpose: 'trial' | 'referral',
  { mailboxKey, phoneHash }: IdentityKeys,
): Promise<string> {
  const keys = [mailboxKey && `mailbox:${mailboxKey}`, phoneHash && `phone:${phoneHash}`].filter((key) => key !== null)
  return JSON.stringify(await Promise.all(keys.map((key) => sign(secret, purpose, key))))
}
