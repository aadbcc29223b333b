import { sign } from '../lib/crypto'

/** Keyed hash that identifies an erased user in an archive. Ids are never reused. */
export const erasureKey = (secret: string, userId: number): Promise<string> => sign(secret, 'erased', String(userId))
