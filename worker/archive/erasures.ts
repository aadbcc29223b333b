import { isNull, lte } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import type { BatchResult } from '../db/batch-delete'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { eraseUser } from '../gdpr/erase-user'
import { recentErasures } from '../gdpr/recent-erasures.table'
import { ADDRESS_PREFIX, eraseRestoredAddress, listVisitorAddresses } from '../gdpr/restored-erasures'
import { DAY_MS, type Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { erasureKey, suppressionHash } from '../lib/keyed-hashes'

/** R2 prefix of erasure keys. They are in the bucket because the database may be lost; `archives/` is not archived. */
const PREFIX = 'archives/erasures/'
const COPIES_PER_RUN = 100
/** Longer than archives are stored: one may be downloaded on its last day and restored weeks later. */
const RETENTION_MS: Millis = (RETENTION.archiveDays + 60) * DAY_MS

/** Frequent job: copies the keys of erased users to R2. */
export async function copyErasures({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<void> {
  const rows = await db.select().from(recentErasures).where(isNull(recentErasures.copiedAt)).limit(COPIES_PER_RUN)
  for (const { key, erasedAt } of rows) await files.put(`${PREFIX}${key}`, String(erasedAt))
  if (rows.length > 0)
    await db.$client
      .prepare('UPDATE recent_erasures SET copied_at = ?2 WHERE key IN (SELECT value FROM json_each(?1))')
      .bind(JSON.stringify(rows.map(({ key }) => key)), at)
      .run()
}

/** Daily job: deletes erasure keys older than every archive. */
export async function deleteOldErasures({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<BatchResult> {
  const isOld = lte(recentErasures.erasedAt, at - RETENTION_MS)
  const rows = await db.select({ key: recentErasures.key }).from(recentErasures).where(isOld).limit(COPIES_PER_RUN)
  if (rows.length === 0) return { affected: 0, more: false }
  const keys = rows.map(({ key }) => key)
  await files.delete(keys.map((key) => `${PREFIX}${key}`))
  await db.$client
    .prepare('DELETE FROM recent_erasures WHERE key IN (SELECT value FROM json_each(?1))')
    .bind(JSON.stringify(keys))
    .run()
  return { affected: keys.length, more: keys.length === COPIES_PER_RUN }
}

async function listKeys(files: R2Bucket): Promise<Set<string>> {
  const keys = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page = await files.list({ prefix: PREFIX, cursor })
    for (const { key } of page.objects) keys.add(key.slice(PREFIX.length))
    if (!page.truncated) return keys
    cursor = page.cursor
  }
}

/** Erases restored users who were erased after the archive was made. Returns how many. */
export async function repeatErasures(
  { db, files, secret }: { db: Db; files: R2Bucket; secret: string },
  at: Millis,
): Promise<number> {
  const keys = await listKeys(files)
  if (keys.size === 0) return 0
  let erased = 0
  for (let after = 0; ; ) {
    const { results } = await db.$client
      .prepare('SELECT id FROM users WHERE id > ?1 AND erased_at IS NULL ORDER BY id LIMIT 1000')
      .bind(after)
      .all<{ id: number }>()
    for (const { id } of results)
      if (
        keys.has(await erasureKey(secret, id)) &&
        (await eraseUser({ db, secret }, { userId: id, byUserRequest: false }, at))
      )
        erased += 1
    const last = results.at(-1)
    if (!last) return erased
    after = last.id
  }
}

/**
 * Erases addresses without an account that were erased after the archive was made from the restored rows, and
 * suppresses them. Addresses erased before the archive are left alone: their owners may have returned since. Runs after
 * `repeatErasures`. Returns how many addresses were erased from rows.
 */
export async function repeatAddressErasures(
  { db, files, secret }: { db: Db; files: R2Bucket; secret: string },
  { archivedAt, at }: { archivedAt: Millis; at: Millis },
): Promise<number> {
  const hashes = new Set<string>()
  for (const key of await listKeys(files)) {
    if (!key.startsWith(ADDRESS_PREFIX)) continue
    const erasedAt = Number(await (await files.get(PREFIX + key))?.text())
    if (erasedAt >= archivedAt) hashes.add(key.slice(ADDRESS_PREFIX.length))
  }
  if (hashes.size === 0) return 0
  await db.$client
    .prepare(
      'INSERT INTO suppressions (hash, created_at) SELECT value, ?2 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING',
    )
    .bind(JSON.stringify([...hashes]), at)
    .run()
  let erased = 0
  for (const [emailKey, spellings] of Map.groupBy(await listVisitorAddresses(db), normalizeKey)) {
    const suppressedHash = await suppressionHash(secret, emailKey)
    if (!hashes.has(suppressedHash)) continue
    if (await eraseRestoredAddress({ db, secret }, { emailKey, spellings, suppressedHash, at })) erased += 1
  }
  return erased
}
