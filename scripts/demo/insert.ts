/** A row's values, in the order of its columns. */
export type Cell = string | number | null
export type Row = readonly Cell[]

/** So many rows travel in one statement as a JSON array: few round trips, no limit on bound parameters. */
const ROWS_A_STATEMENT = 4_000

/**
 * Inserts rows that are not there yet. ON CONFLICT DO NOTHING and never OR IGNORE: an outer conflict policy would
 * override the triggers that keep the totals.
 */
export async function insertRows(
  db: D1Database,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const values = columns.map((_, index) => `value->>${index}`).join(', ')
  const statement = db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
  )
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await statement.bind(JSON.stringify(rows.slice(from, from + ROWS_A_STATEMENT))).run()
}
