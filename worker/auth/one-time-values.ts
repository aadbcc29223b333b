import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { usedOneTimeValues } from './auth.table'

/** Records the use of a passkey challenge or another signed value that works once. @returns whether it was unused. */
export async function consumeOneTimeValue(
  db: Db,
  { value, expiresAt }: { value: string; expiresAt: Millis },
): Promise<boolean> {
  const insertedRows = await db
    .insert(usedOneTimeValues)
    .values({ challenge: await sha256(value), expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: usedOneTimeValues.challenge })
  return insertedRows.length > 0
}
