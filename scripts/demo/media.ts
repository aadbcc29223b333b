import { type OwnImage, ownImageUrl } from '../tools/own-images.ts'
import manifest from './media/manifest.json' with { type: 'json' }

/** The folder of demo images below `/media/`, and the R2 prefix of the demo's files. */
export const DEMO_PREFIX = 'demo'

export type Image = OwnImage & { width: number; height: number; alt: string }
export const images: ReadonlyMap<string, Image> = new Map(
  Object.entries(manifest.images).map(([name, image]) => [
    name,
    { ...image, name, source: 'scripts/demo/media/images', folder: DEMO_PREFIX },
  ]),
)
export const audioFiles: ReadonlyMap<string, { seconds: number }> = new Map(Object.entries(manifest.audio))

function find<T>(files: ReadonlyMap<string, T>, name: string): T {
  const file = files.get(name)
  if (!file) throw new Error(`media/manifest.json has no "${name}".`)
  return file
}

export const findImage = (name: string): Image => find(images, name)
export const imageUrl = (name: string): string => ownImageUrl(findImage(name))
export const altText = (name: string): string => findImage(name).alt

export const audioKey = (slug: string): string => `${DEMO_PREFIX}/${slug}.mp3`
export const audioSeconds = (slug: string): number => find(audioFiles, slug).seconds
