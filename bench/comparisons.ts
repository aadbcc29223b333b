import { readdirSync, readFileSync } from 'node:fs'
import type { QueueingTimes, WriteTime } from './data-workloads.ts'

/**
 * Compares the calls per second of `path` with those of `floor`, the least code that could do the same work. `cause`
 * explains a ratio below `target`.
 */
type Comparison = { label: string; path: string; floor: string } & (
  | { target: number; cause: string }
  | { target: null; cause?: undefined }
)

/** `ratios` are speed over floor in each round; `passed` is null without a target. */
export type ComparisonResult = Comparison & {
  perSecond: number
  ratios: { median: number; min: number; max: number }
  passed: boolean | null
}

/** Calls `path` for about `seconds`; returns calls per second. */
type MeasureSpeed = (path: string, seconds: number) => Promise<number>

/** `after` runs after each measured load, to check the rows it wrote. */
type RoundOptions = { rounds: number; seconds: number; after?: (path: string) => Promise<void> }

const WARM_UP_SECONDS = 0.3

/**
 * Measures all paths in each round, in rotating order, so that a slow moment of the machine does not favor one side.
 * The first result compares a floor with itself, which shows the noise.
 */
export async function runComparisons(
  comparisons: readonly Comparison[],
  measureSpeed: MeasureSpeed,
  { rounds, seconds, after = async () => {} }: RoundOptions,
): Promise<ComparisonResult[]> {
  const paths = [...new Set(comparisons.flatMap(({ path, floor }) => [path, floor]))]
  for (const path of paths) await measureSpeed(path, WARM_UP_SECONDS)
  const speeds = new Map<string, number[]>(paths.map((path) => [path, []]))
  const repeatedSpeeds: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < paths.length; i++) {
      const path = paths[(i + round) % paths.length] as string
      speeds.get(path)?.push(await measureSpeed(path, seconds))
      await after(path)
      // Comparing the floor with itself shows the noise of the measurement.
      if (path === comparisons[0]?.floor) repeatedSpeeds.push(await measureSpeed(path, seconds))
    }
  }
  const results = comparisons.map((comparison) =>
    compareSpeeds(comparison, speeds.get(comparison.path) ?? [], speeds.get(comparison.floor) ?? []),
  )
  const first = comparisons[0]
  return first
    ? [
        compareSpeeds(
          { label: `A/A: ${first.floor} against itself`, path: first.floor, floor: first.floor, target: null },
          repeatedSpeeds,
          speeds.get(first.floor) ?? [],
        ),
        ...results,
      ]
    : []
}

function compareSpeeds(
  comparison: Comparison,
  speeds: readonly number[],
  floorSpeeds: readonly number[],
): ComparisonResult {
  const ratios = speeds.map((speed, i) => speed / (floorSpeeds[i] ?? Number.NaN)).sort((a, b) => a - b)
  const middle = median(ratios)
  return {
    ...comparison,
    perSecond: median([...speeds].sort((a, b) => a - b)),
    ratios: { median: middle, min: ratios[0] ?? Number.NaN, max: ratios.at(-1) ?? Number.NaN },
    passed: comparison.target === null ? null : middle >= comparison.target,
  }
}

/** The median of numbers in ascending order; NaN without numbers. */
export const median = (sorted: readonly number[]) => {
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[half] ?? Number.NaN)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}

const helloFloor = '/floor/hello'
const pointRead = '/floor/point-read'

const CACHE_CAUSE =
  'hello returns a constant text in 20 microseconds; a cached response takes 60 without a database call. Of the difference, a fifth is freeing memory, a fifth the router and sixteen middlewares, a tenth each the Response and the log line.'
export const READ_COMPARISONS: readonly Comparison[] = [
  { label: 'public configuration over hello', path: '/api/config', floor: helloFloor, target: 0.5, cause: CACHE_CAUSE },
  { label: 'tracks over hello', path: '/api/tracks', floor: helloFloor, target: 0.5, cause: CACHE_CAUSE },
  { label: 'tracks over one D1 point read', path: '/api/tracks', floor: pointRead, target: null },
  {
    label: 'cached home page over a static page',
    path: '/',
    floor: '/floor/page',
    target: 0.9,
    cause: 'it is cached as bytes, so it should be faster than a page held as a string; see the rows above.',
  },
  { label: 'home page over one D1 point read', path: '/', floor: pointRead, target: null },
]

