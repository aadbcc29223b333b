import { env } from 'cloudflare:test'
import { users } from '../auth/users.table'
import { openDb } from '../db/client'
import { tracks } from '../tracks/tracks.table'

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

let people = 0

export async function addUser(row: Partial<typeof users.$inferInsert> = {}) {
  const username = `fan${++people}`
  const [user] = await db
    .insert(users)
    .values({ username, usernameKey: row.username?.toLowerCase() ?? username, createdAt: 0, lastActiveAt: 0, ...row })
    .returning()
  return user!
}

/** How SQLite runs a query, one line a step: tests hold which index it reads. */
export async function planOf(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<string[]> {
  const { sql, params } = query.toSQL()
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
