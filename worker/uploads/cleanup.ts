import { IMAGE_WIDTHS } from '../contract/images'
import { HOUR_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { UPLOADS_FOLDER, uploadKey } from './uploads'

/** Queries for the URLs of uploads in use. A feature with uploads adds its own. */
const REFERENCED_URLS = [
  'SELECT cover_url FROM tracks',
  "SELECT '/media/' || audio_key FROM tracks WHERE audio_key IS NOT NULL",
  "SELECT '/media/' || audio_key FROM verse_submissions WHERE audio_key IS NOT NULL",
  'SELECT url FROM product_images',
  'SELECT image_url FROM concerts',
  'SELECT image_url FROM social_posts',
  "SELECT '/media/uploads/' || picture_id FROM posts WHERE picture_id IS NOT NULL",
  `SELECT value FROM site, json_each(
     json_array(hero_url, hero_portrait_url, share_image_url, icon_url, maskable_icon_url))`,
]
const unreferenced = REFERENCED_URLS.map((addresses) => `'/media/uploads/' || id NOT IN (${addresses})`).join(' AND ')

const CLEANUP_BATCH = 50

type Deps = { db: D1Database; files: R2Bucket }
type CleanupResult = { affected: number; more: boolean }

/** Deletes uploads that nothing refers to, once past their TTL: abandoned forms, broken transfers, replaced images. */
export const deleteUnreferencedUploads = (stores: Deps, at: Millis): Promise<CleanupResult> =>
  deleteUploadBatch(stores, 'created_at <= ?1', at - limits.uploadTtlHours * HOUR_MS)

/** Deletes uploads marked as dropped: images of removed posts, files of erased users. */
export const deleteDroppedUploads = (stores: Deps): Promise<CleanupResult> =>
  deleteUploadBatch(stores, 'is_dropped = ?1 AND is_dropped = 1', 1)

/** Files are deleted before their rows, so that a crash leaves a row to retry. ?1 is `param`. */
async function deleteUploadBatch({ db, files }: Deps, condition: string, param: number): Promise<CleanupResult> {
  const { results } = await db
    .prepare(
      `SELECT id, multipart_id AS multipartId FROM uploads WHERE ${condition} AND ${unreferenced}
       ORDER BY created_at LIMIT ${CLEANUP_BATCH}`,
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
  return { affected: results.length, more: results.length === CLEANUP_BATCH }
}

/** Deletes files, with their variants, and then their rows. */
export async function deleteUploads(
  { db, files }: { db: D1Database; files: R2Bucket },
  keys: readonly string[],
): Promise<void> {
  await files.delete(keys.flatMap((key) => [key, ...IMAGE_WIDTHS.map((width) => `${key}@${width}`)]))
  await db
    .prepare('DELETE FROM uploads WHERE id IN (SELECT value FROM json_each(?1))')
    .bind(JSON.stringify(keys.map((key) => key.replace(`${UPLOADS_FOLDER}/`, ''))))
    .run()
}
