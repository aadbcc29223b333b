/** Widths of image variants: a closed set, which limits how many variants are cached. */
export const IMAGE_WIDTHS = [32, 160, 180, 192, 320, 480, 640, 720, 840, 960, 1280, 1600] as const
export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

/**
 * Splits `/media/site/hero.1f2e3d.c532.webp`. The stem ends with the average color; the extension may be missing. All
 * parts are undefined for URLs of another form.
 */
function parseImageUrl(src: string) {
  const [, stem, color, extension] = /^((?:https:\/\/[^/]+)?\/media\/.+\.c([0-9a-f]{3}))(\.\w+)?$/.exec(src) ?? []
  return { stem, color, extension }
}

/** Whether this site hosts the image, itself or in its public bucket. */
const isHosted = (src: string) => /^(https:\/\/[^/]+)?\/media\//.test(src)

/** The average color of an image (three hexadecimal digits), if its URL contains it. */
export const imageColor = (src: string): string | undefined => parseImageUrl(src).color

/** URL of the same image as AVIF, in full size. Null unless `src` shows that there is one. */
export function avifUrl(src: string): string | null {
  const { stem, extension } = parseImageUrl(src)
  return extension === '.webp' ? `${stem}.avif` : null
}

/** Width of the blurred image behind a cover or a product. */
export const GLOW_WIDTH = 160 satisfies ImageWidth

/**
 * URL of a smaller variant: `a.c532.webp` becomes `a.c532.320.webp`; an upload, `up_1`, becomes `up_1@320`. External
 * URLs are unchanged.
 */
export function resizedImageUrl(src: string, width: ImageWidth): string {
  if (!isHosted(src)) return src
  const { stem, extension } = parseImageUrl(src)
  return extension ? `${stem}.${width}${extension}` : `${src}@${width}`
}

/** `srcset` of an image, null for an external one. `originalWidth` null leaves out the original. */
export function buildSrcSet(src: string, widths: readonly ImageWidth[], originalWidth: number | null): string | null {
  if (!isHosted(src)) return null
  const variants = widths.map((width) => `${resizedImageUrl(src, width)} ${width}w`)
  return (originalWidth === null ? variants : [...variants, `${src} ${originalWidth}w`]).join(', ')
}

/** `width` and `height` are those of the full-size file in pixels; `sizes` is the HTML attribute. */
export type ResponsiveImage = { widths: readonly ImageWidth[]; width: number; height: number; sizes: string }

/** Hero artwork; the page and the preload link must request the same files. */
export const HERO_IMAGE: Record<'portrait' | 'landscape', ResponsiveImage & { media: string }> = {
  portrait: { media: '(width < 48rem)', widths: [480, 720, 840], width: 1080, height: 1500, sizes: '100vw' },
  landscape: { media: '(width >= 48rem)', widths: [960, 1280, 1600], width: 2400, height: 1350, sizes: '100vw' },
}

/** Image of a show's page; the page and the preload link must request the same files. */
export const SHOW_IMAGE: ResponsiveImage = {
  widths: [320, 640, 960],
  width: 1600,
  height: 1067,
  sizes: '(width < 48rem) 100vw, 72vw',
}
