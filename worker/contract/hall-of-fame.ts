import * as z from 'zod/mini'
import { get } from './endpoint'

/** The latest finished challenge that somebody won: its hall-of-fame entry and its timeline. */
export const HallOfFameEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** Who share the most votes are named together: 'A & B'. */
  winner: z.string(),
  /** The day the winner was announced, YYYY-MM-DD. */
  date: z.string(),
  totalVotes: z.int(),
  totalSubmissions: z.int(),
  /** Of each of the winners. */
  winnerVotes: z.int(),
  prize: z.string(),
  timeline: z.array(z.object({ label: z.string(), date: z.string() })),
  /** By votes, most first; `percent` of all votes with one decimal. */
  finalists: z.array(z.object({ name: z.string(), votes: z.int(), percent: z.number() })),
  /** Anybody can count its ballots again (docs/recount.mjs); `excluded` of them were left out, and say for which flag. */
  tally: z.object({ url: z.string(), sha256: z.string(), excluded: z.int() }),
})
export type HallOfFameEntry = z.infer<typeof HallOfFameEntry>

export const hallOfFameApi = {
  hallOfFame: get('/api/challenge', HallOfFameEntry),
}
