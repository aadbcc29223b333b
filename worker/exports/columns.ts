import { EXPORT_KINDS, type ExportColumns, type ExportKind } from '../contract/exports'
import { AppError } from '../lib/app-error'
import { EXPORT_SOURCES, type ExportSource } from './sources'

/** The columns that can be chosen, in the order of the file. */
export const exportColumns = (): ExportColumns[] =>
  EXPORT_KINDS.map((kind) => ({ kind, columns: EXPORT_SOURCES[kind].columns.map(({ header }) => header) }))

/** The chosen columns in the order of the file; null for all. @throws AppError `bad_input` for an unknown one. */
export function requireColumns(kind: ExportKind, chosen: readonly string[] | undefined): string[] | null {
  if (chosen === undefined) return null
  const headers = EXPORT_SOURCES[kind].columns.map(({ header }) => header)
  const unknownHeader = chosen.find((header) => !headers.includes(header))
  if (unknownHeader !== undefined)
    throw new AppError('bad_input', `This export has no column “${unknownHeader}”. Choose the columns again.`)
  const columns = headers.filter((header) => chosen.includes(header))
  return columns.length === headers.length ? null : columns
}

/** The chosen columns as text, for audit entries; null for all. */
export const joinColumnNames = (chosen: readonly string[] | null): string | null => chosen?.join(', ') ?? null

/**
 * The source of a kind with the chosen columns. Columns that the kind no longer has are left out.
 * @throws Error if no column is left: a file with all columns would hold more than was asked for.
 */
export function sourceWithColumns(kind: ExportKind, chosen: readonly string[] | null): ExportSource {
  const source = EXPORT_SOURCES[kind]
  const columns = source.columns.filter(({ header }) => chosen?.includes(header) ?? true)
  if (columns.length === 0) throw new Error(`The export ${kind} has none of the chosen columns: ${chosen?.join(', ')}.`)
  return { ...source, columns }
}
