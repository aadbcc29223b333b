import { IMAGE_WIDTHS } from '../contract/images'

/** What may be shown from our own origin. Anything else in the bucket (recordings, exports) has a guarded way out. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/webp', 'image/png', 'image/jpeg', 'image/avif'])

const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/**
 * The R2 keys that may hold a picture, best first: the rendition of `width`, each larger one, the master. Empty when
 * folder or name is not one that we would have given (`..`, a slash, an `@`).
 */
export function imageKeys({ folder, name, width }: { folder: string; name: string; width: number | null }): string[] {
  if (!SAFE.test(folder) || !SAFE.test(name)) return []
  const master = `${folder}/${name}`
  const renditions =
    width === null ? [] : IMAGE_WIDTHS.filter((one) => one >= width).map((candidate) => `${master}@${candidate}`)
  return [...renditions, master]
}
