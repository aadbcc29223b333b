import type { SQL } from 'drizzle-orm'
import type { ScreenId } from '../contract/admin-screens'
import type { WaitingItem } from '../contract/waiting'
import type { Millis } from '../lib/clock'

/** One kind of thing that waits for the team, as a feature declares it. */
export type WaitingSource<Row> = {
  /** The screen whose roles see it. */
  screen: ScreenId
  /** Reads rows from an index: the overview asks each minute. */
  query: (at: Millis) => SQL
  toItems: (rows: readonly Row[], at: Millis) => readonly Omit<WaitingItem, 'screen'>[]
}

/** A source of one item with a count. */
export const countSource = <Row extends { count: number }>(
  screen: ScreenId,
  query: (at: Millis) => SQL,
  toItem: (row: Row, at: Millis) => Omit<WaitingItem, 'screen' | 'count'>,
): WaitingSource<Row> => ({
  screen,
  query,
  toItems: (rows, at) => rows.filter(({ count }) => count > 0).map((row) => ({ ...toItem(row, at), count: row.count })),
})

/** 'One order', '12 orders', at the start of a sentence. */
export const countOf = (count: number, noun: string): string => (count === 1 ? `One ${noun}` : `${count} ${noun}s`)
