import type { PictureWidth } from '../../worker/contract/pictures'
import { FAN_PICTURE_PIXELS } from '../../worker/contract/uploads'

/**
 * How a picture is cut before it is sent: its middle, in this shape, at most so many pixels. `exact` ones are made larger
 * where they are too small; `png` is for those that other programs read; `whole` ones are not cut, only held to that
 * size. `widths` are the smaller ones that the pages ask for; all of them where nothing is said.
 */
export type PictureShape = {
  width: number
  height: number
  exact?: boolean
  png?: boolean
  whole?: boolean
  widths?: readonly PictureWidth[]
}

/** A supporter's own picture, in a post: one file for every screen, so that nobody is sent another picture. */
export const FAN_PICTURE: PictureShape = {
  width: FAN_PICTURE_PIXELS,
  height: FAN_PICTURE_PIXELS,
  whole: true,
  widths: [],
}

/** One for every place that a picture of the desk stands in, as the pages lay it out. */
export const SHAPES = {
  cover: { width: 1200, height: 1200 },
  product: { width: 1200, height: 1200 },
  show: { width: 1600, height: 1067 },
  post: { width: 1080, height: 1350 },
  heroWide: { width: 2400, height: 1350 },
  heroTall: { width: 1080, height: 1500 },
  share: { width: 1200, height: 630, exact: true, png: true },
  icon: { width: 512, height: 512, exact: true, png: true },
} satisfies Record<string, PictureShape>
export type ShapeName = keyof typeof SHAPES
