import { MAX_IMAGE_SIDE_PX } from '../contract/uploads'
import { AppError } from '../lib/app-error'
import { encodePngData, hasValidChecksum, type PngData, parsePngHeader } from './png-data'

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const FORMATS: Readonly<
  Record<string, { matches: (bytes: Uint8Array) => boolean; sanitize: (bytes: Uint8Array) => ImageParts }>
> = {
  'image/jpeg': {
    matches: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff,
    sanitize: sanitizeJpeg,
  },
  'image/png': { matches: (bytes) => PNG_SIGNATURE.every((byte, i) => bytes[i] === byte), sanitize: sanitizePng },
  'image/webp': {
    matches: (bytes) => readTag(bytes, 0) === 'RIFF' && readTag(bytes, 8) === 'WEBP',
    sanitize: sanitizeWebp,
  },
}

type SanitizedImage = { contentType: string; bytes: Uint8Array; width: number; height: number }

/**
 * Removes everything but pixels from an image. @throws AppError `bad_input` for other formats, a content type that does
 * not match, damaged files, markup, trailing data, or more than `maxSidePx` in width or height.
 */
export async function sanitizeImage(
  bytes: Uint8Array,
  declaredType: string,
  maxSidePx: number = MAX_IMAGE_SIDE_PX,
): Promise<SanitizedImage> {
  const [contentType, format] = Object.entries(FORMATS).find(([, { matches }]) => matches(bytes)) ?? []
  if (!contentType || !format) throw new AppError('bad_input', 'Please choose a picture: JPEG, PNG or WebP.')
  if (contentType !== declaredType)
    throw new AppError('bad_input', 'That file does not match its type. Please choose another.')
  const { parts, width, height, png } = format.sanitize(bytes)
  if (width === 0 || height === 0) throw damagedImageError()
  if (Math.max(width, height) > maxSidePx)
    throw new AppError('bad_input', `That picture is too large. The limit is ${maxSidePx} pixels on each side.`)
  const sanitized = concatBytes(png ? [...parts, ...(await encodePngData(png).catch(throwDamaged))] : parts)
  if (containsMarkup(sanitized)) throw extraContentError()
  return { contentType, bytes: sanitized, width, height }
}

const throwDamaged = () => {
  throw damagedImageError()
}

/**
 * Programs that ignore the content type could run markup. Pixels of about one in 10,000 large files match by chance.
 */
const containsMarkup = (bytes: Uint8Array) =>
  /<(?:script|!doctype|iframe|html|body|\?php)/i.test(new TextDecoder('latin1').decode(bytes))

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** `png`: the pixels of a PNG, which follow `parts`. */
type ImageParts = { parts: Uint8Array[]; width: number; height: number; png?: PngData }

const damagedImageError = () => new AppError('bad_input', 'That picture is damaged, or not all of it arrived.')
const extraContentError = () =>
  new AppError('bad_input', 'That file contains more than a picture. Please choose another.')

/** Big-endian number. @throws AppError beyond the end of the file. */
function readUint(bytes: Uint8Array, at: number, size: 2 | 4): number {
  if (at + size > bytes.length) throw damagedImageError()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return size === 2 ? view.getUint16(at) : view.getUint32(at)
}

/** Four ASCII characters. */
const readTag = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

// JPEG markers of the segments that a decoder needs (ITU T.81, annex B).
const HUFFMAN_TABLES = 0xc4
const QUANTIZATION_TABLES = 0xdb
const RESTART_INTERVAL = 0xdd
const SCAN_MARKER = 0xda
const END_OF_IMAGE = 0xd9
/** Baseline, extended and progressive frames, which browsers decode. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xc2
const isRestart = (marker: number | undefined) => marker !== undefined && marker >= 0xd0 && marker <= 0xd7
const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0))

/**
 * Drops EXIF (with its location and orientation), XMP, color profiles, comments, thumbnails and application segments;
 * browsers have already rotated the image and converted it to sRGB. @throws AppError for an early end or trailing
 * data.
 */
