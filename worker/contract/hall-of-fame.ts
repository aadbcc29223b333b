import * as z from 'zod/mini'
import { get, visitor } from './endpoint'

/** The latest finished challenge with a winner. */
export const HallOfFameEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** Tied winners are joined: 'A & B'. */
  winner: z.string(),
  /** The winner's day, YYYY-MM-DD; the result is published at its end. */
  date: z.string(),
  /** Counted ballots. */
  totalVotes: z.int(),
  totalSubmissions: z.int(),
  /** Votes of each winner. */
  winnerVotes: z.int(),
  prize: z.string(),
  timeline: z.array(z.object({ label: z.string(), date: z.string() })),
  /** Most votes first; `percent` of `totalVotes` with one decimal. */
  finalists: z.array(z.object({ name: z.string(), votes: z.int(), percent: z.number() })),
  /** The file of all ballots, for docs/recount.mjs. `excluded` is how many of them do not count. */
  tally: z.object({ url: z.string(), sha256: z.string(), excluded: z.int() }),
})
export type HallOfFameEntry = z.infer<typeof HallOfFameEntry>

/** Only the state of the response, so that the home page need not bundle contract/challenge.ts. */
export const currentChallengeStateEndpoint = get(
  '/api/challenge/current',
  z.nullable(z.object({ state: z.string() })),
  visitor,
)

export const hallOfFameApi = {
  hallOfFame: get('/api/challenge', HallOfFameEntry, visitor),
}
