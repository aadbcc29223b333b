import { insertRows, insertStatement } from '../tools/sql.ts'

const missions = [
  {
    id: 'first-vote',
    title: 'Cast your first vote',
    description: 'Have a say in any poll.',
    points: 20,
    action: 'poll_vote',
    target: 1,
    within_days: null,
    is_streak: 0,
  },
  {
    id: 'three-votes',
    title: 'Three votes in a week',
    description: 'Vote in three polls within seven days.',
    points: 30,
    action: 'poll_vote',
    target: 3,
    within_days: 7,
    is_streak: 0,
  },
  {
    id: 'complete-profile',
    title: 'Complete your profile',
    description: 'Confirm your email address and add your phone.',
    points: 25,
    action: 'profile_complete',
    target: 1,
    within_days: null,
    is_streak: 0,
  },
  {
    id: 'join-newsletter',
    title: 'Join the newsletter',
    description: 'Subscribe with the address of your account.',
    points: 25,
    action: 'newsletter_signup',
    target: 1,
    within_days: null,
    is_streak: 0,
  },
  {
    id: 'refer-a-friend',
    title: 'Bring a friend',
    description: 'Someone joins with your code and confirms their email.',
    points: 50,
    action: 'referral_bonus',
    target: 1,
    within_days: null,
    is_streak: 0,
  },
  {
    id: 'at-the-door',
    title: 'Be at the door',
    description: 'Check in at a show.',
    points: 50,
    action: 'check_in',
    target: 1,
    within_days: null,
    is_streak: 0,
  },
  {
    id: 'five-day-listener',
    title: 'Five days in a row',
    description: 'Listen here on five days without a gap.',
    points: 40,
    action: 'track_stream',
    target: 5,
    within_days: null,
    is_streak: 1,
  },
].map((mission, index) => ({ ...mission, position: index + 1 }))

/** Inserts the missions every site starts with. */
export const seedMissions = (db: D1Database): Promise<void> => insertRows(db, 'missions', missions)

/** The same missions as SQL statements, for a remote database. */
export const missionStatements = (): string[] => missions.map((mission) => insertStatement('missions', mission))
