import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { digestFiles } from '../tools/build-stamp.ts'
import { WRANGLER_BIN } from '../tools/run-tool.ts'
import { SILENT_ENV } from '../tools/silent-env.ts'

// Vitest's global setup prepares once what every test server needs: bundling and migrating take most of its start-up.

/** The folder of the bundled worker: `index.js`, and `silent.js` without its log. */
export const WORKER_BUNDLE = '.wrangler/test-worker'
export const BUNDLE_SOURCES = [
  'worker/**/*.{ts,tsx}',
  'scripts/demo/*.ts',
  'dist/manifest.json',
  'dist/server/*',
  'wrangler.toml',
  '{.,worker}/tsconfig.json',
  'package.json',
  'package-lock.json',
]
/** A state folder whose database has only the rows that migrations insert. */
const MIGRATED_STATE = '.wrangler/test-state'

/**
 * Silences the worker. Miniflare reads the log in the thread that waits for the worker's stores: a busy worker would
 * fill the pipe, and the worker and the thread would wait for each other.
 */
const DISABLE_CONSOLE =
  "for (const level of ['debug', 'info', 'log', 'warn', 'error']) console[level] = () => undefined\n"

/** Creates a state folder with a migrated database. */
export const copyMigratedState = (state: string): void => cpSync(MIGRATED_STATE, state, { recursive: true })

export async function setup(): Promise<void> {
  await Promise.all([
    // Servers need the build; other tests run without it.
    existsSync('dist/manifest.json') && buildUnlessCurrent(WORKER_BUNDLE, BUNDLE_SOURCES, bundleWorker),
    buildUnlessCurrent(MIGRATED_STATE, ['migrations/*.sql'], migrateState),
  ])
}

/** Builds the folder unless it was built from the same sources. */
async function buildUnlessCurrent(folder: string, sources: readonly string[], build: () => Promise<unknown>) {
  const stamp = `${folder}.stamp`
  const digest = await digestFiles([...sources, 'scripts/races/prebuilt.ts'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  rmSync(stamp, { force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build()
  writeFileSync(stamp, digest)
}

const runNode = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { env: { ...process.env, ...SILENT_ENV } })

async function bundleWorker(): Promise<void> {
  await runNode(WRANGLER_BIN, 'deploy', '--dry-run', '--outdir', WORKER_BUNDLE)
  writeFileSync(`${WORKER_BUNDLE}/silent.js`, DISABLE_CONSOLE + readFileSync(`${WORKER_BUNDLE}/index.js`, 'utf8'))
}

const migrateState = () =>
  runNode(
    '--eval',
    `import('./scripts/tools/migrations.ts').then(({ migrateLocal }) => migrateLocal('${MIGRATED_STATE}'))`,
  )
