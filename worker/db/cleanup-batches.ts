import { addMonths, dueCutoff, type Millis } from '../lib/clock'
import type { Db } from './client'

/** Rows that one batch of a cleanup job changed, and whether more may be left. */
export type BatchResult = { affected: number; more: boolean }

export const combineResults = (steps: readonly BatchResult[]): BatchResult => ({
  affected: steps.reduce((sum, { affected }) => sum + affected, 0),
  more: steps.some(({ more }) => more),
})

/** Result of a statement limited to `size` rows, with RETURNING. */
export const batchResult = (result: D1Result | undefined, size: number): BatchResult => {
  const affected = result?.results.length ?? 0
  return { affected, more: affected === size }
}

type DueRows = {
  /**
   * SELECT of `id` and `since` of the rows whose `since` is at or before ?1 (`dueCutoff`), oldest first, without LIMIT.
   */
  due: string
  /** Calendar months after `since` until a row is due. */
  months: number
  at: Millis
  /** Maximum rows per batch. */
  size: number
  /** Idempotent SQL statements that bind ?1, the due ids as a JSON array; or a function that prepares them. */
  change: readonly string[] | ((ids: string) => Promise<D1PreparedStatement[]>)
}

/** Applies `change` to the next batch of due rows. */
export async function processDueRows(
  { $client: d1 }: Db,
  { due, months, at, size, change }: DueRows,
): Promise<BatchResult> {
  const { results } = await d1
    .prepare(`${due} LIMIT ${size}`)
    .bind(dueCutoff(at, months))
    .all<{ id: string | number; since: Millis }>()
  // `dueCutoff` also selects rows that are up to three days from due.
  const ids = results.filter(({ since }) => addMonths(since, months) <= at).map(({ id }) => id)
  const idsJson = JSON.stringify(ids)
  if (ids.length > 0)
    await d1.batch(
      typeof change === 'function' ? await change(idsJson) : change.map((sql) => d1.prepare(sql).bind(idsJson)),
    )
  return { affected: ids.length, more: ids.length === size }
}
