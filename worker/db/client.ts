import { drizzle } from 'drizzle-orm/d1'

/** A drizzle client on the request's D1 binding. `transaction()` does not work on D1: use `batch`. */
export function openDb(d1: D1Database) {
  return drizzle(d1)
}
export type Db = ReturnType<typeof openDb>

/** D1's own words for a queue that is full, or in which a query waited for too long: nothing of it was done. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof Error && (/D1 DB is overloaded/i.test(error.message) || isOverloaded(error.cause))
