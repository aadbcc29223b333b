/**
 * One thing to measure: calls per second of `path`, held against those of `floor` in the same round. What has a target
 * says what is known to keep it from there: `cause` is printed where it misses.
 */
export type Comparison = { figure: string; path: string; floor: string } & (
  | { target: number; cause: string }
  | { target: null; cause?: undefined }
)

export type ComparisonResult = Comparison & {
  perSecond: number
  ratios: { median: number; min: number; max: number }
  held: boolean | null
}

/** Calls `path` for about `seconds` and returns calls per second. */
export type Load = (path: string, seconds: number) => Promise<number>

/** `after` is called behind each measured load: where what it left is looked at. */
type Rounds = { rounds: number; seconds: number; after?: (path: string) => Promise<void> }

/**
 * Measures every contest in rounds whose order rotates, so that a machine that slows down slows both sides of a
 * ratio. Ratios are taken inside a round; the median over the rounds is what counts.
 */
export async function runComparisons(
  contests: readonly Comparison[],
  load: Load,
  { rounds, seconds, after = async () => {} }: Rounds,
): Promise<ComparisonResult[]> {
  const paths = [...new Set(contests.flatMap(({ path, floor }) => [path, floor]))]
  for (const path of paths) await load(path, 0.3)
  const speeds = new Map<string, number[]>(paths.map((path) => [path, []]))
  const again: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < paths.length; i++) {
      const path = paths[(i + round) % paths.length] as string
      speeds.get(path)?.push(await load(path, seconds))
      await after(path)
      // The floor against itself: what difference is noise.
      if (path === contests[0]?.floor) again.push(await load(path, seconds))
    }
  }
  const outcomes = contests.map((contest) =>
    compareSpeeds(contest, speeds.get(contest.path) ?? [], speeds.get(contest.floor) ?? []),
  )
  const first = contests[0]
  return first
    ? [
        compareSpeeds(
          { figure: `A/A: ${first.floor} against itself`, path: first.floor, floor: first.floor, target: null },
          again,
          speeds.get(first.floor) ?? [],
        ),
        ...outcomes,
      ]
    : []
}

export function compareSpeeds(
  contest: Comparison,
  speeds: readonly number[],
  floors: readonly number[],
): ComparisonResult {
  const ratios = speeds.map((speed, i) => speed / (floors[i] ?? Number.NaN)).sort((a, b) => a - b)
  const middle = median(ratios)
  return {
    ...contest,
    perSecond: median([...speeds].sort((a, b) => a - b)),
    ratios: { median: middle, min: ratios[0] ?? Number.NaN, max: ratios.at(-1) ?? Number.NaN },
    held: contest.target === null ? null : middle >= contest.target,
  }
}

/** The one in the middle. */
export const median = (sorted: readonly number[]) => {
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[half] ?? Number.NaN)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}
