import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { digestFiles } from '../tools/build-stamp.ts'
import { SILENT_ENV } from '../tools/silent-env.ts'

// Vitest's global setup makes what every test server needs once: bundling and migrating are most of a server's start.

/** The folder of the bundled worker, `index.js`. */
export const WORKER_BUNDLE = '.wrangler/test-worker'
const BUNDLE_SOURCES = [
  'worker/**/*.ts',
  'scripts/demo/*.ts',
  'dist/manifest.json',
  'dist/server/*',
  'wrangler.toml',
  'package-lock.json',
]
/** A state folder whose database is migrated and has no other rows. */
const MIGRATED_STATE = '.wrangler/test-state'

const BUNDLE = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--outdir', WORKER_BUNDLE]
const MIGRATE = [
  '--eval',
  `import('./scripts/tools/local.ts').then(({ migrateLocal }) => migrateLocal('${MIGRATED_STATE}'))`,
]

/** Starts a local state with a migrated database. */
export const copyMigratedState = (state: string): void => cpSync(MIGRATED_STATE, state, { recursive: true })

export async function setup(): Promise<void> {
  await Promise.all([
    // Servers need the build; other tests run without it.
    existsSync('dist/manifest.json') && makeUnlessCurrent(WORKER_BUNDLE, BUNDLE_SOURCES, BUNDLE),
    makeUnlessCurrent(MIGRATED_STATE, ['migrations/*.sql'], MIGRATE),
  ])
}

/** Runs a Node program that makes the folder, unless it was made from the same sources. */
async function makeUnlessCurrent(folder: string, sources: readonly string[], program: readonly string[]) {
  const stamp = `${folder}.stamp`
  const digest = await digestFiles(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  rmSync(stamp, { force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...SILENT_ENV } })
  writeFileSync(stamp, digest)
}
