import { type BundledImage, bundledImageUrl } from '../tools/bundled-images.ts'
import manifest from './media/manifest.json' with { type: 'json' }

/** The folder of demo images below `/media/`, and the R2 prefix of the demo's audio. */
export const DEMO_PREFIX = 'demo'
/** The R2 prefix of masters. */
export const MASTERS_PREFIX = 'masters'

type Image = BundledImage & { width: number; height: number; alt: string }
export const images: ReadonlyMap<string, Image> = new Map(
  Object.entries(manifest.images).map(([name, image]) => [
    name,
    { ...image, name, source: 'scripts/demo/media/images', folder: DEMO_PREFIX },
  ]),
)
export const audioFiles: ReadonlyMap<string, { seconds: number }> = new Map(Object.entries(manifest.audio))
export const masterFiles: ReadonlyMap<string, { bytes: number }> = new Map(Object.entries(manifest.masters))

function findMedia<T>(files: ReadonlyMap<string, T>, name: string): T {
  const file = files.get(name)
  if (!file) throw new Error(`media/manifest.json has no "${name}".`)
  return file
}

export const findImage = (name: string): Image => findMedia(images, name)
export const imageUrl = (name: string): string => bundledImageUrl(findImage(name))
export const altText = (name: string): string => findImage(name).alt

export const audioKey = (slug: string): string => `${DEMO_PREFIX}/${slug}.mp3`
export const audioSeconds = (slug: string): number => findMedia(audioFiles, slug).seconds

export const masterId = (slug: string): string => `${DEMO_PREFIX}-${slug}`

const IMAGE_COLUMNS = {
  tracks: ['cover_url'],
  releases: ['cover_url'],
  product_images: ['url'],
  concerts: ['image_url'],
  social_posts: ['image_url'],
  site: ['hero_url', 'hero_portrait_url', 'share_image_url', 'icon_url', 'maskable_icon_url'],
}

/** Replaces stored URLs of images that have changed: an image's URL contains its hash. */
export async function updateImageUrls(db: D1Database): Promise<void> {
  const urls = JSON.stringify(Object.fromEntries([...images.keys()].map((name) => [name, imageUrl(name)])))
  const columns = Object.entries(IMAGE_COLUMNS).flatMap(([table, names]) => names.map((column) => ({ table, column })))
  await db.batch(
    columns.map(({ table, column }) =>
      db
        .prepare(
          `UPDATE ${table} SET ${column} = coalesce((SELECT value FROM json_each(?1)
             WHERE ${column} LIKE '/media/${DEMO_PREFIX}/' || key || '.%'), ${column})
           WHERE ${column} LIKE '/media/${DEMO_PREFIX}/%' AND ${column} NOT IN (SELECT value FROM json_each(?1))`,
        )
        .bind(urls),
    ),
  )
}
