import { desc } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { cityRequests, cityTotals } from './concerts.table'

/** Keeps a wish for a city: one a requester and city, so that demand counts people and not clicks. */
export async function requestCity(
  db: Db,
  { city, requester, at }: { city: string; requester: string; at: Millis },
): Promise<void> {
  await db
    .insert(cityRequests)
    .values({ cityKey: normalizeKey(city), requester, city, createdAt: at })
    .onConflictDoNothing()
}

/**
 * Who asks, as a keyed hash that leads back to nobody: the account where there is one, else the network address for
 * the length of a month (UTC).
 */
export function requesterHash(
  secret: string,
  { userId, address, at }: { userId: number | null; address: string; at: Millis },
): Promise<string> {
  const requester = userId === null ? `address:${address}:${new Date(at).toISOString().slice(0, 7)}` : `user:${userId}`
  return sign(secret, 'city-request', requester)
}

/** Where people want a show: most wanted first, each city as whoever asked first has spelt it. */
export function cityDemand(db: Db, limit = 50) {
  return db
    .select({ city: cityTotals.city, people: cityTotals.people })
    .from(cityTotals)
    .orderBy(desc(cityTotals.people), cityTotals.cityKey)
    .limit(limit)
}
