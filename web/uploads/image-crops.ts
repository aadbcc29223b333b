import type { ImageWidth } from '../../worker/contract/images'
import { MAX_POST_IMAGE_SIDE_PX } from '../../worker/contract/uploads'

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
