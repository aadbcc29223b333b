import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { masterContentType, notAMasterMessage } from '../contract/file-signatures'
import {
  type Master,
  type MasterFile,
  type MasterState,
  type MasterUpload,
  masterPartBytes,
  masterPartCount,
} from '../contract/masters'
import type { BatchResult } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { isUploadGone } from '../lib/multipart-upload'
import { limits } from '../limits'
import { trackNotFoundError } from '../tracks/tracks'
import { tracks } from '../tracks/tracks.table'
import { readHeader } from '../uploads/receive'
import { uploadLimitError } from '../uploads/uploads'
import { trackMasterParts, trackMasters } from './masters.table'

type Stores = Pick<Deps, 'db' | 'files'>
type MasterRow = typeof trackMasters.$inferSelect

/** R2 key of a master. */
export const masterKey = (id: string) => `masters/${id}`

const UNFINISHED = 'stored_at IS NULL AND dropped_at IS NULL'
const STORED = 'stored_at IS NOT NULL AND dropped_at IS NULL'
const isUnfinished = sql.raw(UNFINISHED)
const isStored = sql.raw(STORED)

const selectMasters = (db: Db, ...conditions: SQL[]) =>
  db
    .select()
    .from(trackMasters)
    .where(and(...conditions))

/** The track's master and its latest unfinished upload. @throws AppError `not_found`. */
export async function readMasterState(db: Db, trackId: number): Promise<MasterState> {
  const [[track], [master], [upload]] = await db.batch([
    db.select({ id: tracks.id }).from(tracks).where(eq(tracks.id, trackId)),
    selectMasters(db, eq(trackMasters.trackId, trackId), isStored),
    selectMasters(db, eq(trackMasters.trackId, trackId), isUnfinished).orderBy(desc(trackMasters.updatedAt)).limit(1),
  ])
  if (!track) throw trackNotFoundError()
  const parts = upload ? await listParts(db, upload.id) : []
  return {
    master: master ? toMaster(master) : null,
    upload: upload
      ? {
          id: upload.id,
          fileName: upload.fileName,
          sizeBytes: upload.sizeBytes,
          receivedBytes: parts.reduce((sum, { partNumber }) => sum + masterPartBytes(upload.sizeBytes, partNumber), 0),
        }
      : null,
  }
}

const toMaster = ({ fileName, contentType, sizeBytes, storedAt }: MasterRow): Master => ({
  fileName,
  contentType,
  sizeBytes,
  storedAt: toIso(storedAt ?? 0),
})

/**
 * Starts an upload, or continues the unfinished one of the same file, whose received parts it returns.
 * @throws AppError `not_found` for an unknown track, `rate_limited` as for other uploads.
 */
export async function startMasterUpload(
  { db, files }: Stores,
  { trackId, file, actorId, at }: Actor & { trackId: number; file: MasterFile },
): Promise<MasterUpload> {
  const [track] = await db
    .select({ id: tracks.id })
    .from(tracks)
    .where(and(eq(tracks.id, trackId), isNull(tracks.removedAt)))
  if (!track) throw trackNotFoundError()
  const id = newId('master')
  const insert = db.$client
    .prepare(
      `INSERT INTO track_masters (id, track_id, owner_id, file_name, fingerprint, size_bytes, content_type, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
       WHERE (SELECT count(*) FROM uploads WHERE owner_id = ?3 AND created_at > ?9)
         + (SELECT count(*) FROM track_masters WHERE owner_id = ?3 AND created_at > ?9) < ?10
       ON CONFLICT DO NOTHING`,
    )
    .bind(
      id,
      trackId,
      actorId,
      file.fileName,
      file.fingerprint,
      file.sizeBytes,
      file.contentType,
      at,
      at - DAY_MS,
      limits.uploadsPerDay,
    )
  await db.$client.batch([
    insert,
    recordAuditIfChanged(db, { actorId, action: 'master.begun', subject: `track:${trackId}`, at }),
  ])
  const [row] = await selectMasters(
    db,
    eq(trackMasters.trackId, trackId),
    eq(trackMasters.fingerprint, file.fingerprint),
    isUnfinished,
  )
  if (!row) throw uploadLimitError()
  await startMultipart({ db, files }, row)
  return { id: row.id, receivedParts: (await listParts(db, row.id)).map(({ partNumber }) => partNumber) }
}

