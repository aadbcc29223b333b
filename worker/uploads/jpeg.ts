import { type Clean, damaged, moreBehind, numberAt } from './clean'

// ITU T.81, annex B. The markers that a decoder needs: tables, frame, scan, restart interval.
const TABLES = new Set([0xdb, 0xc4, 0xcc, 0xdd])
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number | undefined) => marker !== undefined && marker >= 0xd0 && marker <= 0xd7
const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0))

/**
 * A JPEG's tables and scans. EXIF (and with it where it was taken, and which way up), XMP, colour profiles, comments,
 * thumbnails and what stands in other applications' segments stay behind: the browser has turned the picture the right
 * way up and into sRGB before. @throws Refused for a file that ends early or goes on after its end.
 */
export function cleanJpeg(bytes: Uint8Array): Clean {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw damaged()
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined) throw damaged()
    if (marker === 0xd9) break
    const length = numberAt(bytes, at, 2)
    if (length < 2 || at + length > bytes.length) throw damaged()
    const segment = bytes.subarray(at, at + length)
    at += length
    if (isFrame(marker)) {
      if (size) throw damaged()
      size = { height: numberAt(segment, 3, 2), width: numberAt(segment, 5, 2) }
    }
    const kept = keptOf(marker, segment)
    if (kept) parts.push(Uint8Array.of(0xff, marker), kept)
    if (marker !== 0xda) continue
    const end = scanEnd(bytes, at)
    parts.push(bytes.subarray(at, end))
    at = end
  }
  if (!size) throw damaged()
  if (at !== bytes.length) throw moreBehind()
  return { parts: [...parts, Uint8Array.of(0xff, 0xd9)], ...size }
}

/** What of a segment stays; null for one that goes. @throws Refused for a marker that has no business here. */
function keptOf(marker: number, segment: Uint8Array): Uint8Array | null {
  if (isFrame(marker) || TABLES.has(marker) || marker === 0xda) return segment
  const words = segment.subarray(2)
  // The density, without the thumbnail that may stand behind it.
  if (marker === 0xe0 && startsWith(words, 'JFIF\0') && segment.length >= 16)
    return Uint8Array.of(0, 16, ...segment.subarray(2, 14), 0, 0)
  // Says which colours the numbers mean.
  if (marker === 0xee && startsWith(words, 'Adobe') && segment.length === 14) return segment
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) return null
  throw damaged()
}

/** Where the scan that begins at `at` ends: at the next marker that is neither stuffing nor a restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw damaged()
    const next = bytes[at + 1]
    if (next === 0 || isRestart(next)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
}
