/** One line of the bench: what was measured, beside its floor or limit, and whether the target was held. */
export type ReportRow = Record<'figure' | 'measured' | 'against' | 'target', string> & {
  held: boolean | null
  /** Why it misses, as far as that is known. */
  cause?: string
}

const WIDTHS = { figure: 48, measured: 30, against: 26, target: 10 }

const cells = (line: Record<keyof typeof WIDTHS, string>, held: string) =>
  `${line.figure.padEnd(WIDTHS.figure)}${line.measured.padStart(WIDTHS.measured)}${line.against.padStart(WIDTHS.against)}${line.target.padStart(WIDTHS.target)}  ${held}`

const heading = { figure: 'figure', measured: 'measured', against: 'over its floor (min..max)', target: 'target' }

/** Prints every line under one heading. A miss is printed as a miss. */
export function printTable(lines: readonly ReportRow[]): void {
  console.log(`\n${cells(heading, 'held')}`)
  for (const line of lines) console.log(cells(line, line.held === null ? '-' : line.held ? 'yes' : 'MISSED'))
  for (const { figure, cause, held } of lines) if (held === false && cause) console.log(`\n${figure}: ${cause}`)
}