function sanitizeJpeg(bytes: Uint8Array): ImageParts {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  const markers = new Set<number>()
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw damagedImageError()
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined) throw damagedImageError()
    if (marker === END_OF_IMAGE) break
    const length = readUint(bytes, at, 2)
    if (length < 2 || at + length > bytes.length) throw damagedImageError()
    const segment = bytes.subarray(at, at + length)
    at += length
    markers.add(marker)
    if (isFrame(marker)) {
      if (size) throw damagedImageError()
      size = { height: readUint(segment, 3, 2), width: readUint(segment, 5, 2) }
    }
    const sanitized = sanitizeSegment(marker, segment)
    if (sanitized) parts.push(Uint8Array.of(0xff, marker), sanitized)
    if (marker !== SCAN_MARKER) continue
    if (!size || !markers.has(HUFFMAN_TABLES) || !markers.has(QUANTIZATION_TABLES)) throw damagedImageError()
    const end = findScanEnd(bytes, at)
    if (end === at) throw damagedImageError()
    parts.push(bytes.subarray(at, end))
    at = end
  }
  if (!size || !markers.has(SCAN_MARKER)) throw damagedImageError()
  if (at !== bytes.length) throw extraContentError()
  return { parts: [...parts, Uint8Array.of(0xff, END_OF_IMAGE)], ...size }
}

/** The part of a segment to retain; null for none. @throws AppError for an unexpected marker or a wrong length. */
function sanitizeSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  if (isFrame(marker) || [HUFFMAN_TABLES, QUANTIZATION_TABLES, RESTART_INTERVAL, SCAN_MARKER].includes(marker)) {
    if (!hasExactLength(marker, segment)) throw damagedImageError()
    return segment
  }
  const payload = segment.subarray(2)
  // The JFIF header has the pixel density; its thumbnail is dropped.
  if (marker === 0xe0 && startsWith(payload, 'JFIF\0') && segment.length >= 16)
    return Uint8Array.of(0, 16, ...segment.subarray(2, 14), 0, 0)
  // The Adobe segment declares the color transform.
  if (marker === 0xee && startsWith(payload, 'Adobe') && segment.length === 14) return segment
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) return null
  throw damagedImageError()
}

/** True if a segment holds its header and tables, and nothing else. */
function hasExactLength(marker: number, segment: Uint8Array): boolean {
  const { length } = segment
  if (marker === RESTART_INTERVAL) return length === 4
  if (marker === SCAN_MARKER) return length === 6 + 2 * (segment[2] ?? 0)
  if (isFrame(marker)) return length === 8 + 3 * (segment[7] ?? 0)
  let at = 2
  while (at < length) {
    // The high nibble is the precision of a quantization table, or the class of a Huffman table: 0 or 1.
    const precision = (segment[at] ?? 0) >> 4
    if (precision > 1) return false
    const symbols = segment.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)
    at += marker === QUANTIZATION_TABLES ? 1 + 64 * (precision + 1) : 17 + symbols
  }
  return at === length && length > 2
}

/** Offset of the marker that ends a scan; skips stuffed bytes and restart markers. */
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

/** Allowed PNG chunks (PNG third edition, section 11) and their maximum lengths. */
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
 * Drops text, EXIF, times, profiles, animation and unknown chunks. @throws AppError for a wrong checksum, an early end
 * or trailing data.
 */
function sanitizePng(bytes: Uint8Array): ImageParts {
  const parts: Uint8Array[] = [bytes.subarray(0, 8)]
  const data: Uint8Array[] = []
  let at = 8
  if (readTag(bytes, 12) !== 'IHDR' || readUint(bytes, 8, 4) !== 13) throw damagedImageError()
  for (let tag = ''; tag !== 'IEND'; ) {
    const length = readUint(bytes, at, 4)
    tag = readTag(bytes, at + 4)
    const chunk = bytes.subarray(at, at + 12 + length)
    if (chunk.length < 12 + length || !/^[A-Za-z]{4}$/.test(tag)) throw damagedImageError()
    const maxLength = ALLOWED_CHUNKS[tag]
    // A capital first letter marks a chunk without which the image cannot be decoded.
    const isUnknownCritical = maxLength === undefined && /^[A-Z]/.test(tag)
    const isInvalid = maxLength !== undefined && (length > maxLength || !hasValidChecksum(chunk))
    if (isUnknownCritical || isInvalid) throw damagedImageError()
    if (tag === 'IHDR' && at !== 8) throw damagedImageError()
    if (tag === 'IDAT') data.push(chunk.subarray(8, -4))
    else if (maxLength !== undefined && tag !== 'IEND') parts.push(chunk)
    at += chunk.length
  }
  const header = parsePngHeader(bytes.subarray(16, 29))
  if (!header || data.length === 0) throw damagedImageError()
  if (at !== bytes.length) throw extraContentError()
  return { parts, width: header.width, height: header.height, png: { header, data } }
}

