import { PICTURE_PIXELS } from '../contract/uploads'
import { Refused } from '../lib/refused'
import { type Clean, damaged, tagAt } from './clean'
import { cleanJpeg } from './jpeg'
import { cleanPng } from './png'
import { cleanWebp } from './webp'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const KINDS: Readonly<Record<string, { is: (bytes: Uint8Array) => boolean; clean: (bytes: Uint8Array) => Clean }>> = {
  'image/jpeg': { is: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, clean: cleanJpeg },
  'image/png': { is: (bytes) => PNG.every((byte, i) => bytes[i] === byte), clean: cleanPng },
  'image/webp': { is: (bytes) => tagAt(bytes, 0) === 'RIFF' && tagAt(bytes, 8) === 'WEBP', clean: cleanWebp },
}

export type CleanPicture = { contentType: string; bytes: Uint8Array; width: number; height: number }

/**
 * A picture with its pixels and nothing else. It is taken for what its bytes say, and refused when its sender calls it
 * something else. @throws Refused `bad_input`: another kind of file, damaged, more than a picture, more than `most` pixels
 * to a side.
 */
export function cleanPicture(bytes: Uint8Array, saidType: string, most: number = PICTURE_PIXELS): CleanPicture {
  const [contentType, kind] = Object.entries(KINDS).find(([, { is }]) => is(bytes)) ?? []
  if (!contentType || !kind) throw new Refused('bad_input', 'Please choose a picture: JPEG, PNG or WebP.')
  if (contentType !== saidType) throw new Refused('bad_input', 'That file is not of the kind that it says it is.')
  const { parts, width, height } = kind.clean(bytes)
  if (width === 0 || height === 0) throw damaged()
  if (Math.max(width, height) > most)
    throw new Refused('bad_input', `That picture is too large: ${most} pixels to a side at the most.`)
  return { contentType, bytes: joined(parts), width, height }
}

/** One array of several. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
