import { Refused } from '../lib/refused'

/** A picture without anything but its pixels. */
export type Clean = { parts: Uint8Array[]; width: number; height: number }

export const damaged = () => new Refused('bad_input', 'That picture is damaged, or not all of it arrived.')
/** A file that is a picture at its beginning and something else behind it. */
export const moreBehind = () => new Refused('bad_input', 'That file holds more than a picture.')

/** The big-endian number of `size` bytes at `at`. @throws Refused where the file ends before it. */
export function numberAt(bytes: Uint8Array, at: number, size: 2 | 4): number {
  if (at + size > bytes.length) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return size === 2 ? view.getUint16(at) : view.getUint32(at)
}

/** Four letters at `at`. */
export const tagAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
