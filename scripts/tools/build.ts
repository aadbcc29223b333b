import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { images } from '../demo/media.ts'
import { defaultImages } from '../site/default-images.ts'
import { readBuildStamp, writeBuildStamp } from './build-stamp.ts'
import { copyBundledImages } from './bundled-images.ts'
import { restoringNodeEnv } from './worker-code.ts'

/** Builds the web app if its sources changed since the last build. Returns whether it built. */
export async function buildWeb(): Promise<boolean> {
  const { digest, isCurrent } = await readBuildStamp()
  if (!isCurrent) await buildAll(digest)
  copyBundledImages([...defaultImages, ...images.values()])
  return !isCurrent
}

async function buildAll(digest: string): Promise<void> {
  await restoringNodeEnv(async () => {
    await build({ logLevel: 'warn' })
    await buildRenderer()
    writeStyles()
    await buildServiceWorker()
  })
  writeBuildStamp(digest)
}

/** Lazy screens that the worker renders, as named in their dynamic imports. */
const RENDERED_SCREENS = [
  './auth/AuthPage',
  './subscriptions/SubscribePage',
  './community/CommunityPage',
  './challenge/lazy-pages',
  './hub/HubPages',
  './privacy/PrivacyPolicyPage',
  './site/LegalPage',
  './products/lazy-pages',
  './releases/lazy-pages',
  './show-page/ShowPage',
  './show-page/ShowsPage',
]
const EMPTY_MODULE = '\0not-rendered'

/** Leaves out all other lazy modules: they are more than half of the bundle, and start-up time grows with its size. */
const onlyRenderedScreens: Plugin = {
  name: 'only-rendered-screens',
  enforce: 'pre',
  resolveDynamicImport: (name) => (RENDERED_SCREENS.includes(String(name)) ? null : EMPTY_MODULE),
  load: (id) => (id === EMPTY_MODULE ? 'export {}' : null),
}

/** Bundles web/render.tsx, with the browser's routes and components, into one file for the worker. */
async function buildRenderer(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), onlyRenderedScreens],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: {
      target: 'webworker',
      noExternal: true,
      resolve: { conditions: ['workerd', 'worker', 'module', 'import', 'default'] },
    },
    build: {
      ssr: 'web/render.tsx',
      outDir: 'dist/server',
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
}

type Chunk = { file: string; css?: string[]; assets?: string[]; imports?: string[]; dynamicImports?: string[] }
const readManifest = () => JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, Chunk>

/** Folders whose lazy screens work offline; the others need the server. */
const OFFLINE_SCREENS =
  /^web\/(challenge|concerts|hub|layout|offline|player|privacy|products|releases|show-page|tracks|ui)\//

/** Bundles the service worker to /sw.js, with the list of files that it caches on install. */
async function buildServiceWorker(): Promise<void> {
  const manifest = readManifest()
  const entry = manifest['web/main.tsx']
  if (!entry) throw new Error('dist/manifest.json has no web/main.tsx.')
  const chunks = new Set<Chunk>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || chunks.has(chunk)) return
    chunks.add(chunk)
    for (const imported of chunk.imports ?? []) add(imported)
    for (const lazy of chunk.dynamicImports ?? []) if (OFFLINE_SCREENS.test(lazy)) add(lazy)
  }
  add('web/main.tsx')
  const fonts = (entry.assets ?? []).filter((file) => /-latin-standard-[^/]+\.woff2$/.test(file))
  const files = [...chunks].flatMap(({ file, css = [] }) => [file, ...css])
  const precached = [
    ...[...new Set([...files, ...fonts])].map((file) => ({ url: `/${file}`, revision: null })),
    { url: '/offline', revision: createHash('sha256').update(JSON.stringify(manifest)).digest('hex') },
  ]
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      'process.env.NODE_ENV': '"production"',
      PRECACHED_FILES: JSON.stringify(precached),
      MAIN_SCRIPT: JSON.stringify(`/${entry.file}`),
    },
    build: {
      outDir: 'dist/client',
      emptyOutDir: false,
      rolldownOptions: {
        input: 'web/offline/service-worker.ts',
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
}

/** Writes a module of style sheets, which the worker inlines, and their hashes, which it lists in the CSP. */
function writeStyles(): void {
  const files = Object.values(readManifest()).flatMap(({ css = [] }) => css)
  const styles = [...new Set(files)].map((file) => {
    const css = readFileSync(`dist/client/${file}`, 'utf8')
    return [`/${file}`, { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` }]
  })
  writeFileSync('dist/server/styles.js', `export const styles = ${JSON.stringify(Object.fromEntries(styles))}\n`)
}
