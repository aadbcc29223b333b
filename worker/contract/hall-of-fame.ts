import * as z from 'zod/mini'
import { get, visitor } from './endpoint'

/** The latest finished challenge with a winner. */
export const HallOfFameEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** Tied winners are joined: 'A & B'. */
  winner: z.string(),
  /** The day the winner was announced, YYYY-MM-DD. */
  date: z.string(),
  totalVotes: z.int(),
  totalSubmissions: z.int(),
  /** Votes of each winner. */
  winnerVotes: z.int(),
  prize: z.string(),
  timeline: z.array(z.object({ label: z.string(), date: z.string() })),
  /** Most votes first; `percent` of all votes with one decimal. */
  finalists: z.array(z.object({ name: z.string(), votes: z.int(), percent: z.number() })),
  /** docs/recount.mjs recounts the file. `excluded` ballots are listed with their flag. */
  tally: z.object({ url: z.string(), sha256: z.string(), excluded: z.int() }),
})
export type HallOfFameEntry = z.infer<typeof HallOfFameEntry>

/** The state alone, for pages that do not load the challenge's contract. */
export const currentChallengeStateEndpoint = get(
  '/api/challenge/current',
  z.nullable(z.object({ state: z.string() })),
  visitor,
)

export const hallOfFameApi = {
  hallOfFame: get('/api/challenge', HallOfFameEntry, visitor),
}
