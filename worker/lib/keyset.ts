import type { Millis } from './clock'
import { Refused } from './refused'

/** Where a page of a list that is newest first begins: behind this instant and id. */
export type Position = { at: Millis; id: string }
const BEGINNING: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

/** The order of a list: by one of the columns that it names, `?sort=title` or the other way round, `?sort=-title`. */
export type Order<Column extends string> = { column: Column; descending: boolean }

/** The position that a cursor stands for; the beginning without one. @throws Refused `bad_input` for one that we never gave. */
export function positionOf(cursor: string | null): Position {
  if (cursor === null) return BEGINNING
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw new Refused('bad_input', 'That page of the list does not exist.')
  return { at: Number(at), id }
}

/** A page of rows that were read with one more than `size`, and the cursor of the page behind; null on the last. */
export function paged<Row extends { at: Millis; id: string | number }>(
  rows: readonly Row[],
  size: number,
): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > size && last ? `${last.at}.${last.id}` : null }
}
