import { expect, test } from 'vitest'
import { runBroadcastWithKills } from './broadcast'

const isLong = process.env.LONG === '1'
const [recipients, kills] = isLong ? [10_000, 10] : [500, 2]
// After a lost response the server waits for its 20 s timeout, so only `npm run test:long` loses responses.
const lostResponseInterval = isLong ? 1_000 : 0

test('a broadcast interrupted at random points sends each email once', async () => {
  const startedAt = Date.now()
  const report = await runBroadcastWithKills({ recipients, kills, lostResponseInterval })
  process.stdout.write(
    `\nbroadcast, killed ${kills} times: ${JSON.stringify(report)}, ${(Date.now() - startedAt) / 1000} s\n`,
  )
  expect(report).toMatchObject({ unsent: 0, duplicated: 0, unexpected: 0 })
  expect(report.sent + report.unknown).toBe(recipients)
  expect(report.arrived).toBeGreaterThanOrEqual(report.sent)
  expect(report.unknown).toBeLessThanOrEqual(kills * 10)
}, 600_000)
