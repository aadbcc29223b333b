import { type Clean, damaged, moreBehind, numberAt, tagAt } from './clean'

/** The chunks that a picture is made of (PNG, third edition, 11), each with how long it may be. */
const KEPT: Readonly<Record<string, number>> = {
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
 * @throws Refused for a file that ends early or goes on after its end.
 */
export function cleanPng(bytes: Uint8Array): Clean {
  const parts: Uint8Array[] = [bytes.subarray(0, 8)]
  let at = 8
  let pixels = 0
  if (tagAt(bytes, 12) !== 'IHDR' || numberAt(bytes, 8, 4) !== 13) throw damaged()
  for (let tag = ''; tag !== 'IEND'; ) {
    const length = numberAt(bytes, at, 4)
    tag = tagAt(bytes, at + 4)
    const end = at + 12 + length
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(tag)) throw damaged()
    const most = KEPT[tag]
    // A capital first letter says that a decoder cannot do without it.
    if (most === undefined ? /^[A-Z]/.test(tag) : length > most) throw damaged()
    if (tag === 'IHDR' && at !== 8) throw damaged()
    if (tag === 'IDAT') pixels += length
    if (most !== undefined) parts.push(bytes.subarray(at, end))
    at = end
  }
  if (pixels === 0) throw damaged()
  if (at !== bytes.length) throw moreBehind()
  return { parts, width: numberAt(bytes, 16, 4), height: numberAt(bytes, 20, 4) }
}
