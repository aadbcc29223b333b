import { expect, test } from 'vitest'
import { runVoteLoad } from './vote-load'

// `npm test` kills the server during fewer votes, in mixed-writes.test.ts; `npm run bench -- --only kills` casts
// 200,000 votes.
const [voters, polls, kills] = [500, 20, 5]

test('kills under load neither lose nor repeat an acknowledged vote', async () => {
  const report = await runVoteLoad({ voters, polls, kills, concurrency: 64 })
  process.stdout.write(`\nvotes, killed ${kills} times: ${JSON.stringify(report)}\n`)
  expect(report).toMatchObject({
    lost: 0,
    doubled: 0,
    wrongResponses: 0,
    votes: voters * polls,
    storedVotes: voters * polls,
  })
  expect(report.retriedVotes).toBeGreaterThan(0)
  // 0: no response, 200: accepted, 409: a second vote.
  expect(new Set(Object.keys({ ...report.firstStatuses, ...report.retryStatuses }))).toEqual(
    new Set(['0', '200', '409']),
  )
}, 120_000)
