import { insertRows } from '../demo/insert.ts'

const COLUMNS = ['id', 'title', 'description', 'points', 'action', 'target', 'within_days', 'is_streak', 'position']

/** Values in the order of COLUMNS. */
const missions: readonly (readonly (string | number | null)[])[] = [
  ['first-vote', 'Cast your first vote', 'Have a say in any poll.', 20, 'poll_vote', 1, null, 0, 1],
  ['three-votes', 'Three votes in a week', 'Vote in three polls within seven days.', 30, 'poll_vote', 3, 7, 0, 2],
  [
    'complete-profile',
    'Complete your profile',
    'Confirm your email address and add your phone.',
    25,
    'profile_complete',
    1,
    null,
    0,
    3,
  ],
  [
    'join-newsletter',
    'Join the newsletter',
    'Subscribe with the address of your account.',
    25,
    'newsletter_signup',
    1,
    null,
    0,
    4,
  ],
  [
    'refer-a-friend',
    'Bring a friend',
    'Someone joins with your code and confirms their email.',
    50,
    'referral_bonus',
    1,
    null,
    0,
    5,
  ],
  ['at-the-door', 'Be at the door', 'Check in at a show.', 50, 'check_in', 1, null, 0, 6],
  [
    'five-day-listener',
    'Five days in a row',
    'Listen here on five days without a gap.',
    40,
    'track_stream',
    5,
    null,
    1,
    7,
  ],
]

/** Inserts the missions every site starts with. */
export async function seedMissions(db: D1Database): Promise<void> {
  await insertRows(
    db,
    'missions',
    missions.map((mission) => Object.fromEntries(COLUMNS.map((column, i) => [column, mission[i] ?? null]))),
  )
}

function sqlValue(value: string | number | null): string | number {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value
}

/** The same missions as SQL statements, for a remote database. */
export const missionStatements = (): string[] =>
  missions.map((row) => `INSERT INTO missions (${COLUMNS.join(', ')}) VALUES (${row.map(sqlValue).join(', ')})`)
