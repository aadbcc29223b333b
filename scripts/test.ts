import { readFileSync, rmSync } from 'node:fs'
import { bundleSize } from '../bench/start.ts'
import { buildWeb } from './tools/build.ts'
import { freePort } from './tools/ports.ts'
import { runTool, type Tally, tallyOf } from './tools/steps.ts'

// `npm test`: all suites, cheapest first. A skipped test counts as failed. The last line is the total.
const tsc = (program: string) => runTool('node_modules/typescript/bin/tsc', ['-p', program])
// No env file: a developer's .dev.vars must not change the types.
const WRANGLER_TYPES = ['types', '--include-runtime=false', '--strict-vars=false', '--env-file', '/dev/null']
const tallyOne = (ok: boolean): Tally => ({ passed: Number(ok), failed: Number(!ok) })

async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    console.error(error)
    return false
  }
}

const steps: [name: string, run: () => Promise<Tally>][] = [
  [
    'worker-configuration.d.ts is current (else run `npm run types`)',
    async () => tallyOne(await runTool('node_modules/wrangler/bin/wrangler.js', [...WRANGLER_TYPES, '--check'])),
  ],
  ['Types: worker', async () => tallyOne(await tsc('worker'))],
  ['Types: web', async () => tallyOne(await tsc('web'))],
  ['Types: scripts', async () => tallyOne(await tsc('scripts'))],
  ['Lint and format', async () => tallyOne(await runTool('node_modules/@biomejs/biome/bin/biome', ['check', '.']))],
  ['Build', async () => tallyOne(await attempt(buildWeb))],
  [
    'Unit and workers-runtime tests',
    async () => {
      rmSync('test-results/unit.json', { force: true })
      const ok = await runTool('node_modules/vitest/vitest.mjs', [
        'run',
        '--reporter=default',
        '--reporter=json',
        '--outputFile.json=test-results/unit.json',
      ])
      return ensureFailure(tallyOf('test-results/unit.json'), ok)
    },
  ],
  [
    'Deploy, dry run, and the size of what is deployed',
    async () => {
      const args = ['deploy', '--dry-run', '--minify', '--outdir', 'dist/dry-run']
      if (!(await runTool('node_modules/wrangler/bin/wrangler.js', args))) return tallyOne(false)
      const { figure, bytes, limit, held } = bundleSize(readFileSync('dist/dry-run/index.js', 'utf8'))
      console.log(`${figure}: ${(bytes / 1024).toFixed(0)} of at most ${limit / 1024} KB`)
      return tallyOne(held)
    },
  ],
  [
    'Browser tests',
    async () => {
      rmSync('test-results/e2e.json', { force: true })
      rmSync('.wrangler/e2e', { recursive: true, force: true })
      const ok = await runTool('node_modules/@playwright/test/cli.js', ['test'], { E2E_PORT: String(await freePort()) })
      return ensureFailure(tallyOf('test-results/e2e.json'), ok)
    },
  ],
]

/** A suite that crashed without a failed test counts as one failure. */
const ensureFailure = (tally: Tally, ok: boolean): Tally => (ok || tally.failed > 0 ? tally : { ...tally, failed: 1 })

let passed = 0
let failed = 0
for (const [name, run] of steps) {
  const began = Date.now()
  console.log(`\n== ${name}`)
  const tally = await run()
  passed += tally.passed
  failed += tally.failed
  console.log(
    `== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${((Date.now() - began) / 1000).toFixed(1)} s`,
  )
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
