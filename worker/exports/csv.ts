/** One column of an export: its heading, and SQL that gives its text. */
export type Column = {
  header: string
  sql: string
  /** Made of a number by our own SQL, as an instant is: there is nothing in it to quote and no formula. */
  plain?: true
}

/** UTF-8's mark, for spreadsheets that guess otherwise. */
const BOM = '\ufeff'

// = + - @, tab, line feed, return, NUL, and the full-width = + - @ that some spreadsheets take for the same.
const FORMULA_TRIGGERS = [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0a, 0x0d, 0x00, 0xff1d, 0xff0b, 0xff0d, 0xff20].join(', ')

/**
 * SQL for what stands between the quotes of one cell (ruling 29, RFC 4180): quotes doubled; a text that a spreadsheet would
 * run as a formula begins with an apostrophe instead. NULL is an empty cell.
 */
export function csvCell(source: string): string {
  const sql = `(${source})`
  const trimmed = `ltrim(${sql}, ' ')`
  // unicode() has no answer for an empty text and none for one that begins with NUL.
  const first = `coalesce(unicode(${trimmed}), iif(${trimmed} = '', 1, 0))`
  const escaped = `iif(${first} IN (${FORMULA_TRIGGERS}), '''', '') || replace(${sql}, '"', '""')`
  // Nearly every text begins with a letter or a figure and has no quotes: it is found to be harmless at half the price.
  return `CASE WHEN ${sql} GLOB '[0-9A-Za-z]*' AND instr(${sql}, '"') = 0 THEN ${sql} WHEN ${sql} IS NULL THEN '' ELSE ${escaped} END`
}

/** D1 takes 32 arguments of a function: a line of more columns is put together from several calls. */
const COLUMNS_PER_CONCAT = 15

/** SQL for one line, every cell of it quoted, with its CRLF. concat() takes NULL for nothing; `||` would lose the line. */
export function csvRow(columns: readonly Column[]): string {
  const cells = columns.map(({ sql, plain }) => (plain ? sql : csvCell(sql)))
  const calls: string[] = []
  for (let from = 0; from < cells.length; from += COLUMNS_PER_CONCAT)
    calls.push(`concat('"', ${cells.slice(from, from + COLUMNS_PER_CONCAT).join(`, '","', `)}, '"')`)
  return `${calls.join(` || ',' || `)} || char(13, 10)`
}

/** The first line. Headings are ours: plain words, unquoted. */
export function csvHeader(columns: readonly Column[]): string {
  return `${BOM}${columns.map(({ header }) => header).join(',')}\r\n`
}

/** SQL for an instant of a column in milliseconds: `2026-07-01T16:00:00.000Z`, NULL for NULL. Half the price of strftime. */
export const isoTimestamp = (column: string): string =>
  `replace(datetime(${column} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'`

/** SQL for integer cents as dollars: `48.50`. */
export const dollarsFromCents = (column: string): string => `printf('%.2f', ${column} / 100.0)`
