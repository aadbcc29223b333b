import { eq } from 'drizzle-orm'
import { AUDIO_TYPES, type UploadedAudio, type UploadedImage } from '../contract/uploads'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { createMultipartWriter } from '../lib/multipart-upload'
import { concatBytes, readTag, sanitizeImage } from './sanitize-image'
import { beginUpload, imageUrl, markUploadStored, requireRecentImage, uploadKey } from './uploads'
import { uploads } from './uploads.table'

export type IncomingUpload = Pick<Deps, 'db' | 'files'> & {
  /** Null for a visitor, who may send audio. */
  ownerId: number | null
  at: Millis
  /** Uploads per owner and day; default `limits.uploadsPerDay`. */
  perDay?: number
  /** Largest width and height; default MAX_IMAGE_SIDE_PX. */
  maxPixels?: number
  /** The request's content type; must match the bytes. */
  declaredType: string
  /** The body, limited in size by the reader (`readFileBytes`). */
  bytes: AsyncIterable<Uint8Array>
  /** Statements for the same batch, e.g. an audit entry. */
  statements?: (id: string) => readonly D1PreparedStatement[]
}

/** A key always holds the same image. */
const ONLY_IF_NEW = { etagDoesNotMatch: '*' }

/**
 * Stores a sanitized image. @throws AppError as `sanitizeImage` and `beginUpload`; `not_found` if dropped in the
 * meantime.
 */
export async function receiveImage(upload: IncomingUpload): Promise<UploadedImage> {
  const { db, files, ownerId, at, perDay, statements } = upload
  const { bytes, contentType, width, height } = await sanitizeImage(
    await readAll(upload.bytes),
    upload.declaredType,
    upload.maxPixels,
  )
  const id = await beginUpload(db, { kind: 'picture', ownerId, at, ...(perDay && { perDay }) })
  await files.put(uploadKey(id), bytes, { httpMetadata: { contentType }, onlyIf: ONLY_IF_NEW })
  const [stored] = await db.$client.batch([
    markUploadStored(db, id, { contentType, sizeBytes: bytes.length, width, height }, at),
    ...(statements?.(id) ?? []),
  ])
  await requireStored(stored, files, id)
  return { id, url: imageUrl(id), width, height }
}

/**
 * Stores a smaller variant of an image, for `?w=`. @throws AppError as `sanitizeImage`, `bad_input` for a wrong size,
 * `not_found` as `requireRecentImage`, `conflict` if it exists.
 */
export async function receiveRendition(
  upload: IncomingUpload & { ownerId: number; id: string; width: number },
): Promise<void> {
  const { db, files, ownerId, at, id } = upload
  const master = await requireRecentImage(db, { id, ownerId, at })
  const { bytes, contentType, width, height } = await sanitizeImage(await readAll(upload.bytes), upload.declaredType)
  const hasSameRatio = Math.abs(height - (master.height * width) / master.width) <= 2
  if (width !== upload.width || width >= master.width || !hasSameRatio)
    throw new AppError('bad_input', `A rendition is the same picture, ${upload.width} pixels wide.`)
  const key = `${uploadKey(id)}@${width}`
  const object = await files.put(key, bytes, { httpMetadata: { contentType }, onlyIf: ONLY_IF_NEW })
  if (!object) throw new AppError('conflict', 'This picture has that width already.')
  // The image may have been dropped in the meantime; then no row would lead to the file.
  await requireRecentImage(db, { id, ownerId, at }).catch(async (error: unknown) => {
    await files.delete(key)
    throw error
  })
}

/**
 * Streams an audio file to R2 as a multipart upload, in constant memory. @throws AppError `bad_input` for other
 * content or a wrong content type.
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
    // The cleanup job aborts it if this worker dies.
    await db.update(uploads).set({ multipartId: multipart.uploadId }).where(eq(uploads.id, id))
    const parts = createMultipartWriter(multipart)
    await parts.write(header)
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) await parts.write(next.value)
    const { sizeBytes } = await parts.end()
    const [stored] = await db.$client.batch([
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

/** The upload may have been dropped in the meantime; then no row would lead to the file. */
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

/** Reads at least AUDIO_HEADER_BYTES, or all there is. */
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

/** Bytes that identify an audio type. */
const AUDIO_HEADER_BYTES = 12

/** A value of AUDIO_TYPES, or null for unsupported content. */
function detectAudioType(head: Uint8Array): string | null {
  const [first, fourth] = [readTag(head, 0), readTag(head, 8)]
  if (head.length < AUDIO_HEADER_BYTES) return null
  if (first.startsWith('ID3')) return 'audio/mpeg'
  if (first === 'RIFF' && fourth === 'WAVE') return 'audio/wav'
  if (first === 'OggS') return 'audio/ogg'
  if (first === 'fLaC') return 'audio/flac'
  if (readTag(head, 4) === 'ftyp') return /^(M4A |M4B |mp4[12]|isom|iso[2-9]|dash)/.test(fourth) ? 'audio/mp4' : null
  // EBML: WebM, as browsers record it.
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'audio/webm'
  // MPEG audio layer III frame: sync bits with a valid version, bit rate and frequency.
  const [sync, version, rates] = [head[0], head[1] ?? 0, head[2] ?? 0]
  const isFrame = sync === 0xff && (version & 0xe6) === 0xe2 && (version & 0x18) !== 0x08
  return isFrame && (rates & 0xf0) !== 0xf0 && (rates & 0x0c) !== 0x0c ? 'audio/mpeg' : null
}
