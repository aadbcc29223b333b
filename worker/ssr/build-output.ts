import manifest from '../../dist/manifest.json'
import { styles } from '../../dist/server/styles.js'
import type { PageData } from '../contract/pages'
import type { SecurityPolicy } from '../http/headers'
import type { Assets } from './shell'

type Chunk = { file: string; css?: string[]; imports?: string[] }
const chunks: Readonly<Record<string, Chunk | undefined>> = manifest

const entry = manifest['web/main.tsx']
if (!entry) throw new Error('dist/manifest.json holds no web/main.tsx: run `npm run build`.')

/** The entry's files, by the names that the last build gave them. */
export const assets: Assets = {
  script: `/${entry.file}`,
  styles: (entry.css ?? []).map((file) => `/${file}`),
  // Other alphabets are fetched by the pages that show one.
  fonts: (entry.assets ?? []).filter((file) => /-latin-standard-[^/]+\.woff2$/.test(file)).map((file) => `/${file}`),
}

/** The style sheets of a lazy chunk and of what it imports. */
export function chunkStyles(name: string, seen = new Set<string>()): string[] {
  const chunk = chunks[name]
  if (!chunk || name === 'web/main.tsx' || seen.has(name)) return []
  seen.add(name)
  const own = (chunk.css ?? []).map((file) => `/${file}`)
  return [...new Set([...own, ...(chunk.imports ?? []).flatMap((each) => chunkStyles(each, seen))])]
}

/** The app's styles, which rendered pages carry inline. */
export const { css } = styles

/** The content security policy of a page with inline styles: the usual one and the hash of those styles. */
export const policyWithStyles = (policy: SecurityPolicy): string =>
  Object.entries({ ...policy, styleSrcElem: [...policy.styleSrcElem, `'${styles.hash}'`] })
    .map(([name, values]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`)
    .join('; ')

/** Renders a page to HTML; `state` hydrates the browser's query cache. */
export type Render = (path: string, data: Partial<PageData>) => Promise<{ html: string; state: unknown }>

/**
 * The built renderer (web/render.tsx). It is a third of the worker, so it is loaded with the first page rather than when
 * an isolate starts, which may be for a vote.
 */
export const render: Render = async (path, data) => (await import('../../dist/server/render.js')).render(path, data)
