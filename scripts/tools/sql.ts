export type Row = Readonly<Record<string, string | number | boolean | null>>

const MAX_ROWS_PER_STATEMENT = 4_000

/**
 * Inserts the rows that do not exist yet; all rows need the columns of the first.
 * ON CONFLICT instead of OR IGNORE, which would also apply inside the triggers that maintain the totals.
 */
export async function insertRows(db: D1Database, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((_, index) => `value->>${index}`).join(', ')
  const statement = db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
  )
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
    const batch = rows.slice(start, start + MAX_ROWS_PER_STATEMENT)
    await statement.bind(JSON.stringify(batch.map((row) => columns.map((column) => row[column])))).run()
  }
}

/** An INSERT as text, for `wrangler d1 execute`, which takes no parameters. */
export function insertStatement(table: string, row: Row): string {
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? sqlText(value) : value === null ? 'NULL' : Number(value),
  )
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`
}

/** A string as an SQL literal, on one line. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''").replace(/[\r\n]+/g, ' ')}'`
