import { expect, test } from 'vitest'
import { runBroadcastWithKills } from './broadcast'

// Scaled down for npm test. Full size: `RECIPIENTS=10000 KILLS=3 npx vitest run scripts/races/broadcast.test.ts`.
const recipients = Number(process.env.RECIPIENTS ?? 1_000)
const kills = Number(process.env.KILLS ?? 1)
// At full size every thousandth provider response is lost too; the server retries after its 20 s timeout.
const losesEvery = recipients < 10_000 ? 0 : 1_000

test('kills during a broadcast email no reader twice', async () => {
  const startedAt = Date.now()
  const report = await runBroadcastWithKills({ recipients, kills, losesEvery })
  process.stdout.write(
    `\nbroadcast, killed ${kills} times: ${JSON.stringify(report)}, ${(Date.now() - startedAt) / 1000} s\n`,
  )
  expect(report).toMatchObject({ unsent: 0, doubled: 0, strangers: 0 })
  expect(report.sent + report.unknown).toBe(recipients)
  expect(report.arrived).toBeGreaterThanOrEqual(report.sent)
  expect(report.unknown).toBeLessThanOrEqual(kills * 10)
}, 600_000)
