import { desc, sql } from 'drizzle-orm'
import type { EmailConfirmedHandler } from '../auth/email-confirmed'
import { type Db, prepare } from '../db/client'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { cityRequests, cityTotals } from './concerts.table'

/** Stores a city request, one per requester and city. Unconfirmed requests are not counted. */
export async function requestCity(
  db: Db,
  { city, requester, isConfirmed, at }: { city: string; requester: string; isConfirmed: boolean; at: Millis },
): Promise<void> {
  await db
    .insert(cityRequests)
    .values({ cityKey: normalizeKey(city), requester, city, createdAt: at, confirmedAt: isConfirmed ? at : null })
    .onConflictDoUpdate({
      target: [cityRequests.cityKey, cityRequests.requester],
      set: { confirmedAt: sql`excluded.confirmed_at` },
      setWhere: sql`city_requests.confirmed_at IS NULL AND excluded.confirmed_at IS NOT NULL`,
    })
}

/**
 * Confirms the city requests of a user whose email address was just confirmed. A takeover deletes them instead: the
 * stranger who registered the address may have made them.
 */
export const confirmCityRequests: EmailConfirmedHandler = async ({ db, secret }, { userId, isTakeover }, at) => {
  const requester = await requesterHash(secret, { userId, address: '', at })
  const change = isTakeover ? sql`DELETE FROM city_requests` : sql`UPDATE city_requests SET confirmed_at = ${at}`
  return [
    prepare(
      db,
      sql`${change} WHERE requester = ${requester} AND confirmed_at IS NULL
        AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified_at IS NOT NULL)`,
    ),
  ]
}

/** Keyed hash of a requester: permanent for an account, new each calendar month (UTC) for an IP address. */
export function requesterHash(
  secret: string,
  { userId, address, at }: { userId: number | null; address: string; at: Millis },
): Promise<string> {
  const requester = userId === null ? `address:${address}:${new Date(at).toISOString().slice(0, 7)}` : `user:${userId}`
  return sign(secret, 'city-request', requester)
}

/** Query for cities by number of requesters, highest first; spelled as in the first counted request. */
export function cityDemandQuery(db: Db, limit = 50) {
  return db
    .select({ city: cityTotals.city, people: cityTotals.requesters })
    .from(cityTotals)
    .orderBy(desc(cityTotals.requesters), cityTotals.cityKey)
    .limit(limit)
}
