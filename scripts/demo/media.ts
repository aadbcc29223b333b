import manifest from './media/manifest.json' with { type: 'json' }

/** The R2 prefix of demo files; `/media/<key>` serves them. */
export const DEMO_PREFIX = 'demo'

export type Image = { format: string; width: number; height: number; widths: number[]; alt: string }
export const images: ReadonlyMap<string, Image> = new Map(Object.entries(manifest.images))
export const audioFiles: ReadonlyMap<string, { seconds: number }> = new Map(Object.entries(manifest.audio))

function find<T>(files: ReadonlyMap<string, T>, name: string): T {
  const file = files.get(name)
  if (!file) throw new Error(`media/manifest.json has no "${name}".`)
  return file
}

export const findImage = (name: string): Image => find(images, name)
export const imageUrl = (name: string): string => `/media/${DEMO_PREFIX}/${name}.${findImage(name).format}`
export const altText = (name: string): string => findImage(name).alt

export const audioKey = (slug: string): string => `${DEMO_PREFIX}/${slug}.mp3`
export const audioSeconds = (slug: string): number => find(audioFiles, slug).seconds
