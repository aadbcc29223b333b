import * as z from 'zod/mini'
import { get } from './endpoint'
import { instant } from './text'

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

export const pollsApi = {
  active: get('/api/polls/active', z.array(PollView)),
}
