import type { ImageWidth } from '../../worker/contract/images'
import { MAX_POST_IMAGE_SIDE_PX } from '../../worker/contract/uploads'

/** How an image is cropped, around its center or to the frame that the admin chose, and resized. */
export type ImageCrop = {
  /** Maximum size in pixels. */
  width: number
  height: number
  /** Enlarges smaller images to the maximum size. */
  exact?: boolean
  /** Encodes a PNG, for images that other programs read. */
  png?: boolean
  /** Only scales the image down. */
  uncropped?: boolean
  /** The smaller variants; by default all of IMAGE_WIDTHS. */
  widths?: readonly ImageWidth[]
}

/** For images in supporters' posts: at most MAX_POST_IMAGE_SIDE_PX wide and high, without smaller variants. */
export const SUPPORTER_POST_IMAGE: ImageCrop = {
  width: MAX_POST_IMAGE_SIDE_PX,
  height: MAX_POST_IMAGE_SIDE_PX,
  uncropped: true,
  widths: [],
}

/** Crops of the admin's images, by where pages show them. */
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

/**
 * The part of an image that a crop takes. `zoom` is 1 for the largest part; `x` and `y` go from 0 (left, top) to 1
 * (right, bottom).
 */
export type CropFrame = { x: number; y: number; zoom: number }
export const CENTERED_CROP: CropFrame = { x: 0.5, y: 0.5, zoom: 1 }
export const MAX_CROP_ZOOM = 4

/** The source rectangle and the output size of a crop. Never enlarges, except for `exact` crops. */
export function cropOf(imageSize: { width: number; height: number }, crop: ImageCrop, frame = CENTERED_CROP) {
  if (crop.uncropped) {
    const ratio = Math.min(1, crop.width / imageSize.width, crop.height / imageSize.height)
    const scaled = (side: number) => Math.max(1, Math.round(side * ratio))
    return {
      x: 0,
      y: 0,
      ...sizeOf(imageSize),
      outputWidth: scaled(imageSize.width),
      outputHeight: scaled(imageSize.height),
    }
  }
  const scale = Math.min(imageSize.width / crop.width, imageSize.height / crop.height) / frame.zoom
  const width = crop.width * scale
  const height = crop.height * scale
  const ratio = crop.exact ? 1 : Math.min(1, scale)
  return {
    x: (imageSize.width - width) * frame.x,
    y: (imageSize.height - height) * frame.y,
    width,
    height,
    outputWidth: Math.max(1, Math.round(crop.width * ratio)),
    outputHeight: Math.max(1, Math.round(crop.height * ratio)),
  }
}

/** ImageBitmap's width and height are getters, which spread syntax does not copy. */
const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height })
