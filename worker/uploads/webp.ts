import { AppError } from '../lib/app-error'
import { damagedImageError, type ImageParts, readTag, trailingDataError } from './image-bytes'

type Chunk = { tag: string; data: Uint8Array }
const ALPHA_FLAG = 0x10

/**
 * A WebP's pixels (RFC 9649): one still frame and its transparency. EXIF, XMP, profiles and unknown chunks stay behind.
 * @throws AppError for a moving picture, and for a file that ends early or goes on after its end.
 */
export function sanitizeWebp(bytes: Uint8Array): ImageParts {
  if (bytes.length < 20) throw damagedImageError()
  const declaredLength = 8 + readUintLE(bytes, 4, 4)
  if (declaredLength > bytes.length) throw damagedImageError()
  if (declaredLength < bytes.length) throw trailingDataError()
  const chunks = [...readChunks(bytes)]
  if (chunks.some(({ tag }) => tag === 'ANIM' || tag === 'ANMF'))
    throw new AppError('bad_input', 'A moving picture cannot be shown here. Please send a still one.')
  const [frame, second] = chunks.filter(({ tag }) => tag === 'VP8 ' || tag === 'VP8L')
  if (!frame || second) throw damagedImageError()
  const { width, height } = readSize(frame)
  const alpha = chunks.find(({ tag }) => tag === 'ALPH')
  if (!alpha || frame.tag === 'VP8L') return { parts: writeRiff([frame]), width, height }
  const header = new Uint8Array(10)
  header[0] = ALPHA_FLAG
  for (const [at, value] of [
    [4, width - 1],
    [7, height - 1],
  ] as const)
    header.set([value & 255, (value >> 8) & 255, (value >> 16) & 255], at)
  return { parts: writeRiff([{ tag: 'VP8X', data: header }, alpha, frame]), width, height }
}

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

/** The frame's own size: what a canvas around it says is not believed. */
function readSize({ tag, data }: Chunk): { width: number; height: number } {
  if (data.length < 10) throw damagedImageError()
  if (tag === 'VP8L') {
    if (data[0] !== 0x2f) throw damagedImageError()
    const bits = readUintLE(data, 1, 4)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // RFC 6386, 9.1: a key frame, its start code, then both sides in 14 bits.
  if (((data[0] ?? 1) & 1) !== 0 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) throw damagedImageError()
  return { width: readUintLE(data, 6, 2) & 0x3fff, height: readUintLE(data, 8, 2) & 0x3fff }
}

function writeRiff(chunks: readonly Chunk[]): Uint8Array[] {
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
