import type { Endpoint } from '../../worker/contract/endpoint'
import { IMAGE_WIDTHS, type ImageWidth } from '../../worker/contract/images'
import { MAX_POST_IMAGE_SIDE_PX, type UploadedImage, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'

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

/** What of a picture of `from` is shown in `shape`, and how large it is drawn: its middle or all of it, never larger than it is. */
export function cropOf(from: { width: number; height: number }, crop: ImageCrop) {
  if (crop.uncropped) {
    const shrunk = Math.min(1, crop.width / from.width, crop.height / from.height)
    const drawn = (side: number) => Math.max(1, Math.round(side * shrunk))
    return { x: 0, y: 0, ...sizeOf(from), drawnWidth: drawn(from.width), drawnHeight: drawn(from.height) }
  }
  const scale = Math.min(from.width / crop.width, from.height / crop.height)
  const [width, height] = [crop.width * scale, crop.height * scale]
  const drawn = crop.exact ? 1 : Math.min(1, scale)
  return {
    x: (from.width - width) / 2,
    y: (from.height - height) / 2,
    width,
    height,
    drawnWidth: Math.max(1, Math.round(crop.width * drawn)),
    drawnHeight: Math.max(1, Math.round(crop.height * drawn)),
  }
}

/** A bitmap's sides are no own properties of it. */
const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height })

/** The widths below `full` that the pages may ask for. */
export const widthsBelow = (full: number, { widths = IMAGE_WIDTHS }: ImageCrop) =>
  widths.filter((width) => width < full)

export type ResizedImage = { width: number; file: Blob }

/**
 * A picture the right way up, cut to its shape, in its full width and in each width that the pages ask for: the full one
 * first. WebP, where this browser can write it.
 * @throws DOMException for a file that the browser cannot read as a picture.
 */
export async function resizeImage(file: Blob, crop: ImageCrop): Promise<ResizedImage[]> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const cut = cropOf(bitmap, crop)
    const render = async (width: number): Promise<ResizedImage> => {
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = Math.max(1, Math.round((cut.drawnHeight * width) / cut.drawnWidth))
      const context = canvas.getContext('2d')
      if (!context) throw new DOMException('No canvas.', 'NotReadableError')
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height)
      return { width, file: await encode(canvas, crop.png ? ['image/png'] : ['image/webp', 'image/jpeg']) }
    }
    const sizes: ResizedImage[] = []
    for (const width of [cut.drawnWidth, ...widthsBelow(cut.drawnWidth, crop)]) sizes.push(await render(width))
    return sizes
  } finally {
    bitmap.close()
  }
}

/** A browser that cannot write a type writes a PNG in its place, and says so in the blob's type. */
async function encode(canvas: HTMLCanvasElement, types: readonly string[]): Promise<Blob> {
  for (const type of types) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.86))
    if (blob?.type === type) return blob
  }
  throw new DOMException('This browser cannot write pictures.', 'NotSupportedError')
}

/**
 * How a picture is cut before it is sent: its middle, in this shape, at most so many pixels. `exact` ones are made larger
 * where they are too small; `png` is for those that other programs read; `whole` ones are not cut, only held to that
 * size. `widths` are the smaller ones that the pages ask for; all of them where nothing is said.
 */
export type ImageCrop = {
  width: number
  height: number
  exact?: boolean
  png?: boolean
  uncropped?: boolean
  widths?: readonly ImageWidth[]
}

/** A supporter's own picture, in a post: one file for every screen, so that nobody is sent another picture. */
export const POST_IMAGE_CROP: ImageCrop = {
  width: MAX_POST_IMAGE_SIDE_PX,
  height: MAX_POST_IMAGE_SIDE_PX,
  uncropped: true,
  widths: [],
}

/** One for every place that a picture of the desk stands in, as the pages lay it out. */
export const IMAGE_CROPS = {
  cover: { width: 1200, height: 1200 },
  product: { width: 1200, height: 1200 },
  show: { width: 1600, height: 1067 },
  post: { width: 1080, height: 1350 },
  heroWide: { width: 2400, height: 1350 },
  heroTall: { width: 1080, height: 1500 },
  share: { width: 1200, height: 630, exact: true, png: true },
  icon: { width: 512, height: 512, exact: true, png: true },
} satisfies Record<string, ImageCrop>
export type ImageCropName = keyof typeof IMAGE_CROPS
