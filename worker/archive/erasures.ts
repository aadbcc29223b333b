import { isNull, lte } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import type { BatchResult } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { eraseUser } from '../gdpr/erase-user'
import { recentErasures } from '../gdpr/recent-erasures.table'
import { ADDRESS_PREFIX, eraseRestoredAddress, listStoredAddresses } from '../gdpr/restored-erasures'
import { DAY_MS, type Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { erasureKey, suppressionHash } from '../lib/keyed-hashes'

/**
 * R2 prefix of erasure keys: keyed hashes of erased users and addresses, which must survive the loss of the database.
 * Archives do not contain `archives/`.
 */
const PREFIX = 'archives/erasures/'
const COPIES_PER_RUN = 100
/** Longer than archives are stored: one may be downloaded on its last day and restored weeks later. */
const RETENTION_MS: Millis = (RETENTION.archiveDays + 60) * DAY_MS

/** Five-minute job: copies the keys of erased users and addresses to R2. */
export async function copyErasures({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<void> {
  const rows = await db.select().from(recentErasures).where(isNull(recentErasures.copiedAt)).limit(COPIES_PER_RUN)
  for (const { key, erasedAt } of rows) await files.put(`${PREFIX}${key}`, String(erasedAt))
  if (rows.length > 0)
    await db.$client
      .prepare('UPDATE recent_erasures SET copied_at = ?2 WHERE key IN (SELECT value FROM json_each(?1))')
      .bind(JSON.stringify(rows.map(({ key }) => key)), at)
      .run()
}

/**
 * Daily job: deletes erasure keys that are older than every archive. For those in R2 the upload time decides, because a
 * restored database does not list them.
 */
export async function deleteOldErasures({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<BatchResult> {
  const before = at - RETENTION_MS
  await db.delete(recentErasures).where(lte(recentErasures.erasedAt, before))
  let affected = 0
  for await (const page of listPages(files)) {
    const oldKeys = page.filter(({ uploaded }) => uploaded.getTime() <= before).map(({ key }) => key)
    if (oldKeys.length > 0) await files.delete(oldKeys)
    affected += oldKeys.length
  }
  return { affected, more: false }
}

async function* listPages(files: R2Bucket): AsyncGenerator<R2Object[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await files.list({ prefix: PREFIX, cursor })
    yield page.objects
    if (!page.truncated) return
    cursor = page.cursor
  }
}

async function listErasureKeys(files: R2Bucket): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const page of listPages(files)) for (const { key } of page) keys.add(key.slice(PREFIX.length))
  return keys
}

/** When the user or address of a key was erased. @throws Error if the object has no time. */
async function readErasedAt(files: R2Bucket, key: string): Promise<Millis> {
  const object = await files.get(PREFIX + key)
  const erasedAt = Number.parseInt((await object?.text()) ?? '', 10)
  if (Number.isNaN(erasedAt))
    throw new Error(`The file ${PREFIX + key} must contain the time of an erasure in milliseconds.`)
  return erasedAt
}

/**
 * Erases restored users who were erased after the archive was made; `notErased` counts those who cannot be erased,
 * because they are the last owner. Older keys are ignored: a restore may have given the id to another user.
 */
export async function repeatErasures(
  { db, files, secret }: { db: Db; files: R2Bucket; secret: string },
  { archivedAt, at }: { archivedAt: Millis; at: Millis },
): Promise<{ erased: number; notErased: number }> {
  const keys = await listErasureKeys(files)
  const counts = { erased: 0, notErased: 0 }
  if (keys.size === 0) return counts
  for (let after = 0; ; ) {
    const { results } = await db.$client
      .prepare('SELECT id FROM users WHERE id > ?1 AND erased_at IS NULL ORDER BY id LIMIT 1000')
      .bind(after)
      .all<{ id: number }>()
    for (const { id } of results) {
      const key = await erasureKey(secret, id)
      if (!keys.has(key) || (await readErasedAt(files, key)) < archivedAt) continue
      const isErased = await eraseUser({ db, secret }, { userId: id, byUserRequest: false }, at)
      counts[isErased ? 'erased' : 'notErased'] += 1
    }
    const last = results.at(-1)
    if (!last) return counts
    after = last.id
  }
}

/**
 * Suppresses the addresses without an account that were erased after the archive was made, and erases them from the
 * restored rows. Ignores earlier erasures, because the address may have been used again. Call it after
 * `repeatErasures`. Returns how many addresses were erased from rows.
 */
export async function repeatAddressErasures(
  { db, files, secret }: { db: Db; files: R2Bucket; secret: string },
  { archivedAt, at }: { archivedAt: Millis; at: Millis },
): Promise<number> {
  const hashes = new Set<string>()
  for (const key of await listErasureKeys(files)) {
    if (!key.startsWith(ADDRESS_PREFIX)) continue
    if ((await readErasedAt(files, key)) >= archivedAt) hashes.add(key.slice(ADDRESS_PREFIX.length))
  }
  if (hashes.size === 0) return 0
  await db.$client
    .prepare(
      'INSERT INTO suppressions (hash, created_at) SELECT value, ?2 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING',
    )
    .bind(JSON.stringify([...hashes]), at)
    .run()
  let erased = 0
  for (const [emailKey, spellings] of Map.groupBy(await listStoredAddresses(db), normalizeKey)) {
    const suppressedHash = await suppressionHash(secret, emailKey)
    if (!hashes.has(suppressedHash)) continue
    if (await eraseRestoredAddress({ db, secret }, { emailKey, spellings, suppressedHash, at })) erased += 1
  }
  return erased
}
