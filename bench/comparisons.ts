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

export function compareSpeeds(
  comparison: Comparison,
  speeds: readonly number[],
  floorSpeeds: readonly number[],
): ComparisonResult {
  const ratios = speeds.map((speed, i) => speed / (floorSpeeds[i] ?? Number.NaN)).sort((a, b) => a - b)
  const middle = median(ratios)
  return {
    ...comparison,
    perSecond: median(speeds),
    ratios: { median: middle, min: ratios[0] ?? Number.NaN, max: ratios.at(-1) ?? Number.NaN },
    passed: comparison.target === null ? null : middle >= comparison.target,
  }
}

/** The median; NaN without numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
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
