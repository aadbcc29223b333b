/** Number of leading bytes that identify a file's kind. */
export const SIGNATURE_BYTES = 12

const charsAt = (bytes: Uint8Array, from: number, length = 4) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

const isMpegFrame = ([sync, version = 0, rates = 0]: Uint8Array) =>
  // Sync bits with a valid version, layer III, bit rate and frequency.
  sync === 0xff &&
  (version & 0xe6) === 0xe2 &&
  (version & 0x18) !== 0x08 &&
  (rates & 0xf0) !== 0xf0 &&
  (rates & 0x0c) !== 0x0c

const M4A_BRAND = /^(M4A |M4B |mp4[12]|isom|iso[2-9]|dash)/

/** File types with an article, for error messages. The first match counts: narrow signatures precede wide ones. */
const SIGNATURES: readonly [name: string, matches: (head: Uint8Array) => boolean][] = [
  ['a FLAC file', (head) => charsAt(head, 0) === 'fLaC'],
  ['a WAV file', (head) => ['RIFF', 'RF64'].includes(charsAt(head, 0)) && charsAt(head, 8) === 'WAVE'],
  ['an MP3', (head) => charsAt(head, 0, 3) === 'ID3' || isMpegFrame(head)],
  ['an Ogg file', (head) => charsAt(head, 0) === 'OggS'],
  ['an M4A or MP4', (head) => charsAt(head, 4) === 'ftyp' && M4A_BRAND.test(charsAt(head, 8))],
  ['a video or picture', (head) => charsAt(head, 4) === 'ftyp'],
  ['a WebM', (head) => charsAt(head, 0) === '\x1a\x45\xdf\xa3'],
  ['an AIFF', (head) => charsAt(head, 0) === 'FORM' && charsAt(head, 8, 3) === 'AIF'],
  ['an AVI or WebP', (head) => charsAt(head, 0) === 'RIFF'],
  ['a ZIP archive', (head) => charsAt(head, 0, 2) === 'PK'],
  ['a PDF', (head) => charsAt(head, 0) === '%PDF'],
  ['a picture', (head) => ['\x89PNG', 'GIF8'].includes(charsAt(head, 0)) || charsAt(head, 0, 2) === '\xff\xd8'],
  ['a web page', (head) => charsAt(head, 0, 1) === '<'],
  ['a text file', (head) => /^[\t\n\r -~]+$/.test(charsAt(head, 0, SIGNATURE_BYTES))],
]

/** Name of a file's type by its first bytes: 'an MP3'; null if unknown. */
const nameOfSignature = (head: Uint8Array): string | null =>
  SIGNATURES.find(([, matches]) => matches(head))?.[0] ?? null

/** Why a file is rejected, for an error message: 'it begins like a PDF.' */
export function describeSignature(head: Uint8Array): string {
  if (head.length < SIGNATURE_BYTES) return head.length === 0 ? 'it is empty.' : 'it is too short.'
  const name = nameOfSignature(head)
  return name ? `it begins like ${name}.` : 'its file type is unknown.'
}

const AUDIO_TYPE_OF_SIGNATURE: Readonly<Record<string, string>> = {
  'a FLAC file': 'audio/flac',
  'a WAV file': 'audio/wav',
  'an MP3': 'audio/mpeg',
  'an Ogg file': 'audio/ogg',
  'an M4A or MP4': 'audio/mp4',
  'a WebM': 'audio/webm',
}
/** The content type of an audio file by its first bytes; null for other files. */
export const audioContentType = (head: Uint8Array): string | null =>
  (head.length >= SIGNATURE_BYTES && AUDIO_TYPE_OF_SIGNATURE[nameOfSignature(head) ?? '']) || null

/** Error message for a file that is not audio. */
export const notAudioMessage = (head: Uint8Array): string =>
  `This file is not a recording: ${describeSignature(head)} Please choose MP3, M4A, Ogg, WebM, WAV or FLAC.`

export const MASTER_CONTENT_TYPES = ['audio/flac', 'audio/wav'] as const
export type MasterContentType = (typeof MASTER_CONTENT_TYPES)[number]

/** The content type of a lossless master by its first bytes; null for other files. */
export const masterContentType = (head: Uint8Array): MasterContentType | null =>
  MASTER_CONTENT_TYPES.find((type) => type === audioContentType(head)) ?? null

/** Error message for a file that is not a lossless master. */
export const notAMasterMessage = (head: Uint8Array): string =>
  `This file is not FLAC or WAV: ${describeSignature(head)} Please choose the FLAC or WAV file.`
