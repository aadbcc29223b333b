import { readdirSync, readFileSync } from 'node:fs'
import { createTestHarness } from 'wrangler'
import { measureBroadcast } from '../bench/broadcast.ts'
import {
  AUTHENTICATED_READS,
  measureWatcherCost,
  READ_COMPARISONS,
  runComparisons,
  VOTE_COMPARISONS,
} from '../bench/comparisons.ts'
import { checkConsistency } from '../bench/consistency.ts'
import { measureCpu } from '../bench/cpu.ts'
import type { QueryGrowth } from '../bench/data-workloads.ts'
import { measureExports } from '../bench/exports.ts'
import { measurePages } from '../bench/pages.ts'
import { measurePollLoad } from '../bench/poll-load.ts'
import { measureSizes } from '../bench/sizes.ts'
import {
  exportMemoryRow,
  firstByteRow,
  growthRow,
  memoryRow,
  printTable,
  type ReportRow,
  sizeRow,
  speedRow,
  voteLoadRow,
} from '../bench/table.ts'
import { measureStart } from '../bench/worker-start.ts'
import { seedRows } from './demo/seed.ts'
import { runVoteLoad, type VoteLoadReport } from './races/vote-load.ts'
import { buildWeb } from './tools/build.ts'
import { runTool, WRANGLER_BIN } from './tools/run-tool.ts'
import { SILENT_ENV } from './tools/silent-env.ts'

// `npm run bench` compares speeds with floors measured in the same run (docs/decisions/0016). --page measures page
// loads instead, --only <part> measures one part, and --strict exits with 1 if a target is missed.

const onlyPart = (process.argv.includes('--only') && process.argv[process.argv.indexOf('--only') + 1]) || null

/** Estimated seconds of each part on two idle cores. */
const ESTIMATED_SECONDS = {
  start: 5,
  reads: 75,
  authenticated: 35,
  votes: 170,
  cpu: 60,
  live: 40,
  kills: onlyPart === 'kills' ? 400 : 100,
  mail: 15,
  exports: 45,
  growth: 45,
}
/** Rows of the parts that threw an error; the other parts still run. */
const failures: ReportRow[] = []

/** Runs `work`. If it throws, adds a row to `failures` and returns `fallback`. */
async function attempt<T>(name: string, work: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    failures.push({ label: name, measured: 'failed', against: '', target: '-', passed: false, cause: String(error) })
    return fallback
  }
}

async function runPart<T>(name: keyof typeof ESTIMATED_SECONDS, measure: () => Promise<T>, fallback: T): Promise<T> {
  if (onlyPart !== null && onlyPart !== name) return fallback
  const start = Date.now()
  console.log(`\n== ${name}: about ${ESTIMATED_SECONDS[name]} s on two idle cores`)
  const result = await attempt(name, measure, fallback)
  console.log(`== ${name}: ${((Date.now() - start) / 1000).toFixed(0)} s`)
  return result
}

Object.assign(process.env, SILENT_ENV)
const startedAt = Date.now()
await buildWeb()
// This experiment runs only with `--only poll-load`.
if (onlyPart === 'poll-load') finish(await attempt('poll load', measurePollLoad, []))
if (!process.argv.includes('--page'))
  await runTool(WRANGLER_BIN, ['deploy', '--dry-run', '--outdir', 'dist/dry-run', '--minify'])
const vars = {
  SITE_MODE: 'demo',
  SITE_ORIGIN: 'https://bench.example',
  MAIL_FROM: 'hello@bench.example',
  SIGNING_SECRET: 'a-secret-for-the-bench-alone-0123456789',
}
if (process.argv.includes('--page')) finish(await attempt('pages', () => measurePages(vars, onlyPart), []))

const server = createTestHarness({
  workers: [
    { configPath: 'bench/wrangler.toml', vars },
    { configPath: 'wrangler.toml', vars },
  ],
})
await server.listen()
const worker = server.getWorker<{ DB: D1Database }>('bench')
await worker.applyD1Migrations('DB')
for (const name of ['BULK_DB', 'GROWTH_DB']) await worker.applyD1Migrations(name as 'DB')
const { DB } = await worker.getEnv()
await seedRows(DB, Date.now())
const homePage = await (await server.getWorker('artist-house').fetch('/')).text()

