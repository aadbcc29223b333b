import { AppError } from '../lib/app-error'

/** A picture without anything but its pixels. */
export type ImageParts = { parts: Uint8Array[]; width: number; height: number }

export const damagedImageError = () => new AppError('bad_input', 'That picture is damaged, or not all of it arrived.')
/** A file that is a picture at its beginning and something else behind it. */
export const trailingDataError = () => new AppError('bad_input', 'That file holds more than a picture.')

/** The big-endian number of `size` bytes at `at`. @throws AppError where the file ends before it. */
export function readUint(bytes: Uint8Array, at: number, size: 2 | 4): number {
  if (at + size > bytes.length) throw damagedImageError()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return size === 2 ? view.getUint16(at) : view.getUint32(at)
}

/** Four letters at `at`. */
export const readTag = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
