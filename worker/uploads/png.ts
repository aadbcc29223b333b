import { damagedImageError, type ImageParts, readTag, readUint, trailingDataError } from './image-bytes'

/** The chunks that a picture is made of (PNG, third edition, 11), each with how long it may be. */
const ALLOWED_CHUNKS: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  IDAT: Number.POSITIVE_INFINITY,
  IEND: 0,
}

/**
 * A PNG's pixels: text, EXIF, times, profiles, animation and unknown chunks stay behind.
 * @throws AppError for a file that ends early or goes on after its end.
 */
export function sanitizePng(bytes: Uint8Array): ImageParts {
  const parts: Uint8Array[] = [bytes.subarray(0, 8)]
  let at = 8
  let pixels = 0
  if (readTag(bytes, 12) !== 'IHDR' || readUint(bytes, 8, 4) !== 13) throw damagedImageError()
  for (let tag = ''; tag !== 'IEND'; ) {
    const length = readUint(bytes, at, 4)
    tag = readTag(bytes, at + 4)
    const end = at + 12 + length
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(tag)) throw damagedImageError()
    const maxLength = ALLOWED_CHUNKS[tag]
    // A capital first letter says that a decoder cannot do without it.
    if (maxLength === undefined ? /^[A-Z]/.test(tag) : length > maxLength) throw damagedImageError()
    if (tag === 'IHDR' && at !== 8) throw damagedImageError()
    if (tag === 'IDAT') pixels += length
    if (maxLength !== undefined) parts.push(bytes.subarray(at, end))
    at = end
  }
  if (pixels === 0) throw damagedImageError()
  if (at !== bytes.length) throw trailingDataError()
  return { parts, width: readUint(bytes, 16, 4), height: readUint(bytes, 20, 4) }
}
