import { sign } from './signature'

/** What is kept of an address that must not be written to: a keyed hash, which leads back to nobody. */
export const suppressionHash = (secret: string, emailKey: string): Promise<string> =>
  sign(secret, 'suppressed', emailKey)
