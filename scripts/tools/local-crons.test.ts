import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { expect, test } from 'vitest'
import { matchesCron, runCron } from './local-crons'

test.each([
  ['*/5 * * * *', '2026-11-22T10:25:00Z', true],
  ['*/5 * * * *', '2026-11-22T10:26:00Z', false],
  ['30 7 * * *', '2026-11-22T07:30:00Z', true],
  ['30 7 * * *', '2026-11-22T08:30:00Z', false],
  ['0 0 * * 1', '2026-11-23T00:00:00Z', true],
])('cron %s at %s matches: %s', (cron, time, expected) => {
  expect(matchesCron(cron, new Date(time))).toBe(expected)
})

/** Responds with the crons that it has run. */
const RECORDING_WORKER = `const runs = []
export default {
  fetch: () => Response.json(runs),
  scheduled: ({ cron, scheduledTime }) => void runs.push([cron, scheduledTime]),
}`

test('triggers a cron of a local server without wrangler’s proxy', async () => {
  const server = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: RECORDING_WORKER,
      compatibilityDate: '2026-01-01',
      unsafeTriggerHandlers: true,
    }),
  )
  try {
    const { origin } = await server.ready
    await runCron(origin, '30 7 * * *', 1_000)
    expect(await (await fetch(origin)).json()).toEqual([['30 7 * * *', 1_000]])
  } finally {
    await server.dispose()
  }
})
