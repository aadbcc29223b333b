import { AppError } from './app-error'
import type { Millis } from './clock'

/** Where a page of a list that is newest first begins: behind this instant and id. */
export type CursorPosition = { at: Millis; id: string }
const FIRST_PAGE: CursorPosition = { at: Number.MAX_SAFE_INTEGER, id: '' }

/** The order of a list: by one of the columns that it names, `?sort=title` or the other way round, `?sort=-title`. */
export type SortOrder<Column extends string> = { column: Column; descending: boolean }

/** The position that a cursor stands for; the beginning without one. @throws AppError `bad_input` for one that we never gave. */
export function parseCursor(cursor: string | null): CursorPosition {
  if (cursor === null) return FIRST_PAGE
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw new AppError('bad_input', 'That page of the list does not exist.')
  return { at: Number(at), id }
}

/** A page of rows that were read with one more than `size`, and the cursor of the page behind; null on the last. */
export function paginate<Row extends { at: Millis; id: string | number }>(
  rows: readonly Row[],
  size: number,
): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > size && last ? `${last.at}.${last.id}` : null }
}
