import { fromBase64url, sign } from '../lib/crypto'

/**
 * By what a ballot is known: a keyed hash of the voter's mailbox and the challenge, 32 hex digits. One mailbox has one,
 * under however many aliases or accounts, one after the other too; without the secret it leads back to nobody, and
 * not from one challenge to the next. Hex, because a cell that begins with - is a formula to a spreadsheet.
 */
export async function voterPseudonym(secret: string, challengeId: string, mailbox: string): Promise<string> {
  return toHex(await sign(secret, 'ballot', `${challengeId}\n${mailbox}`)).slice(0, 32)
}

/** Where a ballot came from, told apart within this challenge alone. */
export const ballotFingerprint = (secret: string, challengeId: string, what: 'network' | 'device', value: string) =>
  sign(secret, 'ballot-mark', `${challengeId}\n${what}\n${value}`)

/** Tells whether the pseudonyms of a challenge are made with this secret. */
export const secretFingerprint = (secret: string, challengeId: string) => sign(secret, 'ballot-key', challengeId)

/** Whether the first ballot was cast under another secret: then nobody is told from who has voted any more. */
export const isRekeyed = async (secret: string, { id, keyedBy }: { id: string; keyedBy: string | null }) =>
  keyedBy !== null && keyedBy !== (await secretFingerprint(secret, id))

const toHex = (text: string) => [...fromBase64url(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
