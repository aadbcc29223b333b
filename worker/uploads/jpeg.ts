import { damagedImageError, type ImageParts, readUint, trailingDataError } from './image-bytes'

// ITU T.81, annex B. The markers that a decoder needs: tables, frame, scan, restart interval.
const TABLE_MARKERS = new Set([0xdb, 0xc4, 0xcc, 0xdd])
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number | undefined) => marker !== undefined && marker >= 0xd0 && marker <= 0xd7
const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0))

/**
 * A JPEG's tables and scans. EXIF (and with it where it was taken, and which way up), XMP, colour profiles, comments,
 * thumbnails and what stands in other applications' segments stay behind: the browser has turned the picture the right
 * way up and into sRGB before. @throws AppError for a file that ends early or goes on after its end.
 */
export function sanitizeJpeg(bytes: Uint8Array): ImageParts {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw damagedImageError()
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined) throw damagedImageError()
    if (marker === 0xd9) break
    const length = readUint(bytes, at, 2)
    if (length < 2 || at + length > bytes.length) throw damagedImageError()
    const segment = bytes.subarray(at, at + length)
    at += length
    if (isFrame(marker)) {
      if (size) throw damagedImageError()
      size = { height: readUint(segment, 3, 2), width: readUint(segment, 5, 2) }
    }
    const sanitized = sanitizeSegment(marker, segment)
    if (sanitized) parts.push(Uint8Array.of(0xff, marker), sanitized)
    if (marker !== 0xda) continue
    const end = findScanEnd(bytes, at)
    parts.push(bytes.subarray(at, end))
    at = end
  }
  if (!size) throw damagedImageError()
  if (at !== bytes.length) throw trailingDataError()
  return { parts: [...parts, Uint8Array.of(0xff, 0xd9)], ...size }
}

/** What of a segment stays; null for one that goes. @throws AppError for a marker that has no business here. */
function sanitizeSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  if (isFrame(marker) || TABLE_MARKERS.has(marker) || marker === 0xda) return segment
  const payload = segment.subarray(2)
  // The density, without the thumbnail that may stand behind it.
  if (marker === 0xe0 && startsWith(payload, 'JFIF\0') && segment.length >= 16)
    return Uint8Array.of(0, 16, ...segment.subarray(2, 14), 0, 0)
  // Says which colours the numbers mean.
  if (marker === 0xee && startsWith(payload, 'Adobe') && segment.length === 14) return segment
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) return null
  throw damagedImageError()
}

/** Where the scan that begins at `at` ends: at the next marker that is neither stuffing nor a restart. */
function findScanEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw damagedImageError()
    const next = bytes[at + 1]
    if (next === 0 || isRestart(next)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
}
