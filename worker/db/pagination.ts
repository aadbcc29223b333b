import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'

/** Timestamp and id after which a page of a newest-first list starts. */
type CursorPosition<Id extends string | number = string> = { at: Millis; id: Id }

/** Cursors of the next and the previous page; null if there is none. Forward-only lists have no `previous`. */
export type Page<Row> = { rows: Row[]; next: string | null; previous?: string | null }

/**
 * Position of a cursor; null is the first page. `noun` names the list in the error message.
 * @throws AppError `bad_input` for a malformed cursor.
 */
export function parseCursor(cursor: string | null, noun = 'list'): CursorPosition {
  if (cursor === null) return { at: Number.MAX_SAFE_INTEGER, id: '' }
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidCursorError(noun)
  return { at: Number(at), id }
}

/** `parseCursor` for rows with numeric ids. @throws AppError `bad_input`. */
export function parseNumericCursor(cursor: string | null, noun = 'list'): CursorPosition<number> {
  const { at, id } = parseCursor(cursor, noun)
  if (cursor === null) return { at, id: Number.MAX_SAFE_INTEGER }
  if (!/^\d{1,15}$/.test(id)) throw invalidCursorError(noun)
  return { at, id: Number(id) }
}

/** Splits rows that were read with LIMIT `size` + 1 into a page and the cursor of the next one (null on the last). */
export function paginate<Row extends { at: Millis; id: string | number }>(
  rows: readonly Row[],
  size: number,
): Page<Row> {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last ? `${last.at}.${last.id}` : null }
}

export const invalidCursorError = (noun = 'list') =>
  new AppError('bad_input', `That page of the ${noun} does not exist.`)
