import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { line, timestamp } from './text'

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
