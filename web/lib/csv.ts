/** Some spreadsheets evaluate formulas that begin with spaces or a full-width sign too. */
const FORMULA_START = /^ *[=+\-@\t\n\r＝＋－＠]/

/** A CSV field that spreadsheets do not evaluate as a formula. Negative numbers stay as they are. */
const csvField = (value: string) => {
  const text = FORMULA_START.test(value) && !/^-?\d+(\.\d+)?%?$/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
