import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'

export type UploadKind = 'picture' | 'audio'
export const UPLOADS_FOLDER = 'uploads'
/** R2 key of an upload. */
export const uploadKey = (id: string) => `${UPLOADS_FOLDER}/${id}`
/** URL path of an uploaded image. */
export const imageUrl = (id: string) => `/media/${uploadKey(id)}`

/**
 * Creates the row of an upload before its first byte is stored. @throws AppError `rate_limited` after `perDay` uploads
 * of an owner; visitors are limited by their routes.
 */
export async function beginUpload(
  db: D1Database,
  {
    kind,
    ownerId,
    at,
    perDay = limits.uploadsPerDay,
  }: { kind: UploadKind; ownerId: number | null; at: Millis; perDay?: number },
): Promise<string> {
  const row = await db
    .prepare(
      `INSERT INTO uploads (id, kind, owner_id, created_at) SELECT ?1, ?2, ?3, ?4
       WHERE (SELECT count(*) FROM uploads WHERE owner_id = ?3 AND created_at > ?5) < ?6 RETURNING id`,
    )
    .bind(newId('up'), kind, ownerId, at, at - DAY_MS, perDay)
    .first<{ id: string }>()
  if (!row)
    throw new AppError('rate_limited', 'That is enough files for one day. Please come back tomorrow.', {
      retryAfterSeconds: HOUR_MS / 1000,
    })
  return row.id
}

type StoredFile = { contentType: string; sizeBytes: number; width?: number; height?: number }

/** Statement that marks an upload complete; returns no row if it was dropped in the meantime. */
export const markUploadStored = (db: D1Database, id: string, file: StoredFile, at: Millis): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE uploads SET stored_at = ?2, multipart_id = NULL, content_type = ?3, size_bytes = ?4, width = ?5, height = ?6
       WHERE id = ?1 AND is_dropped = 0 RETURNING id`,
    )
    .bind(id, at, file.contentType, file.sizeBytes, file.width ?? null, file.height ?? null)

/**
 * Size of the owner's recent image, to which variants may be added. @throws AppError `not_found`, also for dropped
 * images and after half an hour.
 */
export async function requireRecentImage(
  db: D1Database,
  { id, ownerId, at }: { id: string; ownerId: number; at: Millis },
): Promise<{ width: number; height: number }> {
  const image = await db
    .prepare(
      "SELECT width, height FROM uploads WHERE id = ?1 AND owner_id = ?2 AND kind = 'picture' AND is_dropped = 0 AND stored_at > ?3",
    )
    .bind(id, ownerId, at - limits.imageVariantWindowMinutes * MINUTE_MS)
    .first<{ width: number; height: number }>()
  if (!image) throw new AppError('not_found', 'That picture is not there, or it was sent too long ago.')
  return image
}

/**
 * Checks that uploads named in a form are stored. Image keys outside the uploads folder are the site's own and pass.
 * @throws AppError `bad_input`.
 */
export async function requireStoredUploads(db: D1Database, kind: UploadKind, keys: readonly string[]): Promise<void> {
  const uploadKeys = keys.filter((key) => kind === 'audio' || key.startsWith(`${UPLOADS_FOLDER}/`))
  if (uploadKeys.length === 0) return
  const { results } = await db
    .prepare(
      `SELECT id FROM uploads WHERE id IN (SELECT value FROM json_each(?1)) AND kind = ?2 AND stored_at IS NOT NULL`,
    )
    .bind(JSON.stringify(uploadKeys.map((key) => key.replace(`${UPLOADS_FOLDER}/`, ''))), kind)
    .all<{ id: string }>()
  const storedKeys = new Set(results.map(({ id }) => uploadKey(id)))
  if (!uploadKeys.every((key) => storedKeys.has(key)))
    throw new AppError('bad_input', `That ${kind === 'audio' ? 'recording' : 'picture'} is gone. Please send it again.`)
}
