import type { SQL } from 'drizzle-orm'
import type { ScreenId } from '../contract/admin-screens'
import type { PendingTask } from '../contract/pending-tasks'
import type { Millis } from '../lib/clock'

/** One kind of pending task, which a feature declares. */
export type PendingTaskSource<Row> = {
  /** Shown to the roles of this screen. */
  screen: ScreenId
  /** Must use an index: open dashboards repeat the query every minute. */
  query: (at: Millis) => SQL
  toTasks: (rows: readonly Row[], at: Millis) => readonly Omit<PendingTask, 'screen'>[]
}

/** A source of at most one task: `query` returns one row with a count; 0 means no task. */
export const countSource = <Row extends { count: number }>(
  screen: ScreenId,
  query: (at: Millis) => SQL,
  toTask: (row: Row, at: Millis) => Omit<PendingTask, 'screen' | 'count'>,
): PendingTaskSource<Row> => ({
  screen,
  query,
  toTasks: (rows, at) => rows.filter(({ count }) => count > 0).map((row) => ({ ...toTask(row, at), count: row.count })),
})

/** 'One order' or '12 orders', for the start of a sentence. */
export const capitalizedCountOf = (count: number, noun: string): string =>
  count === 1 ? `One ${noun}` : `${count} ${noun}s`
