/** Widths of `/media/...?w=`. The closed set limits cached variants; the worker rejects others. */
export const IMAGE_WIDTHS = [32, 160, 180, 192, 320, 480, 640, 720, 840, 960, 1280, 1600] as const
export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

/** `srcset` of an image whose original is `full` pixels wide; null for external images. */
export function buildSrcSet(src: string, widths: readonly ImageWidth[], full: number): string | null {
  if (!src.startsWith('/media/')) return null
  return [...widths.map((width) => `${src}?w=${width} ${width}w`), `${src} ${full}w`].join(', ')
}

export type ResponsiveImage = { widths: readonly ImageWidth[]; width: number; height: number; sizes: string }

/** Hero artwork; the page and the preload link must request the same files. */
export const HERO_IMAGE: Record<'portrait' | 'landscape', ResponsiveImage & { media: string }> = {
  portrait: { media: '(width < 48rem)', widths: [480, 720, 840], width: 1080, height: 1500, sizes: '100vw' },
  landscape: { media: '(width >= 48rem)', widths: [640, 960, 1280, 1600], width: 2400, height: 1350, sizes: '100vw' },
}

/** Show image, likewise. */
export const SHOW_IMAGE: ResponsiveImage = {
  widths: [320, 640, 960],
  width: 1600,
  height: 1067,
  sizes: '(width < 48rem) 100vw, 72vw',
}
