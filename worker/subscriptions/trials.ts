import { type Mailbox, personHashes } from '../lib/person-hashes'

/** What is kept of somebody who had the free week and is gone. As a JSON array, for SQL. */
export const trialHashes = (secret: string, person: Mailbox): Promise<string> => personHashes(secret, 'trial', person)
