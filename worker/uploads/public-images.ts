import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { allImageKeys, IS_USED_BY_ARTIST, isPublicCover, uploadKey } from './uploads'

/**
 * Copies of the artist's images in a bucket with its own domain, which serves them without the worker. Supporters'
 * images come from the worker, so that hiding one takes effect at once.
 */

/** Key of a copy in the public bucket: the path of the image's URL on the site. */
const copyKey = (key: string) => `media/${key}`

/** An image never changes. Cloudflare caches a deleted image for at most an hour. */
const CACHE_CONTROL = 'public, max-age=31536000, s-maxage=3600, immutable'

const IMAGES_PER_RUN = 20

/** Query of the ids of public images that the artist's content uses. */
const publicImageIds = (at: Millis) => sql`
  SELECT id FROM uploads WHERE ${sql.raw(IS_USED_BY_ARTIST)} AND kind = 'picture'
    AND (is_published OR ${isPublicCover(sql`'/media/uploads/' || uploads.id`, at)})`

/**
 * Copies images that have become public and deletes the copies of images that no longer are. Rows are inserted before
 * their files and deleted after them, so that the next run retries after a crash. Without a bucket there are no copies.
 */
export async function syncPublicImages(
  { db, files, bucket }: Pick<Deps, 'db' | 'files'> & { bucket: R2Bucket | undefined },
  at: Millis,
): Promise<void> {
  if (!bucket) {
    await db.run(sql`DELETE FROM public_images`)
    return
  }
  const ids = async (query: SQL) => (await db.all<{ id: string }>(query)).map(({ id }) => id)

  // For all images at once, so that no response links to a copy that this or a later run deletes.
  await db.run(sql`UPDATE public_images SET copied_at = NULL
    WHERE copied_at IS NOT NULL AND upload_id NOT IN (${publicImageIds(at)})`)
  const outdated = await ids(
    sql`SELECT upload_id AS id FROM public_images WHERE upload_id NOT IN (${publicImageIds(at)}) LIMIT ${IMAGES_PER_RUN}`,
  )
  for (const id of outdated) {
    await bucket.delete(await keysOf(bucket, copyKey(filePrefix(id))))
    await db.run(sql`DELETE FROM public_images WHERE upload_id = ${id}`)
  }

  // Images stored before this time can get no more variants.
  const completeBefore = at - limits.imageVariantWindowMinutes * MINUTE_MS
  await db.run(sql`INSERT INTO public_images (upload_id) SELECT id FROM uploads
    WHERE id IN (${publicImageIds(at)}) AND stored_at <= ${completeBefore} ON CONFLICT DO NOTHING`)
  const missing = await ids(sql`SELECT upload_id AS id FROM public_images
    WHERE copied_at IS NULL AND upload_id IN (${publicImageIds(at)}) LIMIT ${IMAGES_PER_RUN}`)
  for (const id of missing) {
    await copyImage(files, bucket, id)
    await db.run(sql`UPDATE public_images SET copied_at = ${at} WHERE upload_id = ${id}`)
  }
}

/** Pages may link to any width, so for a missing width the next larger variant is copied. */
async function copyImage(files: R2Bucket, bucket: R2Bucket, id: string): Promise<void> {
  const stored = new Set(await keysOf(files, filePrefix(id)))
  const copies = allImageKeys(id).flatMap((keys) =>
    keys.map((name, index) => ({ name, source: keys.slice(index).find((key) => stored.has(key)) })),
  )
  for (const { name, source } of copies) {
    const object = source === undefined ? null : await files.get(source)
    if (!object) continue
    const { contentType } = object.httpMetadata ?? {}
    await bucket.put(copyKey(name), object.body, { httpMetadata: { contentType, cacheControl: CACHE_CONTROL } })
  }
}

/** Common prefix of the keys of all files of an image. */
const filePrefix = (id: string) => uploadKey(id).replace(/\.webp$/, '')

const keysOf = async (bucket: R2Bucket, prefix: string) => (await bucket.list({ prefix })).objects.map(({ key }) => key)

/** Matches the URL or path of an upload, up to its color. */
const UPLOAD_ADDRESS = /(?<![\w.:-])(https?:\/\/[\w.:-]+)?\/media\/uploads\/(up_[\w-]{20}(?:\.c[0-9a-f]{3})?)/g

/** Replaces the URLs of copied images in `body` by URLs of the bucket. */
export async function replaceCopiedImageUrls(
  body: string,
  { db, siteOrigin, imagesOrigin }: { db: Db; siteOrigin: string; imagesOrigin: string },
): Promise<string> {
  const idsInBody = new Set([...body.matchAll(UPLOAD_ADDRESS)].flatMap(([, , id]) => [id, `${id}.webp`]))
  if (idsInBody.size === 0) return body
  const copied = await db.all<{ id: string }>(sql`SELECT upload_id AS id FROM public_images
    WHERE copied_at IS NOT NULL AND upload_id IN (SELECT value FROM json_each(${JSON.stringify([...idsInBody])}))`)
  const copiedIds = new Set(copied.map(({ id }) => id.replace(/\.webp$/, '')))
  return body.replace(UPLOAD_ADDRESS, (match, host: string | undefined, id: string) =>
    copiedIds.has(id) && [undefined, siteOrigin].includes(host) ? `${imagesOrigin}/media/${uploadKey(id)}` : match,
  )
}
