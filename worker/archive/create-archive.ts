import { eq } from 'drizzle-orm'
import { openDb } from '../db/client'
import { continueArchive, startArchive } from './archives'
import { archives } from './archives.table'
import { archiveKey } from './steps'

/**
 * Creates an archive in this process, for the command line. It is stored in R2 like those of the dashboard.
 * @throws Error if the archive failed.
 */
export async function createArchive(
  { d1, files, secret }: { d1: D1Database; files: R2Bucket; secret: string },
  passphrase?: string,
): Promise<{ key: string; rows: number; files: number }> {
  const db = openDb(d1)
  const id = await startArchive(db, { actorId: null, passphrase, at: Date.now() })
  await continueArchive({ db, files, secret }, id)
  const [row] = await db.select().from(archives).where(eq(archives.id, id))
  if (row?.state !== 'ready') throw new Error('The archive could not be created. Run the command again.')
  return { key: archiveKey(row), rows: row.rows ?? 0, files: row.files ?? 0 }
}
