import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { line, timestamp } from './fields'

export const Leaderboard = z.object({
  /** At most 50, by rank; equal points in the order of who came first. */
  entries: z.array(z.object({ rank: z.int(), username: z.string(), points: z.int() })),
  me: z.nullable(z.object({ rank: z.int(), points: z.int() })),
})
export type Leaderboard = z.infer<typeof Leaderboard>

export const Mission = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  points: z.int(),
  /** Equal to `target` when the mission is done. */
  progress: z.int(),
  target: z.int(),
  /** Paid: with the act that fulfilled it, or by the complete call where the mission is younger than its acts. */
  completed: z.boolean(),
  /** It was paid, and a person took its points back: it is not paid again. */
  takenBack: z.boolean(),
})
export type Mission = z.infer<typeof Mission>

/** What an act came to: the points of the act itself, the missions that it fulfilled, and the new total. */
export const PointsAward = z.object({
  /** Points of the act alone; negative when they went back. */
  pointsAwarded: z.int(),
  /** The person's points now: the act's and the missions' are in it. */
  totalPoints: z.int(),
  missions: z.array(z.object({ id: z.string(), title: z.string(), points: z.int() })),
})
export type PointsAward = z.infer<typeof PointsAward>

/** A mission's points as the ledger has them, and the person's points now. */
export const MissionAward = z.object({ pointsAwarded: z.int(), totalPoints: z.int() })
export type MissionAward = z.infer<typeof MissionAward>

/** One row of the ledger as its owner reads it. */
export const PointsEntry = z.object({
  id: z.string(),
  /** `poll_vote`, `track_like`, `mission` and the other acts of worker/contract/point-rules. */
  action: z.string(),
  description: z.string(),
  /** Negative where points went back. */
  points: z.int(),
  createdAt: timestamp,
})
export type PointsEntry = z.infer<typeof PointsEntry>

/**
 * Somebody who joined with the caller's code. `waiting` until their address is confirmed, then `rewarded` with the
 * bonus; `unrewarded` when the bonuses were used up or this one was taken back. Who it is stays theirs to tell.
 */
export const Referral = z.object({
  joinedAt: timestamp,
  state: z.enum(['waiting', 'rewarded', 'unrewarded']),
})
export type Referral = z.infer<typeof Referral>

export const pointsApi = {
  leaderboard: get('/api/leaderboard', Leaderboard),
  missions: get('/api/missions', z.array(Mission)),
  /** Repeats the award of a mission that the ledger shows done; 409 `conflict` while it does not, and once taken back. */
  complete: post('/api/missions/:id/complete', null, MissionAward, { role: 'supporter', checksSessionInQuery: true }),
  /** Takes an entry's points back; the reason stands in the fan's history. 409 `conflict` for one taken back already. */
  reverse: post(
    '/api/admin/points/:id/void',
    z.strictObject({ reason: line(200, 'The reason') }),
    z.object({ pointsTaken: z.int() }),
    { role: 'administrator' },
  ),
  /** Who joined with the caller's code, the latest first, 20 at the most. */
  referrals: get('/api/referrals', z.array(Referral), { role: 'supporter', checksSessionInQuery: true }),
  /** Newest first, 50 a page; `?cursor=` of the next page stands in the answer's `Link: <...>; rel="next"`. */
  history: get('/api/points/history', z.array(PointsEntry), { role: 'supporter', checksSessionInQuery: true }),
}

/**
 * What an act pays, in whole points (ruling 16). A ballot's points are paid by its trigger (migration 0001), so that
 * the vote, its count and its points are one statement; a test compares the two.
 */
export const POINTS = {
  poll_vote: 10,
  /** Once a day, however many polls are made. */
  poll_created: 25,
  /** Own audio, heard: once a track a day. */
  track_stream: 5,
  /** Once a track; it goes back with the like (ruling 18). */
  track_like: 5,
  /** The account's own address, subscribed by its owner: once an account. */
  newsletter_signup: 50,
  /** A post in the community: so many a day as PAID_POSTS_A_DAY says. */
  community_post: 15,
  /** At the door of a show: once a show. */
  check_in: 250,
  /** A verified address and a phone: no points of its own, its mission pays. A trigger writes it (migration 0005). */
  profile_complete: 0,
  /** A paid order: no points of its own, a mission may pay. It is undone with the order (refund, dispute). */
  merch_purchase: 0,
  /** Joined with somebody's code. */
  referral_signup: 50,
  /** A friend joined with the person's code and verified the address: three at the most (ruling 19). */
  referral_bonus: 200,
} as const

/** So many posts of a person are paid on a day of the artist's calendar (ruling 16). */
export const MAX_PAID_POSTS_PER_DAY = 3

export type PointsAction = keyof typeof POINTS

/**
 * The levels that a total reaches, from what a song is first to what it can become. A level is a name and a place on
 * the ring; it opens nothing, and it is never a paid tier (ruling 16).
 */
export const LEVELS = [
  { name: 'Demo Tape', from: 0 },
  { name: 'Single', from: 100 },
  { name: 'EP', from: 300 },
  { name: 'Album', from: 750 },
  { name: 'Double Album', from: 1500 },
  { name: 'Box Set', from: 3000 },
  { name: 'Master Tape', from: 6000 },
] as const

export type Level = (typeof LEVELS)[number]

/** The level that a total has reached, the one ahead (null at the last), and the share of the way to it, 0 to 1. */
export function levelAt(points: number): { level: Level; next: Level | null; share: number } {
  const reached = LEVELS.filter(({ from }) => from <= points)
  const level = reached.at(-1) ?? LEVELS[0]
  const next = LEVELS[reached.length] ?? null
  return { level, next, share: next ? (Math.max(points, 0) - level.from) / (next.from - level.from) : 1 }
}