/** Creates the R2 multipart upload if the row has none: it is new, or the worker crashed before. */
async function startMultipart({ db, files }: Stores, { id, multipartId, contentType }: MasterRow): Promise<void> {
  if (multipartId !== null) return
  const multipart = await files.createMultipartUpload(masterKey(id), { httpMetadata: { contentType } })
  const started = await db
    .update(trackMasters)
    .set({ multipartId: multipart.uploadId })
    .where(and(eq(trackMasters.id, id), isNull(trackMasters.multipartId), isUnfinished))
    .returning({ id: trackMasters.id })
  if (started.length === 0) await multipart.abort().catch(() => undefined)
}

const listParts = (db: Db, masterId: string) =>
  db
    .select({ partNumber: trackMasterParts.part, etag: trackMasterParts.etag })
    .from(trackMasterParts)
    .where(eq(trackMasterParts.masterId, masterId))
    .orderBy(asc(trackMasterParts.part))

type IncomingPart = { id: string; part: string; bytes: AsyncIterable<Uint8Array>; at: Millis }

/**
 * Streams one part to R2. @throws AppError `bad_input` for a wrong number or size, or a first part that is not of the
 * declared type; `not_found` for an upload that is complete, canceled or expired.
 */
export async function receiveMasterPart({ db, files }: Stores, { id, part, bytes, at }: IncomingPart): Promise<void> {
  const row = await findUnfinishedUpload(db, id)
  const partNumber = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0
  const count = masterPartCount(row.sizeBytes)
  if (partNumber < 1 || partNumber > count)
    throw new AppError('bad_input', `This file has ${count} ${count === 1 ? 'part' : 'parts'}, numbered from 1.`)
  const expectedBytes = masterPartBytes(row.sizeBytes, partNumber)
  const body = partNumber === 1 ? withCheckedHeader(bytes, row) : bytes
  const multipart = files.resumeMultipartUpload(masterKey(id), row.multipartId ?? '')
  const { etag } = await sendPart(multipart, partNumber, body, expectedBytes).catch(async (error: unknown) => {
    // R2 aborted the upload, so choosing the file again must start a new upload.
    if (error instanceof AppError && error.code === 'not_found') await dropStatement(db, id, UNFINISHED, at).run()
    throw error
  })
  // A part of an upload that was canceled meanwhile is not stored: the cleanup job may have deleted the upload's row.
  const [saved] = await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO track_master_parts (master_id, part, etag)
         SELECT id, ?2, ?3 FROM track_masters WHERE id = ?1 AND ${UNFINISHED}
         ON CONFLICT (master_id, part) DO UPDATE SET etag = excluded.etag RETURNING part`,
      )
      .bind(id, partNumber, etag),
    db.$client.prepare('UPDATE track_masters SET updated_at = ?2 WHERE id = ?1').bind(id, at),
  ])
  if (saved?.results.length !== 1) throw uploadGoneError()
}

/** Streams one part to R2 in constant memory, for which R2 needs the exact length. */
async function sendPart(
  multipart: R2MultipartUpload,
  partNumber: number,
  bytes: AsyncIterable<Uint8Array>,
  expectedBytes: number,
): Promise<R2UploadedPart> {
  const { readable, writable } = new FixedLengthStream(expectedBytes)
  const stored = multipart.uploadPart(partNumber, readable)
  // Prevents an unhandled rejection before `stored` is awaited below.
  stored.catch(() => undefined)
  const writer = writable.getWriter()
  const wrongSizeError = (received: string) =>
    new AppError('bad_input', `Part ${partNumber} of this file has ${expectedBytes} bytes, and ${received} arrived.`)
  try {
    let writtenBytes = 0
    for await (const chunk of bytes) {
      writtenBytes += chunk.byteLength
      if (writtenBytes > expectedBytes) throw wrongSizeError('more')
      await writer.write(chunk)
    }
    if (writtenBytes < expectedBytes) throw wrongSizeError(String(writtenBytes))
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    // If R2 stopped reading, its own error is the cause.
    if (!(error instanceof AppError)) await stored.catch(rethrowGone)
    throw error
  }
  return stored.catch(rethrowGone)
}

/** R2 aborts multipart uploads that stay incomplete. @throws AppError `not_found`, or the error. */
function rethrowGone(error: unknown): never {
  if (isUploadGone(error)) throw uploadGoneError()
  throw error
}

/** Checks the file signature, then yields all bytes. @throws AppError `bad_input`. */
async function* withCheckedHeader(
  bytes: AsyncIterable<Uint8Array>,
  { contentType }: MasterRow,
): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]()
  const header = await readHeader(chunks)
  if (masterContentType(header) !== contentType) throw new AppError('bad_input', notAMasterMessage(header))
  yield header
  yield* { [Symbol.asyncIterator]: () => chunks }
}

/** Completes an upload and replaces the track's master. Idempotent. @throws AppError `conflict`, `not_found`. */
export async function completeMasterUpload(
  { db, files }: Stores,
  { id, actorId, at }: Actor & { id: string },
): Promise<Master> {
  const row = await findUpload(db, id)
  if (row.storedAt !== null) return toMaster(row)
  const parts = await listParts(db, id)
  const missing = masterPartCount(row.sizeBytes) - parts.length
  if (missing > 0)
    throw new AppError(
      'conflict',
      `${missing} of ${masterPartCount(row.sizeBytes)} parts are missing. Choose the same file again to send them.`,
    )
  try {
    await files.resumeMultipartUpload(masterKey(id), row.multipartId ?? '').complete(parts)
  } catch (error) {
    // Another request, or an earlier one that then crashed, may have completed the upload.
    const stored = await files.head(masterKey(id))
    if (stored?.size !== row.sizeBytes) rethrowGone(error)
  }
  const d1 = db.$client
  await d1.batch([
    d1
      .prepare(
        `UPDATE track_masters SET dropped_at = ?2 WHERE track_id = ?3 AND ${STORED}
         AND EXISTS (SELECT 1 FROM track_masters WHERE id = ?1 AND ${UNFINISHED})`,
      )
      .bind(id, at, row.trackId),
    d1
      .prepare(`UPDATE track_masters SET stored_at = ?2, multipart_id = NULL WHERE id = ?1 AND ${UNFINISHED}`)
      .bind(id, at),
    recordAuditIfChanged(db, { actorId, action: 'master.stored', subject: `track:${row.trackId}`, at }),
    d1.prepare('DELETE FROM track_master_parts WHERE master_id = ?1').bind(id),
  ])
  try {
    return toMaster(await findUpload(db, id))
  } catch (error) {
    // Canceled in the meantime: no row refers to the object.
    if (error instanceof AppError && error.code === 'not_found') await files.delete(masterKey(id))
    throw error
  }
}

/** Ends an unfinished upload and deletes its parts. @throws AppError `not_found`. */
export async function cancelMasterUpload(
  { db, files }: Stores,
  { id, actorId, at }: Actor & { id: string },
): Promise<void> {
  const row = await findUnfinishedUpload(db, id)
  const [canceled] = await db.$client.batch([
    dropStatement(db, id, UNFINISHED, at),
    recordAuditIfChanged(db, { actorId, action: 'master.cancelled', subject: `track:${row.trackId}`, at }),
  ])
  // Completed meanwhile: the master must be removed instead, which is another action.
  if (canceled?.meta.changes !== 1) throw uploadGoneError()
  await abortMultipart(files, row)
}

/** Removes the track's master. @throws AppError `not_found`. */
export async function removeMaster(
  { db, files }: Stores,
  { trackId, actorId, at }: Actor & { trackId: number },
): Promise<void> {
  const { id } = await findMaster(db, trackId)
  await db.$client.batch([
    dropStatement(db, id, STORED, at),
    recordAuditIfChanged(db, { actorId, action: 'master.removed', subject: `track:${trackId}`, at }),
  ])
  await files.delete(masterKey(id))
}

const dropStatement = (db: Db, id: string, condition: typeof UNFINISHED | typeof STORED, at: Millis) =>
  db.$client.prepare(`UPDATE track_masters SET dropped_at = ?2 WHERE id = ?1 AND ${condition}`).bind(id, at)

/** R2 key and download name of the track's master. @throws AppError `not_found`. */
export async function findMasterFile(db: Db, trackId: number): Promise<{ key: string; fileName: string }> {
  const { id, contentType } = await findMaster(db, trackId)
  const [track] = await db.select({ slug: tracks.slug }).from(tracks).where(eq(tracks.id, trackId))
  const extension = contentType === 'audio/flac' ? 'flac' : 'wav'
  return { key: masterKey(id), fileName: `${track?.slug || `track-${trackId}`}.${extension}` }
}

/** The complete masters of these tracks; a track without one is left out. */
export const findStoredMasters = (db: Db, trackIds: readonly number[]): Promise<MasterRow[]> =>
  selectMasters(
    db,
    sql`${trackMasters.trackId} IN (SELECT value FROM json_each(${JSON.stringify(trackIds)}))`,
    isStored,
  )

async function findMaster(db: Db, trackId: number): Promise<MasterRow> {
  const [row] = await selectMasters(db, eq(trackMasters.trackId, trackId), isStored)
  if (!row) throw new AppError('not_found', 'This track has no master yet.')
  return row
}

/** An upload, complete or not, that is not dropped (`droppedAt`). @throws AppError `not_found`. */
async function findUpload(db: Db, id: string): Promise<MasterRow> {
  const [row] = await selectMasters(db, eq(trackMasters.id, id), isNull(trackMasters.droppedAt))
  if (!row) throw uploadGoneError()
  return row
}

async function findUnfinishedUpload(db: Db, id: string): Promise<MasterRow> {
  const row = await findUpload(db, id)
  if (row.storedAt !== null) throw uploadGoneError()
  return row
}

const uploadGoneError = () =>
  new AppError('not_found', 'This upload has ended. Choose the file again to start a new one.')

const abortMultipart = (files: R2Bucket, { id, multipartId }: Pick<MasterRow, 'id' | 'multipartId'>) =>
  multipartId === null
    ? undefined
    : files
        .resumeMultipartUpload(masterKey(id), multipartId)
        .abort()
        .catch(() => undefined)

const CLEANUP_BATCH_SIZE = 50

/**
 * Daily job: deletes expired, canceled, removed and replaced masters. Rows of the last day remain, because the upload
 * limit counts them.
 */
export async function deleteDroppedMasters({ db, files }: Stores, at: Millis): Promise<BatchResult> {
  await db
    .update(trackMasters)
    .set({ droppedAt: at })
    .where(and(isUnfinished, lte(trackMasters.updatedAt, at - limits.masterUploadTtlHours * HOUR_MS)))
  const rows = await db
    .select({ id: trackMasters.id, multipartId: trackMasters.multipartId })
    .from(trackMasters)
    .where(and(isNotNull(trackMasters.droppedAt), lte(trackMasters.createdAt, at - DAY_MS)))
    .limit(CLEANUP_BATCH_SIZE)
  if (rows.length === 0) return { affected: 0, more: false }
  for (const row of rows) await abortMultipart(files, row)
  // Files are deleted before rows, so that the next run retries after a crash.
  const ids = rows.map(({ id }) => id)
  await files.delete(ids.map(masterKey))
  await db.batch([
    db.delete(trackMasterParts).where(inArray(trackMasterParts.masterId, ids)),
    db.delete(trackMasters).where(inArray(trackMasters.id, ids)),
  ])
  return { affected: rows.length, more: rows.length === CLEANUP_BATCH_SIZE }
}
