import { readdir, readFile } from 'node:fs/promises'

type DefaultImage = { key: string; bytes: Buffer; contentType: string }

const FOLDER = new URL('./media/', import.meta.url)

/**
 * The images of a new site, until an administrator uploads others. Keys begin with `house/`, and the width follows the
 * extension: `hero@640.webp` has the key `house/hero.webp@640`.
 */
export async function readDefaultImages(): Promise<DefaultImage[]> {
  const files = (await readdir(FOLDER)).sort()
  return Promise.all(
    files.map(async (file) => {
      const [, name, width = '', format] = /^([a-z-]+)(@\d+)?\.(webp|png)$/.exec(file) ?? []
      if (!format) throw new Error(`${file}: default images are named like hero@640.webp.`)
      return {
        key: `house/${name}.${format}${width}`,
        bytes: await readFile(new URL(file, FOLDER)),
        contentType: `image/${format}`,
      }
    }),
  )
}
