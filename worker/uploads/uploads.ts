import { and, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { avifUrl, IMAGE_WIDTHS, type ImageWidth, resizedImageUrl } from '../contract/images'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { uploads } from './uploads.table'

type UploadKind = 'picture' | 'audio'
export const UPLOADS_FOLDER = 'uploads'

/** R2 key of an upload. */
export const uploadKey = (id: string) => `${UPLOADS_FOLDER}/${id}`
/** True for the R2 key of an upload, whose file never changes. */
export const isUploadKey = (key: string) => key.startsWith(`${UPLOADS_FOLDER}/`)
/** The id in the R2 key of an upload. */
export const uploadId = (key: string) => key.replace(`${UPLOADS_FOLDER}/`, '')
/** URL path of an uploaded image. */
export const imageUrl = (id: string) => `/media/${uploadKey(id)}`

const keyInWidth = (url: string, width: ImageWidth | null) =>
  (width === null ? url : resizedImageUrl(url, width)).replace('/media/', '')

/** @throws AppError `bad_input`. */
export function parseImageWidth(text: string): ImageWidth {
  const width = IMAGE_WIDTHS.find((candidate) => String(candidate) === text)
  if (!width) throw new AppError('bad_input', `A picture comes in these widths: ${IMAGE_WIDTHS.join(', ')}.`)
  return width
}

/** URL paths of an image in full size, one for each format. */
const fullSizeUrls = (id: string) => [imageUrl(id), avifUrl(imageUrl(id))].flatMap((url) => url ?? [])

/** R2 keys of an image in one width, or in full size if `width` is null, one for each format. */
export const imageKeys = (id: string, width: ImageWidth | null): string[] =>
  fullSizeUrls(id).map((url) => keyInWidth(url, width))

/** R2 keys that an image may have: one list for each format, from the smallest width to the full size. */
export const allImageKeys = (id: string): string[][] =>
  fullSizeUrls(id).map((url) => [...IMAGE_WIDTHS, null].map((width) => keyInWidth(url, width)))

/**
 * Creates the row of an upload before its first byte is stored, and returns its id, which ends with `suffix`.
 * @throws AppError `rate_limited` after `perDay` uploads of an owner; visitors are limited by their routes.
 */
export async function beginUpload(
  db: Db,
  {
    kind,
    ownerId,
    at,
    perDay = limits.uploadsPerDay,
    suffix = '',
  }: { kind: UploadKind; ownerId: number | null; at: Millis; perDay?: number; suffix?: string },
): Promise<string> {
  // One statement, so that concurrent uploads cannot exceed the limit.
  const row = await db.$client
    .prepare(
      `INSERT INTO uploads (id, kind, owner_id, created_at) SELECT ?1, ?2, ?3, ?4
       WHERE (SELECT count(*) FROM uploads WHERE owner_id = ?3 AND created_at > ?5) < ?6 RETURNING id`,
    )
    .bind(newId('up') + suffix, kind, ownerId, at, at - DAY_MS, perDay)
    .first<{ id: string }>()
  if (!row) throw uploadLimitError()
  return row.id
}

export const uploadLimitError = () =>
  new AppError('rate_limited', 'You have reached today’s upload limit. Please try again in an hour.', {
    retryAfterSeconds: HOUR_MS / SECOND_MS,
  })

type StoredFile = { contentType: string; sizeBytes: number; width?: number; height?: number }

/** Statement that marks an upload complete; returns no row if it was dropped in the meantime. */
export const markUploadStored = (db: Db, id: string, file: StoredFile, at: Millis): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE uploads SET stored_at = ?2, multipart_id = NULL, content_type = ?3, size_bytes = ?4, width = ?5, height = ?6
       WHERE id = ?1 AND is_dropped = 0 RETURNING id`,
    )
    .bind(id, at, file.contentType, file.sizeBytes, file.width ?? null, file.height ?? null)

/**
 * Size of the owner's recent image, to which variants may be added. @throws AppError `not_found`, also for a dropped
 * image and after `limits.imageVariantWindowMinutes`.
 */
export async function requireRecentImage(
  db: Db,
  { id, ownerId, at }: { id: string; ownerId: number; at: Millis },
): Promise<{ width: number; height: number }> {
  const [image] = await db
    .select({ width: uploads.width, height: uploads.height })
    .from(uploads)
    .where(
      and(
        eq(uploads.id, id),
        eq(uploads.ownerId, ownerId),
        eq(uploads.kind, 'picture'),
        eq(uploads.isDropped, false),
        gt(uploads.storedAt, at - limits.imageVariantWindowMinutes * MINUTE_MS),
      ),
    )
  if (!image?.width || !image.height)
    throw new AppError('not_found', 'That picture no longer exists, or it was uploaded too long ago.')
  return { width: image.width, height: image.height }
}

/**
 * Ids of the uploads among `keys`. Image keys outside the uploads folder are the site's own and are skipped.
 * @throws AppError `bad_input` unless all are stored.
 */
export async function requireUploads(db: Db, kind: UploadKind, keys: readonly string[]): Promise<string[]> {
  const ids = keys.filter((key) => kind === 'audio' || isUploadKey(key)).map(uploadId)
  if (ids.length === 0) return ids
  const stored = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, ids), eq(uploads.kind, kind), isNotNull(uploads.storedAt)))
  const storedIds = new Set(stored.map(({ id }) => id))
  if (!ids.every((id) => storedIds.has(id)))
    throw new AppError('bad_input', `That ${kind === 'audio' ? 'recording' : 'picture'} is gone. Please send it again.`)
  return ids
}

/**
 * Checks a cover, which is published with its track or release.
 * @throws AppError `bad_input` unless it was uploaded here.
 */
export const requireCover = (db: Db, url: string) => requireUploads(db, 'picture', [keyInWidth(url, null)])

/** Publishes the images at these URLs. @throws AppError `bad_input` unless each was uploaded here. */
export async function publishImages(db: Db, urls: readonly string[]): Promise<void> {
  const keys = urls.map((url) => keyInWidth(url, null))
  const ids = await requireUploads(db, 'picture', keys)
  if (ids.length > 0) await db.update(uploads).set({ isPublished: true }).where(inArray(uploads.id, ids))
}

/** Statement that publishes the image of a post, if the post of the same batch was inserted. */
export const publishPostImage = (db: Db, { id, postId }: { id: string; postId: string }): D1PreparedStatement =>
  db.$client
    .prepare(
      'UPDATE uploads SET is_published = 1 WHERE id = (SELECT picture_id FROM posts WHERE id = ?1 AND picture_id = ?2)',
    )
    .bind(postId, id)

// Raw table names, because uploads must not import the modules that use them.
/** Columns with image URLs in the artist's content, and their tables. */
export const ARTIST_IMAGES = [
  ['cover_url', 'tracks'],
  ['cover_url', 'releases'],
  ['url', 'product_images'],
  ['image_url', 'product_variants'],
  ['image_url', 'concerts'],
  ['image_url', 'social_posts'],
  ['value', 'site, json_each(json_array(hero_url, hero_portrait_url, share_image_url, icon_url, maskable_icon_url))'],
] as const
/** SQL condition over `uploads`: the artist's content uses the image. */
export const IS_USED_BY_ARTIST = `(${ARTIST_IMAGES.map(
  ([column, tables]) => `uploads.id IN (SELECT replace(${column}, '/media/uploads/', '') FROM ${tables})`,
).join(' OR ')})`

/** Condition: the image is the cover of a public track, or of a public or announced release. */
export const isPublicCover = (url: string | SQL, at: Millis) => sql`EXISTS (
  SELECT 1 FROM tracks WHERE cover_url = ${url} AND removed_at IS NULL AND released_at <= ${at}
  UNION ALL SELECT 1 FROM releases WHERE cover_url = ${url} AND removed_at IS NULL AND iif(released_at > ${at}, is_announced,
    EXISTS (SELECT 1 FROM release_tracks JOIN tracks ON tracks.id = release_tracks.track_id
      WHERE release_tracks.release_id = releases.id AND tracks.removed_at IS NULL)))`

/**
 * Whether an image is public, and its owner. It is private if nothing public uses it, or if its author is banned. An
 * erased administrator's images are dropped, but those that the artist's content uses stay public.
 */
export async function readVisibility(
  db: Db,
  { id, at }: { id: string; at: Millis },
): Promise<{ isPublic: boolean; ownerId: number | null }> {
  const [upload] = await db
    .select({
      isPublic: sql<boolean>`(${uploads.isPublished} OR ${isPublicCover(imageUrl(id), at)}) AND NOT EXISTS (
        SELECT 1 FROM posts JOIN users ON users.id = posts.author_id
        WHERE posts.picture_id = ${id} AND users.banned_at IS NOT NULL)`.mapWith(Boolean),
      ownerId: uploads.ownerId,
      isDropped: uploads.isDropped,
    })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!upload || (upload.isDropped && !(await isUsedByArtist(db, id)))) return { isPublic: false, ownerId: null }
  return { isPublic: upload.isPublic, ownerId: upload.ownerId }
}

/** Reads whole tables, so it is called for dropped uploads only. */
async function isUsedByArtist(db: Db, id: string): Promise<boolean> {
  const used = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.id, id), sql.raw(IS_USED_BY_ARTIST)))
  return used.length > 0
}
