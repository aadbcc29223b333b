import manifest from '../../dist/manifest.json'
import type { Assets } from './shell'

const entry = manifest['web/main.tsx']
if (!entry) throw new Error('dist/manifest.json holds no web/main.tsx: run `npm run build`.')

/** The entry's files, by the names that the last build gave them. */
export const assets: Assets = {
  script: `/${entry.file}`,
  styles: (entry.css ?? []).map((file) => `/${file}`),
  fonts: (entry.assets ?? []).filter((file) => file.endsWith('.woff2')).map((file) => `/${file}`),
}
