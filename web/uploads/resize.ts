import { PICTURE_WIDTHS } from '../../worker/contract/pictures'
import type { PictureShape } from './shapes'

/** What of a picture of `from` is shown in `shape`, and how large it is drawn: its middle or all of it, never larger than it is. */
export function cutOf(from: { width: number; height: number }, shape: PictureShape) {
  if (shape.whole) {
    const shrunk = Math.min(1, shape.width / from.width, shape.height / from.height)
    const drawn = (side: number) => Math.max(1, Math.round(side * shrunk))
    return { x: 0, y: 0, ...sides(from), drawnWidth: drawn(from.width), drawnHeight: drawn(from.height) }
  }
  const scale = Math.min(from.width / shape.width, from.height / shape.height)
  const [width, height] = [shape.width * scale, shape.height * scale]
  const drawn = shape.exact ? 1 : Math.min(1, scale)
  return {
    x: (from.width - width) / 2,
    y: (from.height - height) / 2,
    width,
    height,
    drawnWidth: Math.max(1, Math.round(shape.width * drawn)),
    drawnHeight: Math.max(1, Math.round(shape.height * drawn)),
  }
}

/** A bitmap's sides are no own properties of it. */
const sides = ({ width, height }: { width: number; height: number }) => ({ width, height })

/** The widths below `full` that the pages may ask for. */
export const widthsBelow = (full: number, { widths = PICTURE_WIDTHS }: PictureShape) =>
  widths.filter((width) => width < full)

export type Sized = { width: number; file: Blob }

/**
 * A picture the right way up, cut to its shape, in its full width and in each width that the pages ask for: the full one
 * first. WebP, where this browser can write it.
 * @throws DOMException for a file that the browser cannot read as a picture.
 */
export async function sizesOf(file: Blob, shape: PictureShape): Promise<Sized[]> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const cut = cutOf(picture, shape)
    const draw = async (width: number): Promise<Sized> => {
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = Math.max(1, Math.round((cut.drawnHeight * width) / cut.drawnWidth))
      const context = canvas.getContext('2d')
      if (!context) throw new DOMException('No canvas.', 'NotReadableError')
      context.imageSmoothingQuality = 'high'
      context.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height)
      return { width, file: await encoded(canvas, shape.png ? ['image/png'] : ['image/webp', 'image/jpeg']) }
    }
    const sizes: Sized[] = []
    for (const width of [cut.drawnWidth, ...widthsBelow(cut.drawnWidth, shape)]) sizes.push(await draw(width))
    return sizes
  } finally {
    picture.close()
  }
}

/** A browser that cannot write a type writes a PNG in its place, and says so in the blob's type. */
async function encoded(canvas: HTMLCanvasElement, types: readonly string[]): Promise<Blob> {
  for (const type of types) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.86))
    if (blob?.type === type) return blob
  }
  throw new DOMException('This browser cannot write pictures.', 'NotSupportedError')
}
