import type { VoteLoadReport } from '../scripts/races/vote-load.ts'
import type { BroadcastMemory } from './broadcast.ts'
import type { ComparisonResult } from './comparisons.ts'
import type { QueryGrowth } from './data-workloads.ts'
import type { ExportMemory, FirstByte } from './exports.ts'
import type { MeasuredSize } from './sizes.ts'

/** A row of the report. `against` is the floor or another figure to compare; `passed` is null without a target. */
export type ReportRow = Record<'label' | 'measured' | 'against' | 'target', string> & {
  passed: boolean | null
  /** Known cause of a miss. */
  cause?: string
}

const WIDTHS = { label: 48, measured: 30, against: 26, target: 10 }

const formatRow = (row: Record<keyof typeof WIDTHS, string>, passed: string) =>
  `${row.label.padEnd(WIDTHS.label)}${row.measured.padStart(WIDTHS.measured)}${row.against.padStart(WIDTHS.against)}${row.target.padStart(WIDTHS.target)}  ${passed}`

const heading = { label: 'measurement', measured: 'measured', against: 'over its floor (min..max)', target: 'target' }

/** Prints all rows, then the causes of missed targets. */
export function printTable(rows: readonly ReportRow[]): void {
  console.log(`\n${formatRow(heading, 'passed')}`)
  for (const row of rows) console.log(formatRow(row, formatPassed(row.passed)))
  for (const { label, cause, passed } of rows) if (passed === false && cause) console.log(`\n${label}: ${cause}`)
}

function formatPassed(passed: boolean | null): string {
  if (passed === null) return '-'
  return passed ? 'yes' : 'MISSED'
}

const formatMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const NOT_MEASURABLE = 'needs /proc'

/** A speed over its floor. */
export const speedRow = ({ label, perSecond, ratios, target, passed, cause }: ComparisonResult): ReportRow => ({
  cause,
  label,
  measured: `${perSecond.toFixed(0)} a second`,
  against: `${ratios.median.toFixed(3)} (${ratios.min.toFixed(2)}..${ratios.max.toFixed(2)})`,
  target: target?.toFixed(2) ?? '-',
  passed,
})

/** A query's cost as the number of users grows. */
export const growthRow = ({ label, micros, rows, maxRatio, passed }: QueryGrowth): ReportRow => ({
  label: `${label}, 10k -> 100k -> 1M`,
  measured: `${micros.map((micro) => micro.toFixed(0)).join(' -> ')} µs`,
  against: `${rows.map((count) => count.toFixed(0)).join(' -> ')} rows`,
  target: `rows ${maxRatio.toFixed(2)}`,
  passed,
  cause: 'the query reads more rows as the tables grow: its plan no longer uses an index alone.',
})

/** A size against its limit. */
export const sizeRow = ({ label, bytes, limitBytes, passed }: MeasuredSize): ReportRow => ({
  label,
  measured: `${(bytes / 1024).toFixed(1)} KB`,
  against: '',
  target: `${limitBytes / 1024} KB`,
  passed,
  cause: 'it exceeds its limit in scripts/tools/size-limits.ts.',
})

/** Memory of queueing a broadcast. */
export const memoryRow = ({ recipients, bytes, limitBytes, passed }: BroadcastMemory): ReportRow => ({
  label: `memory growth by queueing ${recipients.toLocaleString('en-US')} recipients`,
  measured: bytes === null ? NOT_MEASURABLE : formatMegabytes(bytes),
  against: '',
  target: `${limitBytes / 1024 / 1024} MB`,
  passed,
  cause: 'the local runtime also holds pages of its database in memory.',
})

/** Memory of a CSV against as many raw bytes. */
export const exportMemoryRow = ({ rows, bytes, rawBytes, megabytes, limitBytes, passed }: ExportMemory): ReportRow => ({
  label: `memory growth by a CSV of ${rows.toLocaleString('en-US')} rows`,
  measured: bytes === null ? NOT_MEASURABLE : formatMegabytes(bytes),
  against: rawBytes === null ? '' : `${formatMegabytes(rawBytes)} by ${megabytes.toFixed(0)} MB raw`,
  target: `${limitBytes / 1024 / 1024} MB`,
  passed,
  cause:
    rawBytes !== null && rawBytes > limitBytes
      ? 'raw parts alone grow the local runtime by more than the limit; see the column beside it.'
      : 'the local runtime also holds the uploaded parts and pages of its database; the worker holds one part.',
})

/** Time to the first byte of a ready file. */
export const firstByteRow = ({ rows, medianMs, longestMs, limitMs, passed }: FirstByte): ReportRow => ({
  label: `first byte of a ready CSV of ${rows.toLocaleString('en-US')} rows`,
  measured: `${medianMs.toFixed(1)} ms`,
  against: `${longestMs.toFixed(1)} ms at most`,
  target: `${limitMs} ms`,
  passed,
  cause: 'three reads in a row come before the first byte: session, permission and file.',
})

/** Votes sent to a server that was killed `kills` times. */
export const voteLoadRow = (
  { storedVotes, votes, lost, doubled, wrongResponses, seconds, retriedVotes }: VoteLoadReport,
  kills: number,
): ReportRow => ({
  label: `${votes.toLocaleString('en-US')} votes over sockets, ${kills} kills`,
  measured: `${(votes / seconds).toFixed(0)} a second, ${retriedVotes} retried`,
  against: `${lost} lost, ${doubled} double, ${wrongResponses} wrong`,
  target: '0, 0, 0',
  passed: storedVotes === votes && lost + doubled + wrongResponses === 0,
  cause: `${storedVotes} of ${votes} votes are stored: votes were lost or counted twice, which is a defect, not a matter of speed.`,
})
