import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export type Size = { figure: string; bytes: number; limit: number; held: boolean }
type Chunk = { file: string; imports?: string[]; css?: string[] }

/** Script that the home page fetches before anybody touches it: the entry and what it imports at once. */
export function initialScripts(): string[] {
  const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) add(next)
  }
  add('web/entry.deferred.ts')
  add('web/main.tsx')
  return [...files].filter((file) => file.endsWith('.js'))
}

const row = (figure: string, bytes: number, limit: number): Size => ({ figure, bytes, limit, held: bytes <= limit })

/** The gate of the worker as it is deployed: `npm test` holds its dry run to it. */
export const bundleSize = (bundle: string): Size =>
  row('worker bundle, gzip', gzipSync(bundle, { level: 9 }).length, 1024 * 1024)

/** The gates of size: gzipped script, compressed page, gzipped worker. */
export function sizes(homePage: string, workerBundle: string | null): Size[] {
  const script = initialScripts().reduce(
    (sum, file) => sum + gzipSync(readFileSync(`dist/client/${file}`), { level: 9 }).length,
    0,
  )
  return [
    row('first script of the home page, gzip', script, 130 * 1024),
    row('home page HTML, brotli', brotliCompressSync(homePage).length, 30 * 1024),
    ...(workerBundle === null ? [] : [bundleSize(workerBundle)]),
  ]
}
