/** How fresh a read must be: as fresh as a bookmark says, or as whatever copy of the database is nearest. */
export type Bookmark = string
const NEAREST = 'first-unconstrained'
const PRIMARY = 'first-primary'

/**
 * The nearest copy of the database that knows all that `seen` marks; any copy when nothing is marked. For public reads
 * alone: a copy may lag, so what decides over a session, money or a right asks the primary, as every other call does.
 */
export function nearest(d1: D1Database, seen: Bookmark | null): D1Database {
  return asDatabase(d1.withSession(seen ?? NEAREST))
}

/** The primary, and what marks the state that a write through it has left. Null where nothing was asked of it. */
export function primary(d1: D1Database): { DB: D1Database; bookmark: () => Bookmark | null } {
  const session = d1.withSession(PRIMARY)
  return { DB: asDatabase(session), bookmark: () => session.getBookmark() }
}

/** A D1 session has what the house uses of a database: `prepare` and `batch`. */
const asDatabase = (session: D1DatabaseSession) => session as unknown as D1Database
