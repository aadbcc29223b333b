/** State of the database after a write: a later read can require at least that state. */
export type Bookmark = string
const NEAREST_REPLICA = 'first-unconstrained'
const PRIMARY = 'first-primary'

/**
 * The nearest replica that has reached `minBookmark`, or any if null. For public reads only: replicas lag, so sessions,
 * money and permissions are read from the primary.
 */
export function nearestReplica(d1: D1Database, minBookmark: Bookmark | null): D1Database {
  return asDatabase(d1.withSession(minBookmark ?? NEAREST_REPLICA))
}

/** The primary. `bookmark` is null until it has been queried. */
export function primarySession(d1: D1Database): { DB: D1Database; bookmark: () => Bookmark | null } {
  const session = d1.withSession(PRIMARY)
  return { DB: asDatabase(session), bookmark: () => session.getBookmark() }
}

/** A D1 session has the methods that we use: `prepare` and `batch`. */
const asDatabase = (session: D1DatabaseSession) => session as unknown as D1Database
