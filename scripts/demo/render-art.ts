/** Renders the demo's artwork once and keeps it: `node scripts/demo/render-art.ts --out DIR` writes it for looking at. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { type Artwork, artworks } from './art/catalogue.ts'
import { MEDIA } from './artist.ts'

/** A rendered picture: `key` is its name in R2 (`demo/hero.webp`, `demo/hero.webp@640`), `file` its path on this machine. */
export type RenderedArt = { key: string; file: string; contentType: string }

type Manifest = { stamp: string; pieces: { key: string; name: string; contentType: string }[] }

const AT_ONCE = 2
const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * WebP quality by width: grain is dear in bytes and unseen in small pictures, and large ones are shown scaled down on
 * dense screens. Measured to hold the 2400 px hero under 260 KB and 640 px covers under 60 KB.
 */
const quality = (width: number): number => (width > 1600 ? 66 : width > 700 ? 70 : 62)

/** Changes whenever a source of the artwork or the renderer changes; made of file times and sizes, so that it costs no drawing. */
async function sourceStamp(): Promise<string> {
  const folder = await readdir(join(here, 'art'), { recursive: true })
  const sources = [
    ...folder.filter((name) => name.endsWith('.ts')).map((name) => join('art', name)),
    'artist.ts',
    'render-art.ts',
    // The widths.
    '../../worker/contract/images.ts',
  ].sort()
  const lines = await Promise.all(
    sources.map(async (name) => {
      const { mtimeMs, size } = await stat(join(here, name))
      return `${name} ${mtimeMs} ${size}`
    }),
  )
  return createHash('sha256')
    .update([sharp.versions.sharp, ...lines].join('\n'))
    .digest('hex')
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Writes a whole file or none, so that a stopped run leaves no half picture behind. */
async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await writeFile(`${file}.part`, content)
  await rename(`${file}.part`, file)
}

/** The manifest of the last run, or nothing when there is none or a file that it names is gone. */
async function lastManifest(cacheDir: string): Promise<Manifest | undefined> {
  const text = await readFile(join(cacheDir, 'manifest.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest: Manifest = JSON.parse(text)
  const kept = await Promise.all(manifest.pieces.map(({ name }) => exists(join(cacheDir, name))))
  return kept.every(Boolean) ? manifest : undefined
}

/** Draws one piece and writes the master and its renditions that the cache does not hold yet. */
async function render(artwork: Artwork, cacheDir: string): Promise<Manifest['pieces']> {
  const svg = artwork.svg()
  const sizes = [artwork.width, ...artwork.widths]
  const hash = createHash('sha256')
    .update(`${sharp.versions.sharp} ${sizes.map((width) => `${width}:${quality(width)}`)} ${svg}`)
    .digest('hex')
    .slice(0, 16)
  const contentType = `image/${artwork.format}`
  const pieces = sizes.map((width, index) => {
    const suffix = index === 0 ? '' : `@${width}`
    return {
      width,
      key: `${MEDIA}/${artwork.key}.${artwork.format}${suffix}`,
      name: `${artwork.key}-${hash}${suffix}.${artwork.format}`,
      contentType,
    }
  })
  const missing: typeof pieces = []
  for (const piece of pieces) if (!(await exists(join(cacheDir, piece.name)))) missing.push(piece)
  if (missing.length > 0) {
    // Scenes are drawn in their own units; 72 dots an inch is one unit a pixel.
    const drawnWidth = Number(/ width="(\d+)"/.exec(svg)?.[1] ?? artwork.width)
    const density = (72 * artwork.width) / drawnWidth
    const { data, info } = await sharp(Buffer.from(svg), { unlimited: true, density })
      .flatten({ background: '#0b0a08' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const { width, name } of missing) {
      const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).resize({
        width,
      })
      const encoded =
        artwork.format === 'webp'
          ? image.webp({ quality: quality(width), smartSubsample: true, effort: 4 })
          : image.png({ palette: true, quality: 100, dither: 0.7 })
      await writeWhole(join(cacheDir, name), await encoded.toBuffer())
    }
  }
  return pieces.map(({ key, name }) => ({ key, name, contentType }))
}

/**
 * Every picture of the demo as files in `cacheDir`. Files are named by a hash of their SVG text and of the renderer's
 * version; a second call with the same sources only asks whether they are there.
 */
export async function renderArt(cacheDir: string): Promise<RenderedArt[]> {
  await mkdir(cacheDir, { recursive: true })
  const stamp = await sourceStamp()
  const last = await lastManifest(cacheDir)
  let pieces = last?.pieces ?? []
  if (last?.stamp !== stamp) {
    const done: Manifest['pieces'][] = []
    const queue = [...artworks.entries()]
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) done[next[0]] = await render(next[1], cacheDir)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const outdated = pieces.filter(({ name }) => !done.flat().some((piece) => piece.name === name))
    pieces = done.flat()
    await writeWhole(join(cacheDir, 'manifest.json'), JSON.stringify({ stamp, pieces } satisfies Manifest))
    await Promise.all(outdated.map(({ name }) => rm(join(cacheDir, name), { force: true })))
  }
  return pieces.map(({ key, name, contentType }) => ({ key, file: join(cacheDir, name), contentType }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values
  if (!out) throw new Error('Say where to write: node scripts/demo/render-art.ts --out DIR')
  const started = performance.now()
  const rendered = await renderArt(join(out, 'cache'))
  for (const { key, file } of rendered) {
    const [name = key, width] = basename(key).split('@')
    await copyFile(file, join(out, width ? name.replace('.', `@${width}.`) : name))
  }
  console.log(`${rendered.length} pictures in ${out} after ${Math.round(performance.now() - started)} ms`)
}
