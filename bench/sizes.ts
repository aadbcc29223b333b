import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { MAX_HTML_BYTES, MAX_SCRIPT_BYTES, MAX_WORKER_BYTES } from '../scripts/tools/size-limits.ts'

export type MeasuredSize = { label: string; bytes: number; limitBytes: number; passed: boolean }
type Chunk = { file: string; imports?: string[] }

/** Scripts the home page loads before any interaction. */
export function initialScripts(): string[] {
  const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  add('web/main.tsx')
  return [...files].filter((file) => file.endsWith('.js'))
}

const toSize = (label: string, bytes: number, limit: number): MeasuredSize => ({
  label,
  bytes,
  limitBytes: limit,
  passed: bytes <= limit,
})

/** Size and limit of the deployed worker; `npm test` checks it. */
export const bundleSize = (bundle: string): MeasuredSize =>
  toSize('worker bundle, gzip', gzipSync(bundle, { level: 9 }).length, MAX_WORKER_BYTES)

/** Gzipped sizes of scripts, page and worker, with their limits; null leaves out the worker. */
export function measureSizes(homePage: string, workerBundle: string | null): MeasuredSize[] {
  const script = initialScripts().reduce(
    (sum, file) => sum + gzipSync(readFileSync(`dist/client/${file}`), { level: 9 }).length,
    0,
  )
  return [
    toSize('initial scripts of the home page, gzip', script, MAX_SCRIPT_BYTES),
    toSize('home page HTML, gzip', gzipSync(homePage, { level: 9 }).length, MAX_HTML_BYTES),
    ...(workerBundle === null ? [] : [bundleSize(workerBundle)]),
  ]
}
