import { sign } from '../lib/signature'

/**
 * What is kept of somebody who had the free week and is gone: keyed hashes of their mailbox and their phone's hash, which
 * lead back to nobody. As a JSON array, for SQL.
 */
export async function trialHashes(
  secret: string,
  { mailboxKey, phoneHash }: { mailboxKey: string | null; phoneHash: string | null },
): Promise<string> {
  const known = [mailboxKey && `mailbox:${mailboxKey}`, phoneHash && `phone:${phoneHash}`].filter((it) => it !== null)
  return JSON.stringify(await Promise.all(known.map((it) => sign(secret, 'trial', it))))
}
