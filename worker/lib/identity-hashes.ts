import { sign } from './signature'

/** By which somebody is known again: see `mailboxKey` and `keepPhone`. */
export type IdentityKeys = { mailboxKey: string | null; phoneHash: string | null }

/**
 * What is kept of somebody who is gone, so that what is once a person stays so: keyed hashes of their mailbox and of
 * their phone's hash, which lead back to nobody and differ from `purpose` to `purpose`. As a JSON array, for SQL.
 */
export async function identityHashes(
  secret: string,
  purpose: 'trial' | 'referral',
  { mailboxKey, phoneHash }: IdentityKeys,
): Promise<string> {
  const keys = [mailboxKey && `mailbox:${mailboxKey}`, phoneHash && `phone:${phoneHash}`].filter((key) => key !== null)
  return JSON.stringify(await Promise.all(keys.map((it) => sign(secret, purpose, it))))
}
