import { inArray } from 'drizzle-orm'
import type { BatchResult } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import { HOUR_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { ARTIST_IMAGES, allImageKeys, uploadId, uploadKey } from './uploads'
import { uploads } from './uploads.table'

/** Queries for the URLs of all uploads in use. */
const REFERENCED_URLS = [
  ...ARTIST_IMAGES.map(([column, tables]) => `SELECT ${column} FROM ${tables}`),
  "SELECT '/media/' || audio_key FROM tracks WHERE audio_key IS NOT NULL",
  "SELECT '/media/' || audio_key FROM verse_submissions WHERE audio_key IS NOT NULL",
  "SELECT '/media/' || beat_key FROM challenges WHERE beat_key IS NOT NULL",
  "SELECT '/media/uploads/' || picture_id FROM posts WHERE picture_id IS NOT NULL",
]
/** SQL condition: the public bucket has no copies, or `syncPublicImages` has deleted them. */
const HAS_NO_PUBLIC_COPY = 'id NOT IN (SELECT upload_id FROM public_images)'
const IS_UNREFERENCED = REFERENCED_URLS.map((query) => `'/media/uploads/' || id NOT IN (${query})`).join(' AND ')

/** R2 deletes at most 1,000 files at once, and an image has up to 26: 12 widths and the full size, in two formats. */
const CLEANUP_BATCH_SIZE = 38

type Stores = Pick<Deps, 'db' | 'files'>

/** Deletes uploads past their TTL that nothing refers to: abandoned forms, broken transfers, replaced images. */
export const deleteUnreferencedUploads = (stores: Stores, at: Millis): Promise<BatchResult> =>
  deleteUploadBatch(stores, 'created_at <= ?1', at - limits.uploadTtlHours * HOUR_MS)

/** Deletes uploads marked as dropped that nothing refers to: images of removed posts, files of erased users. */
export const deleteDroppedUploads = (stores: Stores): Promise<BatchResult> =>
  // SQLite uses the partial index only with the literal.
  deleteUploadBatch(stores, 'is_dropped = ?1 AND is_dropped = 1', 1)

/** Deletes files before their rows, so that the next run retries after a crash. `param` is ?1 of `condition`. */
async function deleteUploadBatch({ db, files }: Stores, condition: string, param: number): Promise<BatchResult> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, multipart_id AS multipartId FROM uploads WHERE ${condition} AND ${HAS_NO_PUBLIC_COPY} AND ${IS_UNREFERENCED}
       ORDER BY created_at LIMIT ${CLEANUP_BATCH_SIZE}`,
    )
    .bind(param)
    .all<{ id: string; multipartId: string | null }>()
  if (results.length === 0) return { affected: 0, more: false }
  for (const { id, multipartId } of results)
    if (multipartId)
      await files
        .resumeMultipartUpload(uploadKey(id), multipartId)
        .abort()
        .catch(() => undefined)
  await deleteUploads(
    { db, files },
    results.map(({ id }) => uploadKey(id)),
  )
  return { affected: results.length, more: results.length === CLEANUP_BATCH_SIZE }
}

/** Deletes files, with their variants, and then their rows. */
export async function deleteUploads({ db, files }: Stores, keys: readonly string[]): Promise<void> {
  await files.delete(keys.flatMap((key) => allImageKeys(uploadId(key)).flat()))
  await db.delete(uploads).where(inArray(uploads.id, keys.map(uploadId)))
}
