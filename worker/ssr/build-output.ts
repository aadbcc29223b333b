import manifest from '../../dist/manifest.json'
import { styles } from '../../dist/server/styles.js'
import { type SecurityPolicy, serializePolicy } from '../http/headers'
import type { PageAssets } from './shell'

type Chunk = { file: string; css?: string[]; assets?: string[]; imports?: string[] }
const chunks: Readonly<Record<string, Chunk | undefined>> = manifest

const ENTRY = 'web/main.tsx'
const entry = chunks[ENTRY]
if (!entry) throw new Error('dist/manifest.json has no entry web/main.tsx: run `npm run build`.')
const script = `/${entry.file}`
// The browser loads the fonts of other alphabets when a page uses them.
const fonts = (entry.assets ?? [])
  .filter((file) => /-latin-standard-[^/]+\.woff2$/.test(file))
  .map((file) => `/${file}`)

/** The entry's files and those of the page's lazy chunk, by the names that the last build gave them. */
export function assetsOf(pageChunk: string | null): PageAssets {
  const names = new Set([ENTRY, ...(pageChunk ? [pageChunk] : [])])
  // The loop also visits the names that it adds.
  for (const name of names) for (const imported of chunks[name]?.imports ?? []) names.add(imported)
  const pageChunks = [...names].flatMap((name) => chunks[name] ?? [])
  return {
    script,
    modules: pageChunks.map(({ file }) => `/${file}`).filter((path) => path !== script),
    styles: [...new Set(pageChunks.flatMap(({ css = [] }) => css))].map((file) => {
      const path = `/${file}`
      return { path, css: styles[path]?.css ?? '' }
    }),
    fonts,
  }
}

/** A content security policy, extended by the hashes of the inline styles. */
export function policyWithStyles(policy: SecurityPolicy, { styles: inline }: PageAssets): string {
  const hashes = inline.map(({ path }) => `'${styles[path]?.hash}'`)
  return serializePolicy({ ...policy, styleSrcElem: [...policy.styleSrcElem, ...hashes] })
}
