import { openDb } from '../db/client'
import { repeatAddressErasures, repeatErasures } from './erasures'
import { endRestore, type RestoreResult, restoreArchive } from './restore'
import type { ArchiveSource } from './verify'

type Stores = { d1: D1Database; files: R2Bucket; sessions: KVNamespace; secret: string }

/**
 * Restores an archive, repeats the erasures made after it, and ends every session. After an interruption at any point
 * it can be repeated. @throws ArchiveError.
 */
export async function restoreSite(
  { d1, files, sessions, secret }: Stores,
  source: ArchiveSource,
  log: (line: string) => void,
): Promise<RestoreResult & { erased: number; notErased: number; erasedAddresses: number }> {
  const result = await restoreArchive({ d1, files, secret }, source, log)
  const at = Date.now()
  const deps = { db: openDb(d1), files, secret }
  const times = { archivedAt: result.createdAt, at }
  const { erased, notErased } = await repeatErasures(deps, times)
  const erasedAddresses = await repeatAddressErasures(deps, times)
  // Sessions that ended after the archive was created would be active again.
  for (;;) {
    const { keys } = await sessions.list()
    if (keys.length === 0) break
    for (const { name } of keys) await sessions.delete(name)
  }
  await endRestore(d1)
  return { ...result, erased, notErased, erasedAddresses }
}
