import { expect, test } from 'vitest'
import { runVoteLoad } from './vote-load'

// A two-hundredth of the size, and one death. `npm run bench -- --only rush` votes two hundred thousand times, the whole bench
// forty thousand. Otherwise: `PEOPLE=2000 POLLS=100 KILLS=5`.
const people = Number(process.env.PEOPLE ?? 100)
const polls = Number(process.env.POLLS ?? 10)
const kills = Number(process.env.KILLS ?? 1)

test('a rush whose server is killed again and again loses no vote that was answered, and counts none twice', async () => {
  const account = await runVoteLoad({ people, polls, kills, atOnce: 64 })
  process.stdout.write(`\nvotes, killed ${kills} times: ${JSON.stringify(account)}\n`)
  expect(account).toMatchObject({ lost: 0, doubled: 0, mistold: 0, votes: people * polls, ballots: people * polls })
  expect(account.unanswered).toBeGreaterThan(0)
  // Nobody is turned away for any other reason than that they voted twice, or that nothing answered.
  expect(new Set(Object.keys({ ...account.first, ...account.retried }))).toEqual(new Set(['0', '200', '409']))
}, 120_000)
