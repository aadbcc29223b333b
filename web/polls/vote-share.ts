import type { PollView } from '../../worker/contract/polls'

/** All votes of a poll whose counts are known; a count that is withheld adds nothing. */
export const totalVotes = ({ options }: PollView): number =>
  options.reduce((sum, { voteCount }) => sum + (voteCount ?? 0), 0)

/** A count as a share of the total, in per cent; 0 of none. */
export const votePercent = (votes: number, total: number): number => (total === 0 ? 0 : (votes / total) * 100)