/** Calls the bench worker. @throws Error unless the response is 2xx. */
async function callBench<T>(path: string): Promise<T> {
  const response = await worker.fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Calls per second of each path's last load. */
const speeds = new Map<string, number>()

/** Increases the number of calls until one load takes about `seconds`; returns calls per second. */
async function measureSpeed(path: string, seconds: number): Promise<number> {
  for (let calls = Math.max(32, Math.ceil((speeds.get(path) ?? 0) * seconds)); ; ) {
    const startedAt = performance.now()
    const { failed } = await callBench<{ failed: number }>(`/bench?path=${encodeURIComponent(path)}&calls=${calls}`)
    if (failed > 0) throw new Error(`${path}: ${failed} of ${calls} calls failed.`)
    const elapsedSeconds = (performance.now() - startedAt) / 1000
    speeds.set(path, calls / elapsedSeconds)
    if (elapsedSeconds >= seconds * 0.7) return calls / elapsedSeconds
    calls = Math.ceil(calls * Math.min(20, (seconds * 1.1) / Math.max(elapsedSeconds, 0.001)))
  }
}

let duplicateBursts = 0
/** Checks totals after votes. Unless the limiter is in memory, 40 users first send one vote 50 times at once. */
async function checkVotes(path: string): Promise<void> {
  if (!path.startsWith('/vote')) return
  if (path.includes('limiter=memory')) return void (await checkConsistency(DB))
  const { 200: accepted = 0, 409: rejected = 0, ...others } = await callBench<Record<string, number>>('/duplicates')
  if (accepted !== 40 || rejected !== 40 * 49)
    throw new Error(`Duplicates: ${accepted} accepted, ${rejected} rejected, ${JSON.stringify(others)}.`)
  duplicateBursts += accepted
  await checkConsistency(DB)
}

const reads = await runPart(
  'reads',
  () => runComparisons(READ_COMPARISONS, measureSpeed, { rounds: 6, seconds: 1.5 }),
  [],
)
await attempt('voters', () => callBench('/voters'), null)
const authenticated = await runPart(
  'authenticated',
  () => runComparisons(AUTHENTICATED_READS, measureSpeed, { rounds: 6, seconds: 0.7 }),
  [],
)
const votes = await runPart(
  'votes',
  () => runComparisons(VOTE_COMPARISONS, measureSpeed, { rounds: 6, seconds: 3, after: checkVotes }),
  [],
)
const cpu = await runPart('cpu', () => measureCpu(callBench), [])
const live = await runPart('live', () => measureWatcherCost(callBench), [])
const consistency = await attempt('consistency', () => checkConsistency(DB), null)
const broadcast = await runPart('mail', () => measureBroadcast(callBench), { speeds: [], memory: [] })
const exported = await runPart('exports', () => measureExports(callBench), { speeds: [], memory: [], firstBytes: [] })
const growth = await runPart('growth', () => callBench<QueryGrowth[]>('/growth'), [])
const bundle = `dist/dry-run/${readdirSync('dist/dry-run').find((name) => name.endsWith('.js'))}`
const sizeLimits = measureSizes(homePage, readFileSync(bundle, 'utf8'))
await server.close()
const starts = await runPart('start', async () => [await measureStart(bundle)], [])
// 200,000 votes take seven minutes, so a run of all parts casts a fifth of them.
const VOTE_LOAD = { voters: 2_000, polls: onlyPart === 'kills' ? 100 : 20, kills: 5, concurrency: 128 }
const voteLoad = await runPart<VoteLoadReport | null>('kills', () => runVoteLoad(VOTE_LOAD), null)

const rows = [
  ...reads.map(speedRow),
  ...authenticated.map(speedRow),
  ...votes.map(speedRow),
  ...cpu,
  ...live.map(speedRow),
  ...(voteLoad ? [voteLoadRow(voteLoad, VOTE_LOAD.kills)] : []),
  ...broadcast.speeds.map(speedRow),
  ...broadcast.memory.map(memoryRow),
  ...exported.speeds.map(speedRow),
  ...exported.memory.map(exportMemoryRow),
  ...exported.firstBytes.map(firstByteRow),
  ...growth.map(growthRow),
  ...starts,
  ...sizeLimits.map(sizeRow),
]
if (consistency)
  console.log(
    `\n${consistency.votes} votes: votes, counters and ledger agree. ${duplicateBursts} votes sent fifty times at once were counted once each.`,
  )
finish(rows)

function finish(measured: readonly ReportRow[]): never {
  const allRows = [...measured, ...failures]
  printTable(allRows)
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(0)} s.`)
  process.exit(process.argv.includes('--strict') && allRows.some(({ passed }) => passed === false) ? 1 : 0)
}
