/** How fresh a read must be: as fresh as a bookmark says, or as whatever copy of the database is nearest. */
export type Bookmark = string
const NEAREST_REPLICA = 'first-unconstrained'
const PRIMARY = 'first-primary'

/**
 * The nearest copy of the database that knows all that `seen` marks; any copy when nothing is marked. For public reads
 * alone: a copy may lag, so what decides over a session, money or a right asks the primary, as every other call does.
 */
export function nearestReplica(d1: D1Database, minBookmark: Bookmark | null): D1Database {
  return asDatabase(d1.withSession(minBookmark ?? NEAREST_REPLICA))
}

/** The primary, and what marks the state that a write through it has left. Null where nothing was asked of it. */
export function primarySession(d1: D1Database): { DB: D1Database; bookmark: () => Bookmark | null } {
  const session = d1.withSession(PRIMARY)
  return { DB: asDatabase(session), bookmark: () => session.getBookmark() }
}

/** A D1 session has what the house uses of a database: `prepare` and `batch`. */
const asDatabase = (session: D1DatabaseSession) => session as unknown as D1Database
