import * as z from 'zod/mini'
import { get } from './endpoint'

export const Leaderboard = z.object({
  /** At most 50, by rank; equal points share order by who came first. */
  entries: z.array(z.object({ rank: z.int(), username: z.string(), points: z.int() })),
  me: z.nullable(z.object({ rank: z.int(), points: z.int() })),
})
export type Leaderboard = z.infer<typeof Leaderboard>

export const Mission = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  points: z.int(),
  progress: z.int(),
  target: z.int(),
  completed: z.boolean(),
})
export type Mission = z.infer<typeof Mission>

export const pointsApi = {
  leaderboard: get('/api/leaderboard', Leaderboard),
  missions: get('/api/missions', z.array(Mission)),
}
