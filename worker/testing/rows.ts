import { env } from 'cloudflare:test'
import { createSession } from '../auth/sessions'
import { openDb } from '../db/client'
import type { Millis } from '../lib/clock'
import { tracks } from '../tracks/tracks.table'
import { users } from '../users/users.table'

// Rows for tests: each function inserts one with everything that the test does not care about filled in.

export const db = openDb(env.DB)

export async function addTrack(row: Partial<typeof tracks.$inferInsert> = {}) {
  const [track] = await db
    .insert(tracks)
    .values({
      title: 'A Song',
      artist: 'Somebody',
      durationSeconds: 180,
      coverUrl: '/media/a/cover.webp',
      coverAlt: 'A cover',
      position: 1,
      releasedAt: 0,
      ...row,
    })
    .returning()
  return track!
}

let userCount = 0

export async function addUser(row: Partial<typeof users.$inferInsert> = {}) {
  const username = `fan${++userCount}`
  const [user] = await db
    .insert(users)
    .values({ username, usernameKey: row.username?.toLowerCase() ?? username, createdAt: 0, lastActiveAt: 0, ...row })
    .returning()
  return user!
}

/** A supporter's session as it stands, and the headers that carry it. */
export async function sessionFor(user: { id: number; sessionEpoch: number }, at: Millis = Date.now()) {
  const { token, session } = await createSession(
    env.SESSIONS,
    'supporter',
    { userId: user.id, epoch: user.sessionEpoch },
    at,
  )
  return { session, headers: { cookie: `__Host-session=${token}` } }
}

type Statement = { sql: string; params: unknown[] }

/** How SQLite runs a query, one line a step: tests hold which index it reads. */
export async function queryPlan(query: { toSQL(): Statement } | Statement): Promise<string[]> {
  const { sql, params } = 'sql' in query ? query : query.toSQL()
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
