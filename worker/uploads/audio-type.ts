import { readTag } from './image-bytes'

/** How many of a recording's first bytes say what it is. */
export const AUDIO_HEADER_BYTES = 12

/** What a recording is by its first bytes, as one of the values of AUDIO_TYPES; null for what is none that we take. */
export function detectAudioType(head: Uint8Array): string | null {
  const [first, fourth] = [readTag(head, 0), readTag(head, 8)]
  if (head.length < AUDIO_HEADER_BYTES) return null
  if (first.startsWith('ID3')) return 'audio/mpeg'
  if (first === 'RIFF' && fourth === 'WAVE') return 'audio/wav'
  if (first === 'OggS') return 'audio/ogg'
  if (first === 'fLaC') return 'audio/flac'
  if (readTag(head, 4) === 'ftyp') return /^(M4A |M4B |mp4[12]|isom|iso[2-9]|dash)/.test(fourth) ? 'audio/mp4' : null
  // EBML, which a browser's recorder writes WebM in.
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'audio/webm'
  // A frame of MPEG audio, layer III: eleven bits of sync, a version and a bit rate and a frequency that exist.
  const [sync, version, rates] = [head[0], head[1] ?? 0, head[2] ?? 0]
  const isFrame = sync === 0xff && (version & 0xe6) === 0xe2 && (version & 0x18) !== 0x08
  return isFrame && (rates & 0xf0) !== 0xf0 && (rates & 0x0c) !== 0x0c ? 'audio/mpeg' : null
}
