import { uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'
import { sizesOf } from './resize'
import type { PictureShape } from './shapes'

type Options = { shape: PictureShape; onProgress: (share: number) => void; signal: AbortSignal }

/** Sends a picture in all its sizes and returns its address: all of it is there, or nothing names it. */
export async function sendPicture(file: Blob, { shape, onProgress, signal }: Options): Promise<string> {
  const sizes = await sizesOf(file, shape)
  const total = sizes.reduce((sum, one) => sum + one.file.size, 0)
  let done = 0
  const [full, ...smaller] = sizes
  if (!full) throw new TypeError('That picture has no size.')
  const progressOf = (size: number) => (share: number) => onProgress((done + size * share) / total)
  const sent = await sendFile(uploadsApi.picture, {}, full.file, { signal, onProgress: progressOf(full.file.size) })
  done += full.file.size
  for (const one of smaller) {
    const place = { id: sent.id, width: String(one.width) }
    await sendFile(uploadsApi.rendition, place, one.file, { signal, onProgress: progressOf(one.file.size) })
    done += one.file.size
  }
  return sent.url
}
