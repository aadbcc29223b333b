import { ID3Writer } from 'browser-id3-writer'
import type { MasterContentType } from '../contract/file-signatures'

export type AudioSource = { key: string; contentType: MasterContentType | 'audio/mpeg' }

/** Empty and null tags are left out of the file. */
export type TrackTags = {
  title: string
  artist: string
  album: string
  albumArtist: string
  number: number | null
  /** Tracks of the release; null for a single track. */
  total: number | null
  year: number | null
  isrc: string
  label: string
}

export type CoverImage = { bytes: Uint8Array<ArrayBuffer>; contentType: string }

/** Picture type "front cover" of ID3 and FLAC. */
const FRONT_COVER = 3

/**
 * Yields an audio file with these tags and this cover, in constant memory: new header blocks, then the unchanged audio.
 * Equal input gives equal bytes. A WAV file stays unchanged, because programs do not agree on tags for WAV.
 * @throws Error if the file is missing or broken.
 */
export async function* taggedAudio(
  files: R2Bucket,
  { key, contentType }: AudioSource,
  { tags, cover }: { tags: TrackTags; cover: CoverImage | null },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let offset = 0
  if (contentType === 'audio/mpeg') {
    yield id3Header(tags, cover)
    offset = await id3Length(files, key)
  }
  if (contentType === 'audio/flac') {
    const { blocks, audioOffset } = await readFlacHeader(files, key)
    yield flacHeader(blocks, tags, cover)
    offset = audioOffset
  }
  const object = await files.get(key, { range: { offset } })
  if (!object) throw new Error(`The audio file ${key} is missing.`)
  yield* object.body as ReadableStream<Uint8Array<ArrayBuffer>>
}

async function readBytes(files: R2Bucket, key: string, range: { offset: number; length: number }) {
  const object = await files.get(key, { range })
  if (!object) throw new Error(`The audio file ${key} is missing.`)
  return new Uint8Array(await object.arrayBuffer())
}

/** Length of an ID3v2 tag at the start of a file, else 0. */
async function id3Length(files: R2Bucket, key: string): Promise<number> {
  const head = await readBytes(files, key, { offset: 0, length: 10 })
  if (head.length < 10 || String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') return 0
  // The size is four bytes of seven bits, without the header and the footer, which have ten bytes each.
  const [flags = 0, ...size] = head.subarray(5)
  const hasFooter = (flags & 0x10) !== 0
  return 10 + size.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) + (hasFooter ? 10 : 0)
}

function id3Header(tags: TrackTags, cover: CoverImage | null): Uint8Array<ArrayBuffer> {
  const writer = new ID3Writer(new ArrayBuffer(0))
  const number = tags.number === null ? '' : `${tags.number}${tags.total === null ? '' : `/${tags.total}`}`
  const frames = {
    TIT2: tags.title,
    TALB: tags.album,
    TPE2: tags.albumArtist,
    TRCK: number,
    TSRC: tags.isrc,
    TPUB: tags.label,
  }
  for (const [frame, text] of Object.entries(frames) as [keyof typeof frames, string][])
    if (text !== '') writer.setFrame(frame, text)
  if (tags.artist !== '') writer.setFrame('TPE1', [tags.artist])
  if (tags.year !== null) writer.setFrame('TYER', tags.year)
  if (cover) writer.setFrame('APIC', { type: FRONT_COVER, data: cover.bytes.buffer, description: '' })
  return new Uint8Array(writer.addTag())
}

type FlacBlock = { type: number; bytes: Uint8Array<ArrayBuffer> }

const FLAC_PADDING = 1
const FLAC_COMMENT = 4
const FLAC_PICTURE = 6
/** The other blocks stay. The seek table stays valid, because it counts from the first audio frame. */
const REPLACED_BLOCK_TYPES = [FLAC_PADDING, FLAC_COMMENT, FLAC_PICTURE]
/** No encoder writes more header blocks. */
const MAX_FLAC_BLOCKS = 1000
/** Blocks beyond this total are left out, to limit the worker's memory. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024

/** The header blocks to keep, and the offset of the audio. */
async function readFlacHeader(files: R2Bucket, key: string): Promise<{ blocks: FlacBlock[]; audioOffset: number }> {
  const signature = await readBytes(files, key, { offset: 0, length: 4 })
  if (String.fromCharCode(...signature) !== 'fLaC') throw new Error(`${key} is not a FLAC file.`)
  const blocks: FlacBlock[] = []
  let offset = 4
  for (let count = 0, headerBytes = 0; count < MAX_FLAC_BLOCKS; count++) {
    // A block header: one byte with the last-block flag and the type, then a 24-bit length.
    const [first = 0, ...size] = await readBytes(files, key, { offset, length: 4 })
    const length = size.reduce((sum, byte) => sum * 256 + byte, 0)
    const type = first & 0x7f
    if (!REPLACED_BLOCK_TYPES.includes(type) && headerBytes + length <= MAX_HEADER_BYTES) {
      const bytes = length === 0 ? new Uint8Array() : await readBytes(files, key, { offset: offset + 4, length })
      blocks.push({ type, bytes })
      headerBytes += length
    }
    offset += 4 + length
    if (first & 0x80) return { blocks, audioOffset: offset }
  }
  throw new Error(`${key} has an invalid FLAC header.`)
}

function flacHeader(
  preserved: readonly FlacBlock[],
  tags: TrackTags,
  cover: CoverImage | null,
): Uint8Array<ArrayBuffer> {
  const blocks = [...preserved, { type: FLAC_COMMENT, bytes: vorbisComment(tags) }]
  if (cover) blocks.push({ type: FLAC_PICTURE, bytes: flacPicture(cover) })
  return concat([
    encoder.encode('fLaC'),
    ...blocks.flatMap(({ type, bytes }, index) => {
      const isLast = index === blocks.length - 1
      return [uint32(((type | (isLast ? 0x80 : 0)) << 24) | bytes.length), bytes]
    }),
  ])
}

function vorbisComment(tags: TrackTags): Uint8Array<ArrayBuffer> {
  const comments = Object.entries({
    TITLE: tags.title,
    ARTIST: tags.artist,
    ALBUM: tags.album,
    ALBUMARTIST: tags.albumArtist,
    TRACKNUMBER: tags.number,
    TRACKTOTAL: tags.total,
    DATE: tags.year,
    ISRC: tags.isrc,
    ORGANIZATION: tags.label,
  }).flatMap(([name, value]) => (value === null || value === '' ? [] : [encoder.encode(`${name}=${value}`)]))
  const withLength = (bytes: Uint8Array<ArrayBuffer>) => [uint32(bytes.length, true), bytes]
  // The first value is the length of the vendor string, which is empty.
  return concat([uint32(0), uint32(comments.length, true), ...comments.flatMap(withLength)])
}

function flacPicture({ bytes, contentType }: CoverImage): Uint8Array<ArrayBuffer> {
  const type = encoder.encode(contentType)
  // Length of the description, width, height, color depth and number of colors: 0 is none or unknown.
  const zeros = [0, 0, 0, 0, 0].map((value) => uint32(value))
  return concat([uint32(FRONT_COVER), uint32(type.length), type, ...zeros, uint32(bytes.length), bytes])
}

// Copies the bytes, because those of a TextEncoder have the wider type Uint8Array<ArrayBufferLike>.
const encoder = { encode: (text: string) => Uint8Array.from(new TextEncoder().encode(text)) }

function uint32(value: number, isLittleEndian = false): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value >>> 0, isLittleEndian)
  return bytes
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