/** Compares signed-in reads with one raw D1 round trip that reads the same rows. */
export const AUTHENTICATED_READS: readonly Comparison[] = [
  {
    label: 'own points history over its raw read',
    path: '/authenticated/api/points/history',
    floor: '/floor/history',
    target: null,
  },
  {
    label: 'leaderboard with own rank over its raw read',
    path: '/authenticated/api/leaderboard',
    floor: '/floor/rank',
    target: null,
  },
  {
    label: 'polls with own vote over their raw read',
    path: '/authenticated/api/polls/active',
    floor: '/floor/polls',
    target: null,
  },
]

const LIMITER_CAUSE =
  "Cloudflare's limiter counts in the machine's memory; the local one writes each call to a separate database."

/**
 * Compares whole requests with one raw D1 batch that writes the same rows. `limiter=memory` counts calls in memory,
 * as Cloudflare's limiter does.
 */
export const VOTE_COMPARISONS: readonly Comparison[] = [
  {
    label: 'vote over raw batch, one by one',
    path: '/vote?at-once=1',
    floor: '/floor/vote?at-once=1',
    target: 0.85,
    cause: `without concurrency, the limiter's commit precedes the vote's. ${LIMITER_CAUSE} The row with the limiter in memory has no such write.`,
  },
  {
    label: 'session and raw batch, one by one',
    path: '/floor/vote-with-session?at-once=1',
    floor: '/floor/vote?at-once=1',
    target: null,
  },
  {
    label: 'vote one by one, limiter in memory',
    path: '/vote?at-once=1&limiter=memory',
    floor: '/floor/vote?at-once=1',
    target: 0.85,
    cause:
      'reading the session from KV takes a third of a raw batch; the row above, session and raw batch alone, is the highest ratio that a vote can reach.',
  },
  {
    label: 'vote over raw batch, 32 at once',
    path: '/vote',
    floor: '/floor/vote',
    target: 2,
    cause: `batched, a vote costs less than the limiter's commit. ${LIMITER_CAUSE} The row with the limiter in memory has no such write.`,
  },
  {
    label: 'session and raw batch, 32 at once',
    path: '/floor/vote-with-session',
    floor: '/floor/vote',
    target: null,
  },
  {
    label: '32 votes at once, limiter in memory',
    path: '/vote?limiter=memory',
    floor: '/floor/vote',
    target: 2,
    cause:
      'the votes of a batch share one commit; the cost of session, triggers and request remains: the local runtime runs KV, D1 and the worker on one thread.',
  },
]

/** Process ids of the local runtime; empty without /proc. */
export const runtimePids = (): number[] => runtimeProcesses().map(({ pid }) => pid)

/** Resident memory of the local runtime in bytes; null without /proc. */
function residentBytes(): number | null {
  const runtimes = runtimeProcesses()
  return runtimes.length ? runtimes.reduce((sum, { bytes }) => sum + bytes, 0) : null
}

/** The workerd processes that this process started, directly or not; empty without /proc. */
function runtimeProcesses(): ProcessInfo[] {
  try {
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => readProcess(Number(pid)))
    const descendants = new Set([process.pid])
    // A child may be listed before its parent: repeat until nothing is added.
    for (let sizeBefore = 0; sizeBefore !== descendants.size; ) {
      sizeBefore = descendants.size
      for (const { pid, parent } of processes) if (descendants.has(parent)) descendants.add(pid)
    }
    return processes.filter(({ pid, name }) => descendants.has(pid) && name.startsWith('workerd'))
  } catch {
    return []
  }
}

/** The runtime's peak memory while `work` runs, minus the memory before it, in bytes; null without /proc. */
async function memoryGrowthDuring(work: () => Promise<unknown>): Promise<number | null> {
  const before = residentBytes()
  if (before === null) {
    await work()
    return null
  }
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes() ?? 0)
  }, 20)
  await work().finally(() => clearInterval(watch))
  return Math.max(peak, residentBytes() ?? 0) - before
}

type ProcessInfo = { pid: number; parent: number; name: string; bytes: number }

/** One process with its resident memory, or none if it has exited. */
function readProcess(pid: number): ProcessInfo[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
    return [{ pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 }]
  } catch {
    return []
  }
}

