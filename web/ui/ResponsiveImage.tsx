import { avifUrl, buildSrcSet, type ImageWidth, imageColor, resizedImageUrl } from '../../worker/contract/images'

/** Widths of the variants of a hosted image that a browser can choose from. */
const WIDTHS: readonly ImageWidth[] = [320, 640, 960, 1600]

type Props = {
  /** URLs outside `/media/` have no variants. */
  src: string
  alt: string
  /** Width of the original in pixels, to reserve space; 1200 by 1200 by default, as covers and product images are. */
  width?: number
  height?: number
  sizes: string
  /** Widest variant to use, for small images; by default the original. */
  largest?: ImageWidth
  /** True for the LCP image. */
  eager?: boolean
  className?: string
}

export function ResponsiveImage({
  src,
  alt,
  width = 1200,
  height = 1200,
  sizes,
  largest,
  eager = false,
  className,
}: Props) {
  const widths = WIDTHS.filter((variant) => variant < width && variant <= (largest ?? width))
  const variants = { src, widths, width: largest ? null : width, sizes }
  return (
    <picture>
      <AvifSource {...variants} />
      <img
        {...fallbackProps({ ...variants, fallbackWidth: 640 })}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
        decoding={eager ? 'sync' : 'async'}
        style={placeholderStyle(src)}
        className={className}
      />
    </picture>
  )
}

/** `width` is that of the original; null leaves the original out. */
type ImageVariants = { src: string; widths: readonly ImageWidth[]; width: number | null; sizes?: string }

/** The AVIF variants of an image that has some. */
export function AvifSource({ src, widths, width, sizes, media }: ImageVariants & { media?: string }) {
  const avif = avifUrl(src)
  return (
    avif && (
      <source type="image/avif" srcSet={buildSrcSet(avif, widths, width) ?? undefined} sizes={sizes} media={media} />
    )
  )
}

/** Source of the `img` element. With AVIF sources, one width is enough for browsers without AVIF; else all widths. */
export function fallbackProps({
  src,
  widths,
  width,
  sizes,
  fallbackWidth,
}: ImageVariants & { fallbackWidth: ImageWidth }) {
  if (avifUrl(src)) return { src: resizedImageUrl(src, fallbackWidth) }
  const srcSet = buildSrcSet(src, widths, width) ?? undefined
  return { src, srcSet, sizes: srcSet && sizes }
}

/** Background style with the image's average color, shown while it loads. */
export function placeholderStyle(src: string) {
  const color = imageColor(src)
  return color ? { background: `#${color}` } : undefined
}
