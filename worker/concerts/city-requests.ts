import { desc } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { cityRequests, cityTotals } from './concerts.table'

/** Stores a city request, one per requester and city. */
export async function requestCity(
  db: Db,
  { city, requester, at }: { city: string; requester: string; at: Millis },
): Promise<void> {
  await db
    .insert(cityRequests)
    .values({ cityKey: normalizeKey(city), requester, city, createdAt: at })
    .onConflictDoNothing()
}

/** Keyed hash of the requester: the account, or the IP address within one calendar month (UTC). */
export function requesterHash(
  secret: string,
  { userId, address, at }: { userId: number | null; address: string; at: Millis },
): Promise<string> {
  const requester = userId === null ? `address:${address}:${new Date(at).toISOString().slice(0, 7)}` : `user:${userId}`
  return sign(secret, 'city-request', requester)
}

/** Requests per city, most requested first, spelled as in the first request. */
export function cityDemand(db: Db, limit = 50) {
  return db
    .select({ city: cityTotals.city, people: cityTotals.people })
    .from(cityTotals)
    .orderBy(desc(cityTotals.people), cityTotals.cityKey)
    .limit(limit)
}
