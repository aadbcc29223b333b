import { MAX_IMAGE_SIDE_PX } from '../contract/uploads'
import { AppError } from '../lib/app-error'
import { damagedImageError, type ImageParts, readTag } from './image-bytes'
import { sanitizeJpeg } from './jpeg'
import { sanitizePng } from './png'
import { sanitizeWebp } from './webp'

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const FORMATS: Readonly<
  Record<string, { is: (bytes: Uint8Array) => boolean; clean: (bytes: Uint8Array) => ImageParts }>
> = {
  'image/jpeg': { is: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, clean: sanitizeJpeg },
  'image/png': { is: (bytes) => PNG_SIGNATURE.every((byte, i) => bytes[i] === byte), clean: sanitizePng },
  'image/webp': { is: (bytes) => readTag(bytes, 0) === 'RIFF' && readTag(bytes, 8) === 'WEBP', clean: sanitizeWebp },
}

export type SanitizedImage = { contentType: string; bytes: Uint8Array; width: number; height: number }

/**
 * A picture with its pixels and nothing else. It is taken for what its bytes say, and refused when its sender calls it
 * something else. @throws AppError `bad_input`: another kind of file, damaged, more than a picture, more than `most` pixels
 * to a side.
 */
export function sanitizeImage(
  bytes: Uint8Array,
  declaredType: string,
  maxPixels: number = MAX_IMAGE_SIDE_PX,
): SanitizedImage {
  const [contentType, kind] = Object.entries(FORMATS).find(([, { is }]) => is(bytes)) ?? []
  if (!contentType || !kind) throw new AppError('bad_input', 'Please choose a picture: JPEG, PNG or WebP.')
  if (contentType !== declaredType) throw new AppError('bad_input', 'That file is not of the kind that it says it is.')
  const { parts, width, height } = kind.clean(bytes)
  if (width === 0 || height === 0) throw damagedImageError()
  if (Math.max(width, height) > maxPixels)
    throw new AppError('bad_input', `That picture is too large: ${maxPixels} pixels to a side at the most.`)
  return { contentType, bytes: concatBytes(parts), width, height }
}

/** One array of several. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
