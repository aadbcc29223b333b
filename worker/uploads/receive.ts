import { eq } from 'drizzle-orm'
import { audioContentType, describeSignature, notAudioMessage, SIGNATURE_BYTES } from '../contract/file-signatures'
import type { ImageWidth } from '../contract/images'
import { AUDIO_TYPES, type UploadedAudio, type UploadedImage } from '../contract/uploads'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { createMultipartWriter } from '../lib/multipart-upload'
import { convertImage, type ImageFile, type ImagesService } from './convert-image'
import { concatBytes, sanitizeImage } from './sanitize-image'
import { beginUpload, imageKeys, imageUrl, markUploadStored, requireRecentImage, uploadKey } from './uploads'
import { uploads } from './uploads.table'

export type IncomingFile = Pick<Deps, 'db' | 'files'> & {
  /** Null for a visitor, who may send audio. */
  ownerId: number | null
  at: Millis
  /** The request's content type; must match the bytes. */
  declaredType: string
  /** The body, limited in size by the reader (`readFileBytes`). */
  bytes: AsyncIterable<Uint8Array>
  /** Statements for the same batch, e.g. an audit entry. */
  statements?: (id: string) => readonly D1PreparedStatement[]
}

export type IncomingImage = IncomingFile & {
  /** For an image: maximum uploads of its owner per day, audio included; default `limits.uploadsPerDay`. */
  perDay?: number
  /** Largest width and height; default MAX_IMAGE_SIDE_PX. */
  maxSidePx?: number
  /** Average color, as three hexadecimal digits; any other value is ignored. */
  color?: string | undefined
  images?: ImagesService
}

/**
 * Stores each format of an image under its key. Returns false if a key has an image already: images are never replaced.
 */
async function putImage(files: R2Bucket, keys: readonly string[], formats: readonly ImageFile[]): Promise<boolean> {
  const objects = await Promise.all(
    keys.map((key, i) => {
      const { bytes, contentType } = formats[i] as ImageFile
      return files.put(key, bytes, { httpMetadata: { contentType }, onlyIf: { etagDoesNotMatch: '*' } })
    }),
  )
  return objects.every((object) => object !== null)
}

/**
 * Stores a sanitized image. @throws AppError as `sanitizeImage` and `beginUpload`; `not_found` if dropped in the
 * meantime.
 */
export async function receiveImage(upload: IncomingImage): Promise<UploadedImage> {
  const { db, files, ownerId, at, perDay, statements } = upload
  const { bytes, contentType, width, height } = await sanitizeImage(
    await readAll(upload.bytes),
    upload.declaredType,
    upload.maxSidePx,
  )
  const color = upload.color && /^[0-9a-f]{3}$/.test(upload.color) ? `.c${upload.color}` : ''
  // The URL of the AVIF is derived only from an id with a color (`avifUrl`).
  const converted = color ? await convertImage(upload.images, { bytes, contentType }) : null
  const suffix = color + (converted ? '.webp' : '')
  const id = await beginUpload(db, { kind: 'picture', ownerId, at, suffix, ...(perDay && { perDay }) })
  const image = converted?.webp ?? { bytes, contentType }
  await putImage(files, imageKeys(id, null), [image, converted?.avif ?? image])
  const [stored] = await db.$client.batch([
    markUploadStored(db, id, { contentType: image.contentType, sizeBytes: image.bytes.length, width, height }, at),
    ...(statements?.(id) ?? []),
  ])
  await requireStored(stored, files, id)
  return { id, url: imageUrl(id), width, height }
}

/**
 * Stores a smaller variant of an image. @throws AppError as `sanitizeImage`, `bad_input` for a wrong size,
 * `not_found` as `requireRecentImage`, `conflict` if it exists.
 */
export async function receiveVariant(
  upload: IncomingImage & { ownerId: number; id: string; width: ImageWidth },
): Promise<void> {
  const { db, files, ownerId, at, id } = upload
  const original = await requireRecentImage(db, { id, ownerId, at })
  const { bytes, contentType, width, height } = await sanitizeImage(await readAll(upload.bytes), upload.declaredType)
  const hasSameRatio = Math.abs(height - (original.height * width) / original.width) <= 2
  if (width !== upload.width || width >= original.width || !hasSameRatio)
    throw new AppError('bad_input', `A smaller copy must show the same picture, ${upload.width} pixels wide.`)
  const keys = imageKeys(id, upload.width)
  const image = { bytes, contentType }
  const converted = keys.length > 1 ? await convertImage(upload.images, image) : null
  const isNew = await putImage(files, keys, [converted?.webp ?? image, converted?.avif ?? image])
  if (!isNew) throw new AppError('conflict', 'This picture already has that width.')
  // If the image was dropped in the meantime, its row may be gone, and no job would delete the file.
  await requireRecentImage(db, { id, ownerId, at }).catch(async (error: unknown) => {
    await files.delete(keys)
    throw error
  })
}

/**
 * Streams an audio file to R2 as a multipart upload, in constant memory. @throws AppError as `beginUpload`; `bad_input`
 * for other content or a wrong content type; `not_found` if dropped in the meantime.
 */
export async function receiveAudio(upload: IncomingFile): Promise<UploadedAudio> {
  const { db, files, ownerId, at, statements } = upload
  const bytes = upload.bytes[Symbol.asyncIterator]()
  const header = await readHeader(bytes)
  const contentType = audioContentType(header)
  if (!contentType) throw new AppError('bad_input', notAudioMessage(header))
  if (contentType !== AUDIO_TYPES[upload.declaredType])
    throw new AppError(
      'bad_input',
      `This file was sent as ${upload.declaredType}, but ${describeSignature(header)} Please correct its name.`,
    )
  const id = await beginUpload(db, { kind: 'audio', ownerId, at })
  const multipart = await files.createMultipartUpload(uploadKey(id), { httpMetadata: { contentType } })
  try {
    // If this worker crashes, the cleanup job aborts the upload.
    await db.update(uploads).set({ multipartId: multipart.uploadId }).where(eq(uploads.id, id))
    const writer = createMultipartWriter(multipart)
    await writer.write(header)
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) await writer.write(next.value)
    const { sizeBytes } = await writer.end()
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

/**
 * Deletes the file if the upload was dropped in the meantime: its row may be gone, and no job would delete the file.
 * @throws AppError `not_found`.
 */
async function requireStored(stored: D1Result | undefined, files: R2Bucket, id: string): Promise<void> {
  if (stored?.results.length === 1) return
  await files.delete(imageKeys(id, null))
  throw new AppError('not_found', 'That upload was canceled. Please send the file again.')
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return concatBytes(parts)
}

/** Reads at least SIGNATURE_BYTES, or to the end of a shorter file. */
export async function readHeader(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let length = 0; length < SIGNATURE_BYTES; ) {
    const next = await bytes.next()
    if (next.done) break
    parts.push(next.value)
    length += next.value.length
  }
  return concatBytes(parts)
}
