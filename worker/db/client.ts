import { drizzle } from 'drizzle-orm/d1'

/** A drizzle client on the request's D1 binding. `transaction()` does not work on D1: use `batch`. */
export function openDb(d1: D1Database) {
  return drizzle(d1)
}
export type Db = ReturnType<typeof openDb>
