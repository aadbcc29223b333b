import { clsx } from 'clsx'
import { buildSrcSet, type ImageWidth } from '../../worker/contract/images'

/** The renditions that every picture of the house has (the worker answers a missing one with the next larger). */
const WIDTHS: readonly ImageWidth[] = [320, 640, 960, 1600]

type Props = {
  /** A `/media/` address; other addresses are used as they are, without renditions. */
  src: string
  alt: string
  /** Of the master, in pixels: they keep the place free before the picture is there. */
  width: number
  height: number
  /** How wide it is shown, for the browser's choice of rendition. */
  sizes: string
  /** True for the one picture that is seen first. */
  eager?: boolean
  className?: string
}

/** A picture of the artist in the size that fits. */
export function ResponsiveImage({ src, alt, width, height, sizes, eager = false, className }: Props) {
  const isHosted = src.startsWith('/media/')
  return (
    <img
      src={src}
      srcSet={
        buildSrcSet(
          src,
          WIDTHS.filter((w) => w < width),
          width,
        ) ?? undefined
      }
      sizes={isHosted ? sizes : undefined}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding={eager ? 'sync' : 'async'}
      className={clsx('max-w-full', className)}
    />
  )
}
