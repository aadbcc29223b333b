import { sha256, sign } from '../lib/crypto'

/** The secret of an order's page, which stands in the receipt's link: derived, so that it is stored nowhere. */
export const receiptToken = (secret: string, orderId: string): Promise<string> => sign(secret, 'order-receipt', orderId)

/** The page of an order, as a path of this site. */
export const receiptPath = async (secret: string, orderId: string): Promise<string> =>
  `/orders/${encodeURIComponent(orderId)}?token=${await receiptToken(secret, orderId)}`

/** Whether `given` opens the order: the secret of its link, or the payment's client secret. */
export async function verifyOrderSecret(
  secret: string,
  { id, clientSecretHash }: { id: string; clientSecretHash: string | null },
  candidate: string,
): Promise<boolean> {
  // Compared as hashes: how far two texts agree cannot be told from how long it takes.
  const hash = await sha256(candidate)
  return hash === clientSecretHash || hash === (await sha256(await receiptToken(secret, id)))
}
