import { AUDIO_TYPES, type UploadedAudio, type UploadedImage } from '../contract/uploads'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { createMultipartWriter } from '../lib/multipart-upload'
import { AUDIO_HEADER_BYTES, detectAudioType } from './audio-type'
import { concatBytes, sanitizeImage } from './sanitize-image'
import { beginUpload, imageUrl, markUploadStored, requireRecentImage, uploadKey } from './uploads'

export type IncomingUpload = {
  db: D1Database
  files: R2Bucket
  /** Null for a visitor, who may send a recording. */
  ownerId: number | null
  at: Millis
  /** How many files this sender may begin a day; `limits.uploadsPerDay` where nothing is said. */
  perDay?: number
  /** How many pixels a picture has to a side at the most; `PICTURE_PIXELS` where nothing is said. */
  maxPixels?: number
  /** What the sender calls the file; its bytes decide. */
  declaredType: string
  /** The file as it comes, held to its largest size by who reads it (http/body, `fileBytes`). */
  bytes: AsyncIterable<Uint8Array>
  /** What belongs to the act, e.g. a line of the audit log: written together with it. */
  statements?: (id: string) => readonly D1PreparedStatement[]
}

/** Nobody overwrites a file: its address is for ever one and the same picture. */
const ONLY_IF_NEW = { etagDoesNotMatch: '*' }

/** Keeps a picture, without anything but its pixels. @throws AppError as `cleanPicture` and `uploadBegun` do, `not_found` as `keptOrGone`. */
export async function receiveImage(upload: IncomingUpload): Promise<UploadedImage> {
  const { db, files, ownerId, at, perDay, statements } = upload
  const { bytes, contentType, width, height } = sanitizeImage(
    await readAll(upload.bytes),
    upload.declaredType,
    upload.maxPixels,
  )
  const id = await beginUpload(db, { kind: 'picture', ownerId, at, ...(perDay && { perDay }) })
  await files.put(uploadKey(id), bytes, { httpMetadata: { contentType }, onlyIf: ONLY_IF_NEW })
  const [stored] = await db.batch([
    markUploadStored(db, id, { contentType, sizeBytes: bytes.length, width, height }, at),
    ...(statements?.(id) ?? []),
  ])
  await requireStored(stored, files, id)
  return { id, url: imageUrl(id), width, height }
}

/**
 * Keeps the same picture in another width, for `?w=`. @throws AppError as above, `bad_input` for one that is not so wide,
 * not of the picture's shape or not smaller, `not_found` as `freshPicture`, `conflict` for one that is there.
 */
export async function receiveRendition(
  upload: IncomingUpload & { ownerId: number; id: string; width: number },
): Promise<void> {
  const { db, files, ownerId, at, id } = upload
  const master = await requireRecentImage(db, { id, ownerId, at })
  const { bytes, contentType, width, height } = sanitizeImage(await readAll(upload.bytes), upload.declaredType)
  const hasSameRatio = Math.abs(height - (master.height * width) / master.width) <= 2
  if (width !== upload.width || width >= master.width || !hasSameRatio)
    throw new AppError('bad_input', `A rendition is the same picture, ${upload.width} pixels wide.`)
  const key = `${uploadKey(id)}@${width}`
  const object = await files.put(key, bytes, { httpMetadata: { contentType }, onlyIf: ONLY_IF_NEW })
  if (!object) throw new AppError('conflict', 'This picture has that width already.')
  // It may have been let go of, or its sender erased, while this came: no row would lead to the file.
  await requireRecentImage(db, { id, ownerId, at }).catch(async (error: unknown) => {
    await files.delete(key)
    throw error
  })
}

/**
 * Keeps a recording: sent on in parts as it comes, in constant memory. It is there with its last byte or not at all.
 * @throws AppError `bad_input` for what is no recording or is called something else.
 */
export async function receiveAudio(upload: IncomingUpload): Promise<UploadedAudio> {
  const { db, files, ownerId, at, statements } = upload
  const bytes = upload.bytes[Symbol.asyncIterator]()
  const header = await readHeader(bytes)
  const contentType = detectAudioType(header)
  if (!contentType) throw new AppError('bad_input', 'Please choose a recording: MP3, M4A, Ogg, WebM, WAV or FLAC.')
  if (contentType !== AUDIO_TYPES[upload.declaredType])
    throw new AppError('bad_input', 'That file is not of the kind that it says it is.')
  const id = await beginUpload(db, { kind: 'audio', ownerId, at })
  const multipart = await files.createMultipartUpload(uploadKey(id), { httpMetadata: { contentType } })
  try {
    // The sweep gives up by it what a dead worker has begun.
    await db.prepare('UPDATE uploads SET multipart_id = ?2 WHERE id = ?1').bind(id, multipart.uploadId).run()
    const parts = createMultipartWriter(multipart)
    await parts.write(header)
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) await parts.write(next.value)
    const { sizeBytes } = await parts.end()
    const [stored] = await db.batch([
      markUploadStored(db, id, { contentType, sizeBytes }, at),
      ...(statements?.(id) ?? []),
    ])
    await requireStored(stored, files, id)
    return { audio: uploadKey(id), sizeBytes }
  } catch (error) {
    await multipart.abort().catch(() => undefined)
    throw error
  }
}

/** Its sender may have been erased while the file came, and the sweep been there before it: no row would lead to it. */
async function requireStored(stored: D1Result | undefined, files: R2Bucket, id: string): Promise<void> {
  if (stored?.results.length === 1) return
  await files.delete(uploadKey(id))
  throw new AppError('not_found', 'That file was let go of while it was on its way.')
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return concatBytes(parts)
}

/** What comes until it is enough to see what it is; less when it ends before. */
async function readHeader(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let length = 0; length < AUDIO_HEADER_BYTES; ) {
    const next = await bytes.next()
    if (next.done) break
    parts.push(next.value)
    length += next.value.length
  }
  return concatBytes(parts)
}
