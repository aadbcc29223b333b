import { readFileSync, rmSync } from 'node:fs'
import { bundleSize } from '../bench/sizes.ts'
import { buildWeb } from './tools/build.ts'
import { findFreePort } from './tools/ports.ts'
import { runTool, WRANGLER_BIN } from './tools/run-tool.ts'

// `npm test`: quick checks in parallel, then the suites one by one. A skipped test counts as failed. The last line is
// the total.

type TestCounts = { passed: number; failed: number }

// Each program has one checker: further ones would check shared types again, and the programs already share the cores.
const checkTypes = (program: string) => runTool('node_modules/typescript/bin/tsc', ['-p', program, '--checkers', '1'])
// No env file is read, so that a developer's .dev.vars does not change the types.
const TYPES_ARGS = ['types', '--include-runtime=false', '--strict-vars=false', '--env-file', '/dev/null']
const singleResult = (ok: boolean): TestCounts => ({ passed: Number(ok), failed: Number(!ok) })

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    console.error(error)
    return false
  }
}

/** Counts in a vitest or Playwright JSON report. Skipped and flaky tests and an unreadable report count as failed. */
function readReport(path: string): TestCounts {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isVitestReport(report))
      return {
        passed: report.numPassedTests,
        failed: report.numFailedTests + report.numPendingTests + countCrashedFiles(report),
      }
    if (isPlaywrightReport(report))
      return {
        passed: report.stats.expected,
        failed: report.stats.unexpected + report.stats.flaky + report.stats.skipped,
      }
  } catch {
    // Counted below.
  }
  return { passed: 0, failed: 1 }
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }
const isVitestReport = (data: unknown): data is VitestReport =>
  typeof data === 'object' && data !== null && 'numPassedTests' in data
const isPlaywrightReport = (data: unknown): data is PlaywrightReport =>
  typeof data === 'object' && data !== null && 'stats' in data

// A file that failed before its first test counts as one failure.
const countCrashedFiles = ({ testResults }: VitestReport) =>
  testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length

type Step = [name: string, run: () => Promise<TestCounts>]

const quickChecks: Step[] = [
  [
    'worker-configuration.d.ts is current (else run `npm run types`)',
    async () => singleResult(await runTool(WRANGLER_BIN, [...TYPES_ARGS, '--check'])),
  ],
  ['Types: worker', async () => singleResult(await checkTypes('worker'))],
  ['Types: web', async () => singleResult(await checkTypes('web'))],
  ['Types: scripts', async () => singleResult(await checkTypes('scripts'))],
  ['Lint and format', async () => singleResult(await runTool('node_modules/@biomejs/biome/bin/biome', ['check', '.']))],
  ['Build', async () => singleResult(await succeeds(buildWeb))],
]

const suites: Step[] = [
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
      return withCrashAsFailure(readReport('test-results/unit.json'), ok)
    },
  ],
  [
    'Dry run of a deployment, and the size of the worker',
    async () => {
      const args = ['deploy', '--dry-run', '--minify', '--outdir', 'dist/dry-run']
      if (!(await runTool(WRANGLER_BIN, args))) return singleResult(false)
      const {
        label,
        bytes,
        limitBytes: limit,
        passed: isWithinLimit,
      } = bundleSize(readFileSync('dist/dry-run/index.js', 'utf8'))
      console.log(`${label}: ${(bytes / 1024).toFixed(0)} of at most ${limit / 1024} KB`)
      return singleResult(isWithinLimit)
    },
  ],
  [
    'Browser tests',
    async () => {
      rmSync('test-results/e2e.json', { force: true })
      rmSync('.wrangler/e2e', { recursive: true, force: true })
      const ok = await runTool('node_modules/@playwright/test/cli.js', ['test'], {
        E2E_PORT: String(await findFreePort()),
      })
      return withCrashAsFailure(readReport('test-results/e2e.json'), ok)
    },
  ],
]

/** A suite that crashed without a failed test counts as one failure. */
const withCrashAsFailure = (counts: TestCounts, ok: boolean): TestCounts =>
  ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }

let passed = 0
let failed = 0
async function runStep([name, run]: Step): Promise<void> {
  const startedAt = Date.now()
  console.log(`\n== ${name}`)
  const counts = await run()
  passed += counts.passed
  failed += counts.failed
  console.log(
    `== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
  )
}
await Promise.all(quickChecks.map(runStep))
for (const suite of suites) await runStep(suite)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
