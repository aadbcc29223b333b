import { sign } from '../lib/crypto'

/** What recognizes an erased user in an archive: ids are never reused. */
export const erasureKey = (secret: string, userId: number): Promise<string> => sign(secret, 'erased', String(userId))
