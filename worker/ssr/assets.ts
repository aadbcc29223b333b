import manifest from '../../dist/manifest.json'
import type { Assets } from './shell'

const entry = manifest['web/main.tsx']
const deferredEntry = manifest['web/entry.deferred.ts']
if (!entry || !deferredEntry)
  throw new Error(
    `dist/manifest.json holds no ${entry ? 'web/entry.deferred.ts' : 'web/main.tsx'}: run \`npm run build\`.`,
  )

/** The entry's files, by the names that the last build gave them. */
export const assets: Assets = {
  script: `/${entry.file}`,
  deferredScript: `/${deferredEntry.file}`,
  styles: (entry.css ?? []).map((file) => `/${file}`),
  // What every page shows; the other letters are asked for by the pages that show one.
  fonts: (entry.assets ?? []).filter((file) => /-english-[^/]+\.woff2$/.test(file)).map((file) => `/${file}`),
}