type Chunk = { tag: string; data: Uint8Array }
const ALPHA_FLAG = 0x10

/**
 * Retains one still frame and its alpha channel (RFC 9649); drops EXIF, XMP, profiles and unknown chunks. @throws
 * AppError for an animation, an early end or trailing data.
 */
function sanitizeWebp(bytes: Uint8Array): ImageParts {
  if (bytes.length < 20) throw damagedImageError()
  const declaredLength = 8 + readUintLE(bytes, 4, 4)
  if (declaredLength > bytes.length) throw damagedImageError()
  if (declaredLength < bytes.length) throw extraContentError()
  const chunks = [...readChunks(bytes)]
  if (chunks.some(({ tag }) => tag === 'ANIM' || tag === 'ANMF'))
    throw new AppError('bad_input', 'Animated images cannot be shown here. Please choose a still image.')
  const [frame, second] = chunks.filter(({ tag }) => tag === 'VP8 ' || tag === 'VP8L')
  if (!frame || second) throw damagedImageError()
  const { width, height } = readSize(frame)
  const alpha = chunks.find(({ tag }) => tag === 'ALPH')
  if (!alpha || frame.tag === 'VP8L') return { parts: encodeWebp([frame]), width, height }
  const header = new Uint8Array(10)
  header[0] = ALPHA_FLAG
  header.set(uint24LE(width - 1), 4)
  header.set(uint24LE(height - 1), 7)
  return { parts: encodeWebp([{ tag: 'VP8X', data: header }, alpha, frame]), width, height }
}

const uint24LE = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255]

function* readChunks(bytes: Uint8Array): Generator<Chunk> {
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw damagedImageError()
    const length = readUintLE(bytes, at + 4, 4)
    const end = at + 8 + length
    if (end > bytes.length) throw damagedImageError()
    yield { tag: readTag(bytes, at), data: bytes.subarray(at + 8, end) }
    at = end + (length % 2)
  }
}

/** The frame's own size; the canvas size is ignored. */
function readSize({ tag, data }: Chunk): { width: number; height: number } {
  if (data.length < 10) throw damagedImageError()
  if (tag === 'VP8L') {
    const bits = readUintLE(data, 1, 4)
    const version = bits >>> 29
    if (data[0] !== 0x2f || version !== 0) throw damagedImageError()
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // RFC 6386, section 9.1: key frame, start code, then both sides in 14 bits.
  if (((data[0] ?? 1) & 1) !== 0 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) throw damagedImageError()
  const firstPartitionLength = (readUintLE(data, 0, 4) & 0xffffff) >> 5
  if (firstPartitionLength === 0 || 10 + firstPartitionLength > data.length) throw damagedImageError()
  return { width: readUintLE(data, 6, 2) & 0x3fff, height: readUintLE(data, 8, 2) & 0x3fff }
}

function encodeWebp(chunks: readonly Chunk[]): Uint8Array[] {
  const padded = chunks.map(({ tag, data }) => {
    const chunk = new Uint8Array(8 + data.length + (data.length % 2))
    chunk.set(asciiBytes(tag))
    new DataView(chunk.buffer).setUint32(4, data.length, true)
    chunk.set(data, 8)
    return chunk
  })
  const head = new Uint8Array(12)
  head.set(asciiBytes('RIFF'))
  new DataView(head.buffer).setUint32(4, 4 + padded.reduce((sum, { length }) => sum + length, 0), true)
  head.set(asciiBytes('WEBP'), 8)
  return [head, ...padded]
}

const asciiBytes = (text: string) => new TextEncoder().encode(text)

function readUintLE(bytes: Uint8Array, at: number, size: 2 | 4): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return size === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
}
