import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { newId } from '../lib/ids'
import { subscribers } from './newsletter.table'

/** The wording beside the form that a subscriber agrees to; a new wording gets a new name (ruling 27). */
export const CONSENT_VERSION = 'newsletter-2025-07-18'

/**
 * The statement that puts an address down for the newsletter, for a call of its own or for a batch with the mail that
 * asks for confirmation. A new address and one that had unsubscribed wait for that confirmation, with what they agreed
 * to and when; one that waits already, or is confirmed, stays as it is. Returns a row when there is something to
 * confirm: which of the cases it was is never the caller's to know.
 */
export function subscription(db: Db, { email, at }: { email: string; at: Millis }) {
  const agreed = { email, state: 'pending', consentVersion: CONSENT_VERSION, consentAt: at } as const
  return db
    .insert(subscribers)
    .values({ ...agreed, id: newId('sub'), emailKey: fold(email), createdAt: at })
    .onConflictDoUpdate({
      target: subscribers.emailKey,
      set: { ...agreed, confirmedAt: sql`null`, unsubscribedAt: sql`null` },
      setWhere: eq(subscribers.state, 'unsubscribed'),
    })
    .returning({ id: subscribers.id })
}

/** Puts an address down for the newsletter. Known and new addresses are answered alike. */
export async function subscribe(db: Db, who: { email: string; at: Millis }): Promise<{ pointsEarned: number }> {
  await subscription(db, who)
  return { pointsEarned: 0 }
}
