import * as z from 'zod/mini'
import { get, managers, post, user, visitor } from './endpoint'
import { line, timestamp } from './fields'

export const Leaderboard = z.object({
  /** At most 50, by rank; of equal points the older account comes first. */
  entries: z.array(z.object({ rank: z.int(), username: z.string(), points: z.int() })),
  me: z.nullable(z.object({ rank: z.int(), points: z.int() })),
})
export type Leaderboard = z.infer<typeof Leaderboard>

export const Mission = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  points: z.int(),
  /** The action that counts, a key of POINTS. */
  action: z.string(),
  /** Equal to `target` when done. */
  progress: z.int(),
  target: z.int(),
  /** The points were awarded. */
  completed: z.boolean(),
  /** The award was reversed and is not made again. */
  takenBack: z.boolean(),
})
export type Mission = z.infer<typeof Mission>

export const CompletedMissions = z.array(z.object({ id: z.string(), title: z.string(), points: z.int() }))

/** The points of an action, the missions it completed, and the new total. */
export const PointsAward = z.object({
  /** Points of the action alone; negative for a reversal. */
  pointsAwarded: z.int(),
  /** Including missions. */
  totalPoints: z.int(),
  missions: CompletedMissions,
})
export type PointsAward = z.infer<typeof PointsAward>

export const MissionAward = z.object({ pointsAwarded: z.int(), totalPoints: z.int() })
export type MissionAward = z.infer<typeof MissionAward>

/** A ledger entry for its owner. */
export const PointsEntry = z.object({
  id: z.string(),
  /** A key of POINTS, `mission`, `adjustment`, or `merch_refund`, which takes missions back. */
  action: z.string(),
  description: z.string(),
  /** Negative for a reversal. */
  points: z.int(),
  createdAt: timestamp,
})
export type PointsEntry = z.infer<typeof PointsEntry>

/**
 * An anonymous referral. `waiting` until the address is confirmed, then `rewarded`; `unrewarded` if there was no bonus,
 * for example beyond the limit, or it was reversed.
 */
export const Referral = z.object({
  joinedAt: timestamp,
  state: z.enum(['waiting', 'rewarded', 'unrewarded']),
})
export type Referral = z.infer<typeof Referral>

export const pointsApi = {
  leaderboard: get('/api/leaderboard', Leaderboard, visitor),
  missions: get('/api/missions', z.array(Mission), visitor),
  complete: post('/api/missions/:id/complete', null, MissionAward, {
    ...user,
    checksSessionInSql: true,
    description:
      "Awards a mission's points once the ledger shows that it is done; 409 `conflict` before, and if the award was reversed.",
  }),
  reverse: post(
    '/api/admin/points/:id/void',
    z.strictObject({ reason: line(200, 'The reason') }),
    z.object({ pointsTaken: z.int() }),
    { ...managers, description: 'Reverses an entry; its owner sees the reason. 409 `conflict` if reversed already.' },
  ),
  referrals: get('/api/referrals', z.array(Referral), {
    ...user,
    checksSessionInSql: true,
    description: 'Latest first, at most 20.',
  }),
  history: get('/api/points/history', z.array(PointsEntry), {
    ...user,
    checksSessionInSql: true,
    description: 'Newest first, 50 per page; next page in `Link`.',
    query: ['cursor'],
  }),
}

/** Points per action. A trigger (migration 0038) also writes those of votes; a test compares both. */
export const POINTS = {
  poll_vote: 10,
  /** Once a day. */
  poll_created: 25,
  /** A stream of the site's audio; once per track and day. */
  track_stream: 5,
  /** Once per track; unliking reverses it. */
  track_like: 5,
  /** Once per account, for its own address. */
  newsletter_signup: 50,
  /** See MAX_REWARDED_POSTS_PER_DAY. */
  community_post: 15,
  /** Once per show. */
  check_in: 250,
  /** Confirmed address and phone number; written by a trigger (migration 0005) for missions. */
  profile_complete: 0,
  /** A paid order, for missions; reversed with a refund or dispute. */
  merch_purchase: 0,
  /** Signed up with a referral code. */
  referral_signup: 50,
  /** A referred user confirmed the address; at most three per user. */
  referral_bonus: 200,
} as const

/** Per user and day in the artist's time zone. */
export const MAX_REWARDED_POSTS_PER_DAY = 3

export type PointsAction = keyof typeof POINTS

/** Levels by total points. They unlock nothing. */
export const LEVELS = [
  { name: 'Demo Tape', from: 0 },
  { name: 'Single', from: 100 },
  { name: 'EP', from: 300 },
  { name: 'Album', from: 750 },
  { name: 'Double Album', from: 1500 },
  { name: 'Box Set', from: 3000 },
  { name: 'Master Tape', from: 6000 },
] as const

type Level = (typeof LEVELS)[number]

/** The level of a total, the next one (null at the last), and the progress to it from 0 to 1. */
export function levelAt(points: number): { level: Level; next: Level | null; progress: number } {
  const reached = LEVELS.filter(({ from }) => from <= points)
  const level = reached.at(-1) ?? LEVELS[0]
  const next = LEVELS[reached.length] ?? null
  return { level, next, progress: next ? (Math.max(points, 0) - level.from) / (next.from - level.from) : 1 }
}
