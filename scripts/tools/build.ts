import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { lineIcons } from './line-icons.ts'
import { stripSchemasPlugin } from './strip-schemas.ts'
import { subsetFonts } from './subset-fonts.ts'

const STAMP = 'dist/.stamp'
const SOURCES = [
  'web/**/*',
  'worker/contract/**/*',
  'vite.config.ts',
  'scripts/tools/strip-schemas.ts',
  'scripts/tools/build.ts',
  'scripts/tools/subset-fonts.ts',
  'scripts/tools/line-icons.ts',
  'package-lock.json',
  'tsconfig.json',
]

/** Builds the web app when its sources are not those of the last build. Returns whether it built. */
export async function buildWeb(): Promise<boolean> {
  const wanted = await digest()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return false
  // vite says 'production' to the whole process when it builds; what runs after it must not believe that.
  const { NODE_ENV } = process.env
  await subsetFonts()
  await build({ logLevel: 'warn' })
  await buildDeferredEntry()
  await buildRenderer()
  writeStyles()
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  writeFileSync(STAMP, wanted)
  return true
}

/**
 * web/entry.deferred.ts as a file of its own, and a row of the manifest: beside another entry vite would cut the app's one file
 * into two, fetched one after the other.
 */
async function buildDeferredEntry(): Promise<void> {
  const input = 'web/entry.deferred.ts'
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: 'dist/client',
      emptyOutDir: false,
      manifest: 'deferred.json',
      modulePreload: false,
      rolldownOptions: { input },
    },
  })
  const [app, deferred] = ['dist/manifest.json', 'dist/client/deferred.json'].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  )
  rmSync('dist/client/deferred.json')
  writeFileSync('dist/manifest.json', JSON.stringify({ ...app, [input]: deferred[input] }, null, 2))
}

/** The screens that the worker draws and the home page does not hold already. */
const RENDERED_SCREENS = ['./subscriptions/SubscribePage', './privacy/PrivacyPolicyPage', './show-page/ShowPage']
const EMPTY_MODULE = '\0not-drawn'

/**
 * What a screen fetches when it is opened or touched is nothing to a renderer, which does neither: the desk, the checkout
 * and the forms would be more than half of its file, and an isolate starts later for each byte.
 */
const onlyRenderedScreens: Plugin = {
  name: 'only-what-is-drawn',
  enforce: 'pre',
  resolveDynamicImport: (name) => (RENDERED_SCREENS.includes(String(name)) ? null : EMPTY_MODULE),
  load: (id) => (id === EMPTY_MODULE ? 'export {}' : null),
}

/** web/render.tsx as one file for the worker: the same routes and components as the browser's. */
async function buildRenderer(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), stripSchemasPlugin, lineIcons, onlyRenderedScreens],
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

type Chunk = { css?: string[]; imports?: string[] }

/**
 * The built styles as a module of the worker, with the hashes that let them stand in a page: the app's, and what the
 * screen of a show brings along.
 */
function writeStyles(): void {
  const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8')) as Record<string, Chunk>
  const stylesOf = (name: string): string[] => [
    ...(manifest[name]?.imports ?? []).filter((one) => one !== 'web/main.tsx').flatMap(stylesOf),
    ...(manifest[name]?.css ?? []),
  ]
  const sheet = (name: string) => {
    const css = [...new Set(stylesOf(name))].map((file) => readFileSync(`dist/client/${file}`, 'utf8')).join('')
    return { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` }
  }
  const sheets = { app: sheet('web/main.tsx'), show: sheet('web/show-page/ShowPage.tsx') }
  writeFileSync('dist/server/styles.js', `export const sheets = ${JSON.stringify(sheets)}\n`)
}

async function digest(): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(SOURCES, { withFileTypes: true }))
    if (entry.isFile()) files.push(`${entry.parentPath}/${entry.name}`)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}
