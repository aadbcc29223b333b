import { DAY_MS, zonedTimeToUtc } from '../../worker/lib/clock.ts'
import { insertRows } from './insert.ts'

export const ZONE = 'America/New_York'
export const PRIZE = '$500 cash, a free studio session and merchandise'

export type Challenge = { id: string; title: string; prize: string; rules: string; days: readonly string[] }

/** A challenge and the instants that its days make, as the desk would make them. */
export async function seedRecord(db: D1Database, { id, title, prize, rules, days }: Challenge): Promise<void> {
  await insertRows(
    db,
    'challenges',
    ['id', 'title', 'prize', 'rules', ...DAYS, ...INSTANTS],
    [[id, title, prize, rules, ...days, ...instantsOf(days)]],
  )
}

export const DAYS = [
  'submissions_from',
  'submissions_until',
  'finalists_on',
  'voting_from',
  'voting_until',
  'winner_on',
  'closed_on',
]
export const INSTANTS = [
  'submissions_open_at',
  'submissions_close_at',
  'finalists_at',
  'voting_opens_at',
  'voting_closes_at',
  'publish_at',
]
/** First days begin at midnight, last days end with it. */
export function instantsOf(days: readonly string[]): number[] {
  const begins = (day = '') => zonedTimeToUtc(day, '00:00', ZONE)
  const ends = (day = '') => begins(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10))
  const [from, until, named, votingFrom, votingUntil, winner] = days
  return [begins(from), ends(until), begins(named), begins(votingFrom), ends(votingUntil), ends(winner)]
}
