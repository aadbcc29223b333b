import manifest from '../../dist/manifest.json'
import { type Sheet, sheets } from '../../dist/server/styles.js'
import type { AppEnv } from '../http/app-env'
import { SECURITY_POLICY } from '../http/headers'
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

/**
 * The renderer that the last build left: web/render.tsx. React and the screens are a third of the worker: they are made
 * ready when the first page is drawn, not when an isolate starts, for it may be a vote that it starts for.
 */
export const render: AppEnv['Variables']['render'] = async (path, data) =>
  (await import('../../dist/server/render.js')).render(path, data)

/** The styles of a page of the app: everybody's, and what the screen brings along. */
export function stylesFor(screen: keyof typeof sheets | null): Sheet[] {
  return screen ? [sheets.app, sheets[screen]] : [sheets.app]
}

/** The policy of a page whose styles stand in the page: everybody's, and the hashes of those styles. */
export const policyWithStyles = (styles: readonly Sheet[]) =>
  Object.entries({
    ...SECURITY_POLICY,
    styleSrcElem: [...SECURITY_POLICY.styleSrcElem, ...styles.map(({ hash }) => `'${hash}'`)],
  })
    .map(([name, values]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`)
    .join('; ')
