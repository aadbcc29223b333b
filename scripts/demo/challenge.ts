import { countBallots, finalizeStatement } from '../../worker/challenge/finalize.ts'
import { openDb } from '../../worker/db/client.ts'
import { DAY_MS, utcDay, utcToZonedTime, zonedTimeToUtc } from '../../worker/lib/clock.ts'
import { insertRows } from '../tools/sql.ts'
import challenges from './data/challenges.json' with { type: 'json' }
import names from './data/names.json' with { type: 'json' }
import { audioKey } from './media.ts'
import { createRandom } from './random.ts'

const { finished, finishedDates, open: openChallenge, finalists } = challenges
const TIME_ZONE = 'America/New_York'

type Dates = typeof finishedDates

/**
 * The schedule's days and their timestamps: a period starts at the midnight before its first day and ends at the
 * midnight after its last; the result is published at the end of `winner_on`.
 */
function scheduleColumns(dates: Dates) {
  const startOf = (day: string) => zonedTimeToUtc(day, '00:00', TIME_ZONE)
  const endOf = (day: string) => startOf(utcDay(Date.parse(day) + DAY_MS))
  return {
    ...dates,
    submissions_open_at: startOf(dates.submissions_from),
    submissions_close_at: endOf(dates.submissions_until),
    finalists_at: startOf(dates.finalists_on),
    voting_opens_at: startOf(dates.voting_from),
    voting_closes_at: endOf(dates.voting_until),
    publish_at: endOf(dates.winner_on),
  }
}

/** Inserts a finished challenge: 994 ballots, 54 submissions. Emails and phone numbers are from the reserved ranges. */
export async function seedFinishedChallenge(db: D1Database): Promise<void> {
  const random = createRandom(994)
  await insertRows(db, 'challenges', [{ ...finished, ...scheduleColumns(finishedDates) }])
  const challenge_id = finished.id
  const verseId = (index: number) => `verse_demo_${String(index + 1).padStart(2, '0')}`
  const finalistId = (index: number) => `${challenge_id}-${index + 1}`
  const timeBetween = (from: string, until: string) => {
    const start = Date.parse(from)
    return Math.floor(start + random.next() * (Date.parse(until) - start))
  }
  const choices = random.shuffle(finalists.flatMap(({ votes }, index) => Array<string>(votes).fill(finalistId(index))))
  const times = choices.map(() => timeBetween('2025-07-17T16:00:00Z', '2025-07-20T22:00:00Z')).sort((a, b) => a - b)
  const pseudonym = () => Array.from({ length: 16 }, () => random.integer(0, 15).toString(16)).join('')
  const { first: firstNames, last: lastNames } = names.entrants
  const entrants = random
    .shuffle(firstNames.flatMap((first) => lastNames.map((last) => ({ first, last }))))
    .slice(0, 54)
  await insertRows(
    db,
    'verse_submissions',
    entrants.map(({ first, last }, index) => {
      const at = timeBetween('2025-07-02T13:00:00Z', '2025-07-17T03:59:00Z')
      return {
        id: verseId(index),
        challenge_id,
        // The first verses are those of the finalists, under their stage names.
        name: finalists[index]?.name ?? `${first} ${last}`,
        email: `${first}.${last}@example.com`.toLowerCase(),
        phone_number: `+1813555${String(100 + index).padStart(4, '0')}`,
        submitted_at: at,
        confirmed_at: at,
      }
    }),
  )
  await insertRows(
    db,
    'challenge_finalists',
    finalists.map(({ name }, index) => ({
      id: finalistId(index),
      challenge_id,
      name,
      position: index + 1,
      submission_id: verseId(index),
    })),
  )
  await insertRows(
    db,
    'challenge_ballots',
    choices.map((finalist, index) => ({
      id: index + 1,
      challenge_id,
      finalist_id: finalist,
      cast_at: times[index] as number,
      voter_pseudonym: pseudonym(),
    })),
  )
  await finalizeStatement(openDb(db), challenge_id, zonedTimeToUtc('2025-07-21', '00:00', TIME_ZONE)).run()
  await countBallots(openDb(db), challenge_id)
}

function openChallengeDates(now: number): Dates {
  const day = (offset: number) => utcToZonedTime(now + offset * DAY_MS, TIME_ZONE).date
  return {
    submissions_from: day(-4),
    submissions_until: day(10),
    finalists_on: day(11),
    voting_from: day(12),
    voting_until: day(15),
    winner_on: day(16),
    closed_on: day(21),
  }
}

/** A challenge that accepts submissions and has none yet. */
export async function seedOpenChallenge(db: D1Database, now: number): Promise<void> {
  const { beat, ...challenge } = openChallenge
  await insertRows(db, 'challenges', [
    { ...challenge, beat_key: audioKey(beat), ...scheduleColumns(openChallengeDates(now)) },
  ])
}

/** Moves the open challenge's dates once its submissions have ended, unless an admin has chosen finalists. */
export async function rescheduleOpenChallenge(db: D1Database, now: number): Promise<void> {
  const columns = scheduleColumns(openChallengeDates(now))
  const assignments = Object.keys(columns).map((column, index) => `${column} = ?${index + 3}`)
  await db
    .prepare(
      `UPDATE challenges SET ${assignments.join(', ')} WHERE id = ?1 AND submissions_close_at <= ?2 AND sealed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE challenge_id = ?1)`,
    )
    .bind(openChallenge.id, now, ...Object.values(columns))
    .run()
}
