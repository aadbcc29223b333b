import { fromBase64url, sign } from '../lib/crypto'

/**
 * Pseudonym of a ballot: a keyed hash of mailbox and challenge, so that a mailbox has one per challenge. 32 hex digits,
 * because a spreadsheet reads a cell that starts with the `-` of base64url as a formula.
 */
export async function voterPseudonym(secret: string, challengeId: string, mailbox: string): Promise<string> {
  return toHex(await sign(secret, 'ballot', `${challengeId}\n${mailbox}`)).slice(0, 32)
}

/** Keyed hash of a ballot's network or device, specific to the challenge. */
export const ballotFingerprint = (secret: string, challengeId: string, kind: 'network' | 'device', value: string) =>
  sign(secret, 'ballot-mark', `${challengeId}\n${kind}\n${value}`)

/** Identifies the secret that keys a challenge's pseudonyms. */
export const secretFingerprint = (secret: string, challengeId: string) => sign(secret, 'ballot-key', challengeId)

/** Whether the first ballot was keyed with another secret, so that voters can no longer be recognized. */
export const isRekeyed = async (secret: string, { id, keyedBy }: { id: string; keyedBy: string | null }) =>
  keyedBy !== null && keyedBy !== (await secretFingerprint(secret, id))

const toHex = (text: string) => [...fromBase64url(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
