import { expect, test } from 'vitest'
import { runVoteLoad } from './vote-load'

// mixed-writes.test.ts is the short version; `npm run bench -- --only load` casts 200,000 votes.
const [people, polls, kills] = [500, 20, 5]

test('kills under load lose and double no acknowledged vote', async () => {
  const report = await runVoteLoad({ people, polls, kills, concurrency: 64 })
  process.stdout.write(`\nvotes, killed ${kills} times: ${JSON.stringify(report)}\n`)
  expect(report).toMatchObject({
    lost: 0,
    doubled: 0,
    wrongAnswers: 0,
    votes: people * polls,
    storedVotes: people * polls,
  })
  expect(report.unanswered).toBeGreaterThan(0)
  // The only rejections are duplicates and lost connections.
  expect(new Set(Object.keys({ ...report.first, ...report.retried }))).toEqual(new Set(['0', '200', '409']))
}, 120_000)
