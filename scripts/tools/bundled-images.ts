import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STATIC_FILES = 'dist/client/media'

/**
 * An image in the repository: files `<name>.<format>` and `<name>@<width>.<format>` in `source`, for WebP also AVIF.
 */
export type BundledImage = {
  source: string
  /** First segment of the keys. */
  folder: string
  name: string
  format: string
  widths: readonly number[]
  /** Average color, as three hexadecimal digits. */
  color: string
}
type ImageFile = { key: string; file: string; contentType: string }

const hashes = new Map<string, string>()

/**
 * The key without width and format, e.g. `demo/hero.1f2e3d.c532`. It contains a hash of the files, because browsers
 * cache an image for a year.
 */
function keyPrefix({ source, folder, name, format, widths, color }: BundledImage): string {
  const path = join(source, name)
  const hash =
    hashes.get(path) ??
    fileSuffixes(format, widths)
      .reduce((sum, { onDisk }) => sum.update(readFileSync(path + onDisk)), createHash('sha256'))
      .digest('hex')
      .slice(0, 6)
  hashes.set(path, hash)
  return `${folder}/${name}.${hash}.c${color}`
}

const fileSuffixes = (format: string, widths: readonly number[]) =>
  (format === 'webp' ? ['webp', 'avif'] : [format]).flatMap((type) => [
    { onDisk: `.${type}`, inKey: `.${type}`, type },
    ...widths.map((width) => ({ onDisk: `@${width}.${type}`, inKey: `.${width}.${type}`, type })),
  ])

/** All files of an image, the full-size one first. Their URLs are `/media/<key>`. */
export const bundledImageFiles = (image: BundledImage): [ImageFile, ...ImageFile[]] =>
  fileSuffixes(image.format, image.widths).map(({ onDisk, inKey, type }) => ({
    key: keyPrefix(image) + inKey,
    file: join(image.source, image.name + onDisk),
    contentType: `image/${type}`,
  })) as [ImageFile, ...ImageFile[]]

export const bundledImageUrl = (image: BundledImage): string => `/media/${keyPrefix(image)}.${image.format}`

/** Copies the images to the static assets, which Cloudflare serves without the worker. */
export function copyBundledImages(images: readonly BundledImage[]): void {
  for (const { key, file } of images.flatMap(bundledImageFiles)) {
    const target = join(STATIC_FILES, key)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(file, target)
  }
}
