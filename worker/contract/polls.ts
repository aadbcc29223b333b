import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { Earned } from './points'
import { instant, line } from './text'

/** A poll as one reader sees it. `voteCount` is null until that reader has voted. */
export const PollView = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** The poll takes votes until this instant. */
  endDate: instant,
  options: z.array(z.object({ id: z.string(), title: z.string(), voteCount: z.nullable(z.int()) })),
  userVote: z.nullable(z.object({ optionId: z.string() })),
})
export type PollView = z.infer<typeof PollView>

export const Ballot = z.strictObject({ optionId: line(64, 'The option') })

export const pollsApi = {
  active: get('/api/polls/active', z.array(PollView)),
  /** 400 `unknown_option`, 404, 409 `already_voted`, 410 `closed`. */
  vote: post('/api/polls/:pollId/vote', Ballot, Earned, {
    who: 'supporter',
    signIn: 'Please sign up or login to vote',
    joinsSession: true,
  }),
}
