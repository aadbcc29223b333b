/** One column of an export: its heading, and SQL that gives its text. */
export type Column = { header: string; sql: string }

/** UTF-8's mark, for spreadsheets that guess otherwise. */
const BOM = '\ufeff'

// = + - @, tab, line feed, return, NUL, and the full-width = + - @ that some spreadsheets take for the same.
const TRIGGERS = [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0a, 0x0d, 0x00, 0xff1d, 0xff0b, 0xff0d, 0xff20].join(', ')

/**
 * SQL for one cell of a CSV (ruling 29, RFC 4180): always quoted, quotes doubled; a text that a spreadsheet would run
 * as a formula begins with an apostrophe instead. NULL is an empty cell: `||` would make the whole line NULL.
 */
export function cell(sql: string): string {
  const text = `coalesce(${sql}, '')`
  const bare = `ltrim(${text}, ' ')`
  // unicode() has no answer for an empty text and none for one that begins with NUL.
  const first = `coalesce(unicode(${bare}), iif(${bare} = '', 1, 0))`
  return `'"' || CASE WHEN ${first} IN (${TRIGGERS}) THEN '''' ELSE '' END || replace(${text}, '"', '""') || '"'`
}

/** SQL for one line, with its CRLF. Each cell in brackets: D1 takes an expression a hundred deep, and a row is a chain. */
export function line(columns: readonly Column[]): string {
  return `${columns.map(({ sql }) => `(${cell(sql)})`).join(` || ',' || `)} || char(13) || char(10)`
}

/** The first line. Headings are ours: plain words, unquoted. */
export function heading(columns: readonly Column[]): string {
  return `${BOM}${columns.map(({ header }) => header).join(',')}\r\n`
}

/** SQL for an instant of a column in milliseconds: `2026-07-01T16:00:00.000Z`, empty for NULL. */
export const instant = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`

/** SQL for integer cents as dollars: `48.50`. */
export const dollars = (column: string): string => `printf('%.2f', ${column} / 100.0)`
