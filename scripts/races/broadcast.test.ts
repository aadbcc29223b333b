import { expect, test } from 'vitest'
import { runBroadcastWithKills } from './broadcast'

// A tenth of the size, and one death, which takes long to come back from. In full:
// `RECIPIENTS=10000 KILLS=3 npx vitest run scripts/races/broadcast.test.ts`.
const recipients = Number(process.env.RECIPIENTS ?? 1_000)
const kills = Number(process.env.KILLS ?? 1)
// In full every thousandth answer of the provider’s is lost as well: the server notices after twenty seconds, and tries again.
const losesEvery = recipients < 10_000 ? 0 : 1_000

test('a broadcast whose server is killed half-way reaches every reader, nobody twice, and says who is in doubt', async () => {
  const began = Date.now()
  const account = await runBroadcastWithKills({ recipients, kills, losesEvery })
  process.stdout.write(
    `\nbroadcast, killed ${kills} times: ${JSON.stringify(account)}, ${(Date.now() - began) / 1000} s\n`,
  )
  expect(account).toMatchObject({ unsent: 0, doubled: 0, strangers: 0 })
  expect(account.sent + account.unknown).toBe(recipients)
  expect(account.arrived).toBeGreaterThanOrEqual(account.sent)
  // A handful at each death, no more.
  expect(account.unknown).toBeLessThanOrEqual(kills * 10)
}, 600_000)
