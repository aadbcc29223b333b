import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './tools/build.ts'
import { findFreePort } from './tools/ports.ts'
import { runTool } from './tools/run-tool.ts'

// `npm run test:long` runs at full size the suites that `npm test` scales down or leaves out (`*.long.test.ts`, and the
// browser tests tagged `@long` or `@axe`).
const LONG = { LONG: '1' }

/** The worker's test files with a full size. */
const scaledFiles = readdirSync('worker', { recursive: true, encoding: 'utf8' })
  .map((name) => join('worker', name))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('isLongRun'))

await buildWeb()
const unitPassed = await runTool(
  'node_modules/vitest/vitest.mjs',
  ['run', ...scaledFiles, 'scripts/races', '.long.test.ts'],
  LONG,
)
rmSync('.wrangler/e2e', { recursive: true, force: true })
const browserPassed = await runTool('node_modules/@playwright/test/cli.js', ['test', '--grep', '@long|@axe'], {
  ...LONG,
  E2E_PORT: String(await findFreePort()),
})
process.exit(unitPassed && browserPassed ? 0 : 1)
