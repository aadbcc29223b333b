import type { Endpoint } from '../../worker/contract/endpoint'
import { IMAGE_WIDTHS } from '../../worker/contract/images'
import { type UploadedImage, uploadsApi } from '../../worker/contract/uploads'
import { sendFile } from '../api/send-file'
import { type CropFrame, cropOf, type ImageCrop } from './image-crop'
import { UploadError } from './upload-error'

/** What a file picker for images accepts. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

/** Endpoints for the full-size image and for a smaller variant. */
type UploadEndpoints = {
  image: Endpoint<string, null, typeof UploadedImage>
  /** Undefined if the crop's `widths` is empty. */
  variant?: Endpoint<string, null, null>
}
type Options = {
  crop: ImageCrop
  frame?: CropFrame
  endpoints?: UploadEndpoints
  onProgress: (progress: number) => void
  signal: AbortSignal
}

/** Uploads the full-size image, then the smaller variants. @throws ApiError; UploadError; the signal's reason. */
export async function uploadImage(
  file: Blob,
  { crop, frame, endpoints = uploadsApi, onProgress, signal }: Options,
): Promise<UploadedImage> {
  const { image, variant } = endpoints
  const { images, color } = await resizeImage(file, crop, frame)
  const totalBytes = images.reduce((sum, resized) => sum + resized.file.size, 0)
  let uploadedBytes = 0
  const [full, ...smaller] = images
  if (!full) throw new TypeError('That picture is empty.')
  const progressOf = (size: number) => (progress: number) => onProgress((uploadedBytes + size * progress) / totalBytes)
  const uploaded = await sendFile(image, {}, full.file, {
    signal,
    onProgress: progressOf(full.file.size),
    search: color && `?color=${color}`,
  })
  uploadedBytes += full.file.size
  for (const resized of smaller) {
    if (!variant) break
    const params = { id: uploaded.id, width: String(resized.width) }
    await sendFile(variant, params, resized.file, { signal, onProgress: progressOf(resized.file.size) })
    uploadedBytes += resized.file.size
  }
  return uploaded
}

const widthsBelow = (full: number, { widths = IMAGE_WIDTHS }: ImageCrop) => widths.filter((width) => width < full)

type ResizedImage = { width: number; file: Blob }
type ResizedImages = { images: ResizedImage[]; color: string }

/**
 * Crops an image and renders it in full width, first, and in each smaller width; WebP where supported. `color` is the
 * average, as three hexadecimal digits; empty if the image is not opaque.
 * @throws UploadError if the browser cannot decode the file, or encode the result.
 */
async function resizeImage(file: Blob, crop: ImageCrop, frame?: CropFrame): Promise<ResizedImages> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause) => {
    throw new UploadError('This browser cannot read that picture. Please choose a JPEG, PNG or WebP.', { cause })
  })
  try {
    const cropped = cropOf(bitmap, crop, frame)
    const draw = (width: number) => {
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = Math.max(1, Math.round((cropped.outputHeight * width) / cropped.outputWidth))
      const context = canvas.getContext('2d')
      if (!context) throw new UploadError('This browser cannot edit pictures. Please try another one.')
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, cropped.x, cropped.y, cropped.width, cropped.height, 0, 0, canvas.width, canvas.height)
      return { canvas, context }
    }
    const images: ResizedImage[] = []
    for (const width of [cropped.outputWidth, ...widthsBelow(cropped.outputWidth, crop)])
      images.push({
        width,
        file: await encodeCanvas(draw(width).canvas, crop.png ? ['image/png'] : ['image/webp', 'image/jpeg']),
      })
    const small = draw(Math.min(AVERAGED_WIDTH_PX, cropped.outputWidth))
    return { images, color: averageColor(small.context.getImageData(0, 0, small.canvas.width, small.canvas.height)) }
  } finally {
    bitmap.close()
  }
}

const AVERAGED_WIDTH_PX = 32

function averageColor({ data, width, height }: ImageData): string {
  const [red, green, blue, alpha] = [0, 1, 2, 3].map((channel) => {
    let sum = 0
    for (let i = channel; i < data.length; i += 4) sum += data[i] ?? 0
    // 255 / 17 is 15, one hexadecimal digit.
    return Math.round(sum / (width * height) / 17).toString(16)
  })
  return alpha === 'f' ? `${red}${green}${blue}` : ''
}

/** Quality of WebP and JPEG, from 0 to 1. */
const ENCODING_QUALITY = 0.86

/** Encodes in the first type that the browser supports; for other types, browsers return a PNG. */
async function encodeCanvas(canvas: HTMLCanvasElement, types: readonly string[]): Promise<Blob> {
  for (const type of types) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, ENCODING_QUALITY))
    if (blob?.type === type) return blob
  }
  throw new UploadError('This browser cannot save pictures. Please try another one.')
}
