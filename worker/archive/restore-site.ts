import { openDb } from '../db/client'
import { repeatErasures } from './erasures'
import { type RestoreResult, restoreArchive } from './restore'
import type { ArchiveSource } from './verify'

type Stores = { d1: D1Database; files: R2Bucket; sessions: KVNamespace; secret: string }

/** Restores an archive, repeats the erasures since, and ends every session. @throws ArchiveError. */
export async function restoreSite(
  { d1, files, sessions, secret }: Stores,
  source: ArchiveSource,
  log: (line: string) => void,
): Promise<RestoreResult & { erased: number }> {
  const result = await restoreArchive({ d1, files, secret }, source, log)
  const erased = await repeatErasures({ db: openDb(d1), files, secret }, Date.now())
  // Log-outs since the archive are not in it.
  for (;;) {
    const { keys } = await sessions.list()
    if (keys.length === 0) break
    for (const { name } of keys) await sessions.delete(name)
  }
  return { ...result, erased }
}
