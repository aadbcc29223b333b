import type { Endpoint } from '../../worker/contract/endpoint'
import { type UploadedImage, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'
import type { ImageCrop } from './image-crops'
import { resizeImage } from './resize-image'

/** The calls that take a picture, and the same one in another width. */
export type UploadEndpoints = {
  picture: Endpoint<string, null, typeof UploadedImage>
  /** Where none is taken, the shape names no widths. */
  rendition?: Endpoint<string, null, null>
}
type Options = {
  crop: ImageCrop
  endpoints?: UploadEndpoints
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Sends a picture in all its sizes and returns what was kept: all of it is there, or nothing names it. */
export async function uploadImage(
  file: Blob,
  { crop, endpoints = uploadsApi, onProgress, signal }: Options,
): Promise<UploadedImage> {
  const { picture, rendition } = endpoints
  const sizes = await resizeImage(file, crop)
  const total = sizes.reduce((sum, one) => sum + one.file.size, 0)
  let uploadedBytes = 0
  const [full, ...smaller] = sizes
  if (!full) throw new TypeError('That picture has no size.')
  const progressOf = (size: number) => (share: number) => onProgress((uploadedBytes + size * share) / total)
  const uploaded = await sendFile(picture, {}, full.file, { signal, onProgress: progressOf(full.file.size) })
  uploadedBytes += full.file.size
  for (const item of smaller) {
    if (!rendition) break
    const params = { id: uploaded.id, width: String(item.width) }
    await sendFile(rendition, params, item.file, { signal, onProgress: progressOf(item.file.size) })
    uploadedBytes += item.file.size
  }
  return uploaded
}