const WATCHED_ROUNDS = 6
const FEW_SOCKETS = 50
const MANY_SOCKETS = 500
const WATCHED_TARGET = 0.9
const WATCHED_PATHS = { path: '/watched', floor: '/watched' }
const WATCHED_COMPARISON: Comparison = {
  ...WATCHED_PATHS,
  label: `votes with ${MANY_SOCKETS} watchers over votes with ${FEW_SOCKETS}`,
  target: WATCHED_TARGET,
  cause:
    'each broadcast is a message to every socket, and the local runtime sends them on the thread that counts the votes.',
}

/** Votes per second in a watched poll. */
export type WatchedVotes = { perSecond: number }

/** Compares the speed of votes in a poll with many watching sockets and with few, in rounds of rotating order. */
export async function measureWatcherCost(call: <T>(path: string) => Promise<T>): Promise<ComparisonResult[]> {
  const votesPerSecond = async (sockets: number) => (await call<WatchedVotes>(`/watched?sockets=${sockets}`)).perSecond
  await votesPerSecond(FEW_SOCKETS)
  const speedsWithFewSockets: number[] = []
  const speedsWithManySockets: number[] = []
  const repeatedSpeeds: number[] = []
  for (let round = 0; round < WATCHED_ROUNDS; round++) {
    const measurements = [
      async () => speedsWithFewSockets.push(await votesPerSecond(FEW_SOCKETS)),
      async () => speedsWithManySockets.push(await votesPerSecond(MANY_SOCKETS)),
      async () => repeatedSpeeds.push(await votesPerSecond(FEW_SOCKETS)),
    ]
    for (let i = 0; i < measurements.length; i++) await measurements[(i + round) % measurements.length]?.()
  }
  return [
    compareSpeeds(
      { ...WATCHED_PATHS, label: `A/A: votes with ${FEW_SOCKETS} watchers against themselves`, target: null },
      repeatedSpeeds,
      speedsWithFewSockets,
    ),
    compareSpeeds(WATCHED_COMPARISON, speedsWithManySockets, speedsWithFewSockets),
  ]
}

const BROADCAST_ROUNDS = 6
const RECIPIENTS = 10_000
const BROADCAST_MEMORY_LIMIT_BYTES = 32 * 1024 * 1024
/** Writing and reading each page's cursor may cost at most a quarter. */
const BROADCAST_TARGET = 0.75
const BROADCAST_CAUSE = 'besides its recipients, each page writes its cursor and filters the subscribers by audience.'

/** Growth of the runtime's memory while recipients are queued, in bytes; null without /proc. */
export type BroadcastMemory = { recipients: number; bytes: number | null; limitBytes: number; passed: boolean | null }

/** Measures queueing a broadcast's recipients: speed over the floor, and memory. */
export async function measureBroadcast(
  call: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: BroadcastMemory[] }> {
  await call(`/broadcast-subscribers?recipients=${RECIPIENTS}`)
  await call(`/queue-once?recipients=${RECIPIENTS}&round=0`)
  const rounds: QueueingTimes[] = []
  for (let round = 1; round <= BROADCAST_ROUNDS; round++)
    rounds.push(await call<QueueingTimes>(`/queue-once?recipients=${RECIPIENTS}&round=${round}`))
  const memory: BroadcastMemory[] = []
  for (const recipients of [RECIPIENTS, 10 * RECIPIENTS]) {
    await call(`/broadcast-subscribers?recipients=${recipients}`)
    const bytes = await memoryGrowthDuring(() => call(`/queue?recipients=${recipients}`))
    memory.push({
      recipients,
      bytes,
      limitBytes: BROADCAST_MEMORY_LIMIT_BYTES,
      passed: bytes === null ? null : bytes <= BROADCAST_MEMORY_LIMIT_BYTES,
    })
  }
  await call('/broadcast-subscribers?recipients=0')
  const queued = { path: '/queue', floor: '/floor/queue' }
  // The floor runs before and after the app's own code in each round.
  const floorSpeeds = rounds.map(({ floor, repeatedFloor }) => (floor + repeatedFloor) / 2)
  return {
    speeds: [
      compareSpeeds(
        { ...queued, label: 'A/A: raw pages of recipients against themselves', target: null },
        rounds.map(({ repeatedFloor }) => repeatedFloor),
        rounds.map(({ floor }) => floor),
      ),
      compareSpeeds(
        {
          ...queued,
          label: 'recipients queued over raw batched inserts',
          target: BROADCAST_TARGET,
          cause: BROADCAST_CAUSE,
        },
        rounds.map(({ app }) => app),
        floorSpeeds,
      ),
    ],
    memory,
  }
}

