import { IMAGE_WIDTHS } from '../../worker/contract/images'
import type { ImageCrop } from './image-crops'

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
