import { expect, test } from 'vitest'
import { runVoteLoad } from './vote-load'

// Scaled down; `npm run bench -- --only load` casts 200,000 votes. Or set `PEOPLE=2000 POLLS=100 KILLS=5`.
const people = Number(process.env.PEOPLE ?? 100)
const polls = Number(process.env.POLLS ?? 10)
const kills = Number(process.env.KILLS ?? 1)

test('kills under load lose and double no acknowledged vote', async () => {
  const report = await runVoteLoad({ people, polls, kills, concurrency: 64 })
  process.stdout.write(`\nvotes, killed ${kills} times: ${JSON.stringify(report)}\n`)
  expect(report).toMatchObject({
    lost: 0,
    doubled: 0,
    wrongAnswers: 0,
    votes: people * polls,
    ballots: people * polls,
  })
  expect(report.unanswered).toBeGreaterThan(0)
  // The only rejections are duplicates and lost connections.
  expect(new Set(Object.keys({ ...report.first, ...report.retried }))).toEqual(new Set(['0', '200', '409']))
}, 120_000)