const EXPORT_ROUNDS = 4
const EXPORT_ROW_COUNTS = [100_000, 1_000_000]
const EXPORT_MEMORY_LIMIT_BYTES = 32 * 1024 * 1024
const EXPORT_TARGET = 0.5
const FIRST_BYTE_LIMIT_MS = 50
/** Measured by removing one step at a time. */
const EXPORT_CAUSE =
  "the local runtime runs D1, R2 and the worker on one thread, so these steps add to the floor's 1.1 s: SQL 1.1 s, D1's response as JSON 0.5, UTF-8 0.2, SHA-256 0.3. On Cloudflare, D1 and R2 run on other machines."

/**
 * Growth of the runtime's memory in bytes during an export (`bytes`) and during a raw upload of the same size
 * (`rawBytes`); null without /proc.
 */
export type ExportMemory = {
  rows: number
  megabytes: number
  bytes: number | null
  rawBytes: number | null
  limitBytes: number
  passed: boolean | null
}

/** Milliseconds to the first byte of a ready file: median and longest of twenty. */
export type FirstByte = { rows: number; medianMs: number; longestMs: number; limitMs: number; passed: boolean }

/** Measures CSV exports of both sizes: memory of each; speed over raw bytes and time to first byte of the larger. */
export async function measureExports(
  call: <T>(path: string) => Promise<T>,
): Promise<{ speeds: ComparisonResult[]; memory: ExportMemory[]; firstBytes: FirstByte[] }> {
  const memory: ExportMemory[] = []
  let writeTime: WriteTime = { bytes: 0, millis: 0 }
  for (const rows of EXPORT_ROW_COUNTS) {
    await call(`/rows?rows=${rows}`)
    // The first export grows the runtime once; measure the second.
    await call(`/export?rows=${rows}`)
    const bytes = await memoryGrowthDuring(async () => {
      writeTime = await call<WriteTime>(`/export?rows=${rows}`)
    })
    const rawBytes = await memoryGrowthDuring(() => call(`/raw?bytes=${writeTime.bytes}`))
    const passed = bytes === null ? null : bytes <= EXPORT_MEMORY_LIMIT_BYTES
    memory.push({
      rows,
      megabytes: writeTime.bytes / 1024 / 1024,
      bytes,
      rawBytes,
      limitBytes: EXPORT_MEMORY_LIMIT_BYTES,
      passed,
    })
  }
  const perSecond = ({ bytes, millis }: WriteTime) => (bytes / millis) * 1000
  const exportSpeeds: number[] = []
  const floorSpeeds: number[] = []
  const repeatedSpeeds: number[] = []
  for (let round = 0; round < EXPORT_ROUNDS; round++) {
    floorSpeeds.push(perSecond(await call<WriteTime>(`/raw?bytes=${writeTime.bytes}`)))
    exportSpeeds.push(perSecond(await call<WriteTime>(`/export?rows=${EXPORT_ROW_COUNTS.at(-1)}`)))
    repeatedSpeeds.push(perSecond(await call<WriteTime>(`/raw?bytes=${writeTime.bytes}`)))
  }
  const rows = EXPORT_ROW_COUNTS.at(-1) ?? 0
  const waits = (await call<number[]>(`/first-bytes?rows=${rows}`)).sort((a, b) => a - b)
  const medianMs = median(waits)
  const longestMs = waits.at(-1) ?? 0
  const firstBytes = [
    { rows, medianMs, longestMs, limitMs: FIRST_BYTE_LIMIT_MS, passed: medianMs <= FIRST_BYTE_LIMIT_MS },
  ]
  await call('/rows?rows=0')
  const paths = { path: '/export', floor: '/floor/raw' }
  return {
    speeds: [
      compareSpeeds(
        { ...paths, label: 'A/A: raw parts to R2 against themselves, bytes', target: null },
        repeatedSpeeds,
        floorSpeeds,
      ),
      compareSpeeds(
        {
          ...paths,
          label: 'a CSV of 1,000,000 rows over raw parts to R2, bytes',
          target: EXPORT_TARGET,
          cause: EXPORT_CAUSE,
        },
        exportSpeeds,
        floorSpeeds,
      ),
    ],
    memory,
    firstBytes,
  }
}
