import type { Endpoint } from '../../worker/contract/endpoint'
import { type UploadedPicture, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'
import { sizesOf } from './resize'
import type { PictureShape } from './shapes'

/** The calls that take a picture, and the same one in another width. */
export type Ways = {
  picture: Endpoint<string, null, typeof UploadedPicture>
  /** Where none is taken, the shape names no widths. */
  rendition?: Endpoint<string, null, null>
}
type Options = { shape: PictureShape; ways?: Ways; onProgress: (share: number) => void; signal: AbortSignal }

/** Sends a picture in all its sizes and returns what was kept: all of it is there, or nothing names it. */
export async function sendPicture(
  file: Blob,
  { shape, ways = uploadsApi, onProgress, signal }: Options,
): Promise<UploadedPicture> {
  const { picture, rendition } = ways
  const sizes = await sizesOf(file, shape)
  const total = sizes.reduce((sum, one) => sum + one.file.size, 0)
  let done = 0
  const [full, ...smaller] = sizes
  if (!full) throw new TypeError('That picture has no size.')
  const progressOf = (size: number) => (share: number) => onProgress((done + size * share) / total)
  const sent = await sendFile(picture, {}, full.file, { signal, onProgress: progressOf(full.file.size) })
  done += full.file.size
  for (const one of smaller) {
    if (!rendition) break
    const place = { id: sent.id, width: String(one.width) }
    await sendFile(rendition, place, one.file, { signal, onProgress: progressOf(one.file.size) })
    done += one.file.size
  }
  return sent
}
