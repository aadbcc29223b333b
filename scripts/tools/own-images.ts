import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STATIC_FILES = 'dist/client/media'

/** An image of the repository: `<name>.<format>` and `<name>@<width>.<format>` in `source`, WebP also as AVIF. */
export type OwnImage = {
  source: string
  /** First part of its key. */
  folder: string
  name: string
  format: string
  widths: readonly number[]
  /** Average color, as three hexadecimal digits. */
  color: string
}
type ImageFile = { key: string; file: string; contentType: string }

const hashes = new Map<string, string>()

/** `demo/hero.1f2e3d.c532`. A changed file has a new key, because browsers keep the old one for a year. */
function stem({ source, folder, name, format, widths, color }: OwnImage): string {
  const path = join(source, name)
  const hash =
    hashes.get(path) ??
    suffixes(format, widths)
      .reduce((sum, { onDisk }) => sum.update(readFileSync(path + onDisk)), createHash('sha256'))
      .digest('hex')
      .slice(0, 6)
  hashes.set(path, hash)
  return `${folder}/${name}.${hash}.c${color}`
}

const suffixes = (format: string, widths: readonly number[]) =>
  (format === 'webp' ? ['webp', 'avif'] : [format]).flatMap((type) => [
    { onDisk: `.${type}`, inKey: `.${type}`, type },
    ...widths.map((width) => ({ onDisk: `@${width}.${type}`, inKey: `.${width}.${type}`, type })),
  ])

/** All files of an image, the full-size one first. Keys are addresses below `/media/`. */
export const ownImageFiles = (image: OwnImage): [ImageFile, ...ImageFile[]] =>
  suffixes(image.format, image.widths).map(({ onDisk, inKey, type }) => ({
    key: stem(image) + inKey,
    file: join(image.source, image.name + onDisk),
    contentType: `image/${type}`,
  })) as [ImageFile, ...ImageFile[]]

export const ownImageUrl = (image: OwnImage): string => `/media/${stem(image)}.${image.format}`

/** Makes the images static files, which Cloudflare serves without the worker. */
export function copyOwnImages(images: readonly OwnImage[]): void {
  for (const { key, file } of images.flatMap(ownImageFiles)) {
    const target = join(STATIC_FILES, key)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(file, target)
  }
}
