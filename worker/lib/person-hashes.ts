import { sign } from './signature'

/** By which somebody is known again: see `mailboxKey` and `keepPhone`. */
export type Mailbox = { mailboxKey: string | null; phoneHash: string | null }

/**
 * What is kept of somebody who is gone, so that what is once a person stays so: keyed hashes of their mailbox and of
 * their phone's hash, which lead back to nobody and differ from `purpose` to `purpose`. As a JSON array, for SQL.
 */
export async function personHashes(
  secret: string,
  purpose: 'trial' | 'referral',
  { mailboxKey, phoneHash }: Mailbox,
): Promise<string> {
  const known = [mailboxKey && `mailbox:${mailboxKey}`, phoneHash && `phone:${phoneHash}`].filter((it) => it !== null)
  return JSON.stringify(await Promise.all(known.map((it) => sign(secret, purpose, it))))
}
