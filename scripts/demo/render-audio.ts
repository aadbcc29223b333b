import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { MEDIA, tracks } from './artist.ts'
import type { Delivery, Order } from './audio/worker.ts'

/** One recording: its object's key in R2 and the file that holds its bytes. Whole seconds. */
export interface RenderedAudio {
  trackId: number
  key: string
  file: string
  contentType: 'audio/mpeg'
  durationSeconds: number
}

const FOLDER = fileURLToPath(new URL('./audio/', import.meta.url))

/**
 * Renders the demo artist's songs as MP3 into `cacheDir`, or finds them there: a file's name carries a hash of the
 * synthesiser's sources, so a change of any of them renders anew. A cold run takes two threads about a quarter of a
 * minute; a warm one only looks. `onProgress` gets a line for each song that had to be rendered.
 */
export async function renderAudio(cacheDir: string, onProgress?: (line: string) => void): Promise<RenderedAudio[]> {
  const folder = resolve(cacheDir)
  await mkdir(folder, { recursive: true })
  const version = await versionOf(FOLDER)
  const orders = tracks.map(({ slug }) => {
    const file = join(folder, `${slug}-${version}.mp3`)
    return { slug, file, sidecar: `${file}.json` }
  })
  const stands = await Promise.all(orders.map(isRendered))
  const missing = orders.filter((_, i) => !stands[i])
  if (missing.length > 0) {
    await removeOlder(folder, version, missing)
    await renderInThreads(missing, onProgress)
  }
  return Promise.all(
    tracks.map(async ({ id, slug }, i) => {
      const { file, sidecar } = orders[i]!
      const { seconds } = JSON.parse(await readFile(sidecar, 'utf8')) as { seconds: number }
      return {
        trackId: id,
        key: `${MEDIA}/${slug}.mp3`,
        file,
        contentType: 'audio/mpeg' as const,
        durationSeconds: Math.round(seconds),
      }
    }),
  )
}

/** A hash over the synthesiser, its songs and the tracks' facts. */
async function versionOf(folder: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(tracks.map(({ slug, bpm, key }) => [slug, bpm, key])))
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  for (const name of names.sort()) hash.update(name).update(await readFile(join(folder, name)))
  return hash.digest('hex').slice(0, 12)
}

async function isRendered({ file, sidecar }: Order): Promise<boolean> {
  const sizes = await Promise.all(
    [file, sidecar].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.every((size) => size > 0)
}

/** Earlier versions of the songs that are about to be rendered. */
async function removeOlder(folder: string, version: string, orders: readonly Order[]): Promise<void> {
  const stale = (await readdir(folder)).filter((name) => {
    const [, slug, hash] = /^(.+)-([0-9a-f]{12})\.mp3(?:\.json|\.part)?$/.exec(name) ?? []
    return hash !== undefined && hash !== version && orders.some((order) => order.slug === slug)
  })
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })))
}

/** Two threads take songs from one queue; the first failure ends both. */
async function renderInThreads(orders: readonly Order[], onProgress?: (line: string) => void): Promise<void> {
  const queue = [...orders]
  let done = 0
  const threads = orders.slice(0, 2).map(() => new Worker(new URL('./audio/worker.ts', import.meta.url)))
  const work = threads.map(
    (thread) =>
      new Promise<void>((finish, fail) => {
        const next = () => {
          const order = queue.shift()
          if (order) thread.postMessage(order)
          else finish()
        }
        thread.on('message', ({ slug, seconds }: Delivery) => {
          onProgress?.(`rendered ${slug} (${Math.round(seconds)} s, ${++done} of ${orders.length})`)
          next()
        })
        thread.on('error', fail)
        next()
      }),
  )
  try {
    await Promise.all(work)
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  if (!values.out) throw new Error('usage: node scripts/demo/render-audio.ts --out DIR')
  const rendered = await renderAudio(values.out, (line) => console.log(line))
  for (const { file, durationSeconds } of rendered) console.log(`${file}  ${durationSeconds} s`)
}
