import { DAY_MS, utcToZonedTime } from '../../worker/lib/clock.ts'
import { DAYS, INSTANTS, instantsOf, PRIZE, seedRecord, ZONE } from './challenge-record.ts'

const ID = 'gold-open-verse-next'
const RULES = `The beat is the second half of the single, from the bridge on. Sixteen bars or fewer, recorded any way you like: a phone in a quiet room is enough.

One verse each, in your own words. Keep it clean enough for the radio. No samples and nobody else’s lines.

The team listens to every verse and names the finalists. Every supporter with a confirmed address has one vote, and the most votes win. The votes are fixed when voting closes, and anybody can count them again.`

/** Verses have been taken for four days, and are for ten more; then four days of votes. */
function daysFrom(now: number): string[] {
  const day = (ahead: number) => utcToZonedTime(now + ahead * DAY_MS, ZONE).date
  return [day(-4), day(10), day(11), day(12), day(15), day(16), day(21)]
}

/** A challenge that is on, so that the demo shows it alive. Nobody has sent a verse yet: the figures stay last year's. */
export async function seedNextChallenge(db: D1Database, now: number): Promise<void> {
  const title = 'Gold Open Verse Challenge: Second Half'
  await seedRecord(db, { id: ID, title, prize: PRIZE, rules: RULES, days: daysFrom(now) })
}

/** Dates it anew once its verses are over, unless somebody has named finalists and so goes on with it. */
export async function redateNextChallenge(db: D1Database, now: number): Promise<void> {
  const days = daysFrom(now)
  const values = [...days, ...instantsOf(days)]
  const set = [...DAYS, ...INSTANTS].map((column, i) => `${column} = ?${i + 3}`).join(', ')
  await db
    .prepare(
      `UPDATE challenges SET ${set} WHERE id = ?1 AND submissions_close_at <= ?2 AND sealed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE challenge_id = ?1)`,
    )
    .bind(ID, now, ...values)
    .run()
}
