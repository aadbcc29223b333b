import { expect, test } from 'vitest'
import { runBroadcastWithKills } from './broadcast'

// Scaled down for npm test. Full size: `RECIPIENTS=10000 KILLS=3 npx vitest run scripts/races/broadcast.test.ts`.
const recipients = Number(process.env.RECIPIENTS ?? 1_000)
const kills = Number(process.env.KILLS ?? 1)
// At full size every thousandth provider response is lost too; the server retries after its 20 s timeout.
const losesEvery = recipients < 10_000 ? 0 : 1_000

test('a killed broadcast emails no reader twice, few unknown', async () => {
  const began = Date.now()
  const account = await runBroadcastWithKills({ recipients, kills, losesEvery })
  process.stdout.write(
    `\nbroadcast, killed ${kills} times: ${JSON.stringify(account)}, ${(Date.now() - began) / 1000} s\n`,
  )
  expect(account).toMatchObject({ unsent: 0, doubled: 0, strangers: 0 })
  expect(account.sent + account.unknown).toBe(recipients)
  expect(account.arrived).toBeGreaterThanOrEqual(account.sent)
  expect(account.unknown).toBeLessThanOrEqual(kills * 10)
}, 600_000)
