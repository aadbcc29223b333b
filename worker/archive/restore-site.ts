import { openDb } from '../db/client'
import { repeatAddressErasures, repeatErasures } from './erasures'
import { type RestoreResult, restoreArchive } from './restore'
import type { ArchiveSource } from './verify'

type Stores = { d1: D1Database; files: R2Bucket; sessions: KVNamespace; secret: string }

/** Restores an archive, repeats the erasures made after it, and ends every session. @throws ArchiveError. */
export async function restoreSite(
  { d1, files, sessions, secret }: Stores,
  source: ArchiveSource,
  log: (line: string) => void,
): Promise<RestoreResult & { erased: number; erasedAddresses: number }> {
  const result = await restoreArchive({ d1, files, secret }, source, log)
  const at = Date.now()
  const deps = { db: openDb(d1), files, secret }
  const erased = await repeatErasures(deps, at)
  const erasedAddresses = await repeatAddressErasures(deps, { archivedAt: result.createdAt, at })
  // Sessions that ended after the archive was created would be active again.
  for (;;) {
    const { keys } = await sessions.list()
    if (keys.length === 0) break
    for (const { name } of keys) await sessions.delete(name)
  }
  return { ...result, erased, erasedAddresses }
}
