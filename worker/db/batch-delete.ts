import type { Millis } from '../lib/clock'
import { addMonths, dueCutoff } from '../lib/clock'

/** What one bounded piece of tidying did, and whether there is more of the same. */
export type BatchResult = { affected: number; more: boolean }

/** Several that belong together: there is more when any of them has more. */
export const combineResults = (steps: readonly BatchResult[]): BatchResult => ({
  affected: steps.reduce((sum, { affected }) => sum + affected, 0),
  more: steps.some(({ more }) => more),
})

/** What a statement that touches `size` rows at the most did; it says which by RETURNING. */
export const batchResult = (result: D1Result | undefined, size: number): BatchResult => {
  const affected = result?.results.length ?? 0
  return { affected, more: affected === size }
}

type DueRows = {
  /** SELECT of `id` and `since` of what began by ?1, oldest first, without its LIMIT. */
  due: string
  /** How long after `since` it is due, in calendar months. */
  months: number
  at: Millis
  size: number
}

/**
 * Takes the next portion of what has reached its months, to the millisecond: `change` makes the statements for the ids,
 * which it gets as a JSON array. Two at once change the same rows once.
 */
export async function processDueRows(
  d1: D1Database,
  { due, months, at, size }: DueRows,
  change: (ids: string) => D1PreparedStatement[],
): Promise<BatchResult> {
  const { results } = await d1
    .prepare(`${due} LIMIT ${size}`)
    .bind(dueCutoff(at, months))
    .all<{ id: string | number; since: Millis }>()
  const ids = results.filter(({ since }) => addMonths(since, months) <= at).map(({ id }) => id)
  if (ids.length > 0) await d1.batch(change(JSON.stringify(ids)))
  return { affected: ids.length, more: ids.length === size }
}
