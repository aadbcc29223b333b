import { type IdentityKeys, identityHashes } from '../lib/keyed-hashes'

/** What is kept of somebody who had the free week and is gone. As a JSON array, for SQL. */
export const trialHashes = (secret: string, mailbox: IdentityKeys): Promise<string> =>
  identityHashes(secret, 'trial', mailbox)
