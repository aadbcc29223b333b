import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POLL_LIMITS } from '../../worker/contract/polls'
import { totalVotes, votePercent } from './PollCard'

const pollWithCounts = (counts: (number | null)[]) => ({
  id: 'p',
  title: 'P',
  description: '',
  endDate: '2026-12-01T12:00:00Z',
  options: counts.map((voteCount, index) => ({ id: String(index), title: String(index), voteCount })),
  userVote: null,
})

test('the options’ percentages add up to about 100', () => {
  const counts = fc.array(fc.nat(2_000_000), { minLength: POLL_LIMITS.options.min, maxLength: POLL_LIMITS.options.max })
  fc.assert(
    fc.property(counts, (votes) => {
      const total = totalVotes(pollWithCounts(votes))
      const sum = votes.reduce((partialSum, count) => partialSum + Number(votePercent(count, total).toFixed(1)), 0)
      if (total === 0) expect(sum).toBe(0)
      else expect(Math.abs(sum - 100)).toBeLessThanOrEqual(1 + 1e-9)
    }),
  )
})

test('counts withheld votes as zero', () => {
  expect(totalVotes(pollWithCounts([null, null]))).toBe(0)
})
