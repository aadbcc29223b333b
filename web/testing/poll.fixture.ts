import type { PollView } from '../../worker/contract/polls'

/** An open poll that the visitor has not voted in, so its counts are withheld. */
export const buildPoll = (changes: Partial<PollView> = {}): PollView => ({
  id: 'opener',
  title: 'Which song comes first?',
  description: '',
  endDate: '2026-12-01T12:00:00Z',
  options: [
    { id: 'a', title: 'The slow one', voteCount: null },
    { id: 'b', title: 'The loud one', voteCount: null },
  ],
  userVote: null,
  ...changes,
})
