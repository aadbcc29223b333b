import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'

/**
 * Drizzle on a D1 binding. `transaction()` does not work on D1: use `batch`. `tokenName` is the name of the request's
 * access token for audit entries; null without one.
 */
export function openDb(d1: D1Database, tokenName: string | null = null) {
  return Object.assign(drizzle(d1), { tokenName })
}
export type Db = ReturnType<typeof openDb>

/** Whether D1 executed nothing, because its queue was full or the query waited in it for too long. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof Error && (/D1 DB is overloaded/i.test(error.message) || isOverloaded(error.cause))

/** A drizzle query or `sql` template as a D1 statement, for batches with raw statements. */
export function prepare(
  handle: Db | D1Database,
  query: SQL | { toSQL(): { sql: string; params: unknown[] } },
): D1PreparedStatement {
  const db = '$client' in handle ? handle : openDb(handle)
  const { sql, params } = 'toSQL' in query ? query.toSQL() : db.run(query).getQuery()
  return db.$client.prepare(sql).bind(...params)
}
