import { DAY, HOUR, MINUTE, type Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { limits } from '../limits'

export type UploadKind = 'picture' | 'audio'
export const UPLOADS = 'uploads'
/** Where an upload's file is in R2. */
export const uploadKey = (id: string) => `${UPLOADS}/${id}`
/** The address of an upload that is a picture. */
export const pictureUrl = (id: string) => `/media/${uploadKey(id)}`

/**
 * Writes down that a file is coming, before its first byte.
 * @throws Refused `rate_limited` for who has sent `perDay` within a day, `limits.uploadsPerDay` where nothing is said. Visitors are
 * counted by their own call.
 */
export async function uploadBegun(
  db: D1Database,
  {
    kind,
    ownerId,
    at,
    perDay = limits.uploadsPerDay,
  }: { kind: UploadKind; ownerId: number | null; at: Millis; perDay?: number },
): Promise<string> {
  const begun = await db
    .prepare(
      `INSERT INTO uploads (id, kind, owner_id, created_at) SELECT ?1, ?2, ?3, ?4
       WHERE (SELECT count(*) FROM uploads WHERE owner_id = ?3 AND created_at > ?5) < ?6 RETURNING id`,
    )
    .bind(newId('up'), kind, ownerId, at, at - DAY, perDay)
    .first<{ id: string }>()
  if (!begun)
    throw new Refused('rate_limited', 'That is enough files for one day. Please come back tomorrow.', {
      retryAfterSeconds: HOUR / 1000,
    })
  return begun.id
}

type Stored = { contentType: string; sizeBytes: number; width?: number; height?: number }

/** The statement that says that the whole file is there; it returns no row where the upload was let go of meanwhile. */
export const uploadStored = (db: D1Database, id: string, file: Stored, at: Millis): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE uploads SET stored_at = ?2, multipart_id = NULL, content_type = ?3, size_bytes = ?4, width = ?5, height = ?6
       WHERE id = ?1 AND is_dropped = 0 RETURNING id`,
    )
    .bind(id, at, file.contentType, file.sizeBytes, file.width ?? null, file.height ?? null)

/**
 * The size of a picture that its owner has just sent and may add renditions to.
 * @throws Refused `not_found` for another's, for none, for one that was let go of, and half an hour later.
 */
export async function freshPicture(
  db: D1Database,
  { id, ownerId, at }: { id: string; ownerId: number; at: Millis },
): Promise<{ width: number; height: number }> {
  const found = await db
    .prepare(
      "SELECT width, height FROM uploads WHERE id = ?1 AND owner_id = ?2 AND kind = 'picture' AND is_dropped = 0 AND stored_at > ?3",
    )
    .bind(id, ownerId, at - limits.renditionMinutes * MINUTE)
    .first<{ width: number; height: number }>()
  if (!found) throw new Refused('not_found', 'That picture is not there, or it was sent too long ago.')
  return found
}

/**
 * Makes sure that the files that a form names are there whole. A picture may be the house's own, which no upload made;
 * a recording may not.
 * @throws Refused `bad_input`.
 */
export async function mustBeStored(db: D1Database, kind: UploadKind, keys: readonly string[]): Promise<void> {
  const sent = keys.filter((key) => kind === 'audio' || key.startsWith(`${UPLOADS}/`))
  if (sent.length === 0) return
  const { results } = await db
    .prepare(
      `SELECT id FROM uploads WHERE id IN (SELECT value FROM json_each(?1)) AND kind = ?2 AND stored_at IS NOT NULL`,
    )
    .bind(JSON.stringify(sent.map((key) => key.replace(`${UPLOADS}/`, ''))), kind)
    .all<{ id: string }>()
  const known = new Set(results.map(({ id }) => uploadKey(id)))
  if (!sent.every((key) => known.has(key)))
    throw new Refused('bad_input', `That ${kind === 'audio' ? 'recording' : 'picture'} is gone. Please send it again.`)
}
