import { type BundledImage, bundledImageFiles, bundledImageUrl } from '../tools/bundled-images.ts'

const SHARE_FORMAT = { format: 'png', widths: [320] }
const ICON_FORMAT = { format: 'png', widths: [32, 180, 192, 320] }

/** The images of a new site, until an administrator uploads others. */
const IMAGES = {
  hero: { format: 'webp', widths: [320, 640, 960, 1280, 1600], color: '542' },
  'hero-portrait': { format: 'webp', widths: [320, 480, 720, 840], color: '553' },
  share: { ...SHARE_FORMAT, color: '432' },
  icon: { ...ICON_FORMAT, color: '874' },
  'icon-maskable': { ...ICON_FORMAT, color: '542' },
}
type ImageName = keyof typeof IMAGES

const toBundledImage = (name: ImageName): BundledImage => ({
  ...IMAGES[name],
  name,
  source: 'scripts/site/media',
  folder: 'house',
})
export const defaultImages: readonly BundledImage[] = (Object.keys(IMAGES) as ImageName[]).map(toBundledImage)
export const defaultImageUrl = (name: ImageName): string => bundledImageUrl(toBundledImage(name))

/** Full-size files for R2, which serves them when a later version no longer has them as static files. */
export const defaultImageFiles = () => defaultImages.map((image) => bundledImageFiles(image)[0])
