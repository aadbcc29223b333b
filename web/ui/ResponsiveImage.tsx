import { clsx } from 'clsx'
import { buildSrcSet, type ImageWidth } from '../../worker/contract/images'

/** Widths of the variants of hosted images; the worker serves the next larger one if one is missing. */
const WIDTHS: readonly ImageWidth[] = [320, 640, 960, 1600]

type Props = {
  /** URLs outside `/media/` have no variants. */
  src: string
  alt: string
  /** Width of the original in pixels; reserves the space. */
  width: number
  height: number
  sizes: string
  /** True for the LCP image. */
  eager?: boolean
  className?: string
}

export function ResponsiveImage({ src, alt, width, height, sizes, eager = false, className }: Props) {
  const isHosted = src.startsWith('/media/')
  return (
    <img
      src={src}
      srcSet={
        buildSrcSet(
          src,
          WIDTHS.filter((variant) => variant < width),
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
