import { EXPORT_KINDS, type ExportColumns, type ExportKind } from '../contract/exports'
import { AppError } from '../lib/app-error'
import { SOURCES, type Source } from './sources'

/** The columns to choose from, in the order of the file. */
export const exportColumns = (): ExportColumns[] =>
  EXPORT_KINDS.map((kind) => ({ kind, columns: SOURCES[kind].columns.map(({ header }) => header) }))

/** The chosen columns in the order of the file; null for all. @throws AppError `bad_input` for an unknown one. */
export function requireColumns(kind: ExportKind, chosen: readonly string[] | undefined): string[] | null {
  if (chosen === undefined) return null
  const headers = SOURCES[kind].columns.map(({ header }) => header)
  const unknown = chosen.find((header) => !headers.includes(header))
  if (unknown !== undefined)
    throw new AppError('bad_input', `This export has no column “${unknown}”. Choose the columns again.`)
  return chosen.length >= headers.length ? null : headers.filter((header) => chosen.includes(header))
}

/** The source of a kind with these columns only; those that it no longer has are left out. */
export function sourceWithColumns(kind: ExportKind, chosen: readonly string[] | null): Source {
  const source = SOURCES[kind]
  const columns = source.columns.filter(({ header }) => chosen?.includes(header) ?? true)
  return columns.length === 0 ? source : { ...source, columns }
}
