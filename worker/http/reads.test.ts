import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { PAGES } from '../contract/pages'
import { send } from '../testing/client'
import { fullHouse, namesFor } from '../testing/full-house'
import { NOON } from '../testing/furnish'
import { cookiesOf } from '../testing/roles'
import { fill, reads } from '../testing/routes'
import { snapshot } from '../testing/snapshot'

beforeAll(fullHouse)

test('reading changes nothing but who fetched a file, on any route, under any of its ids, whoever reads', async () => {
  const readers = await Promise.all((['visitor', 'supporter', 'administrator'] as const).map((role) => cookiesOf(role)))
  const { audit_log: _, ...before } = await snapshot(env.DB)
  expect(Object.values(before).flat().length).toBeGreaterThan(5)
  const paths = [
    ...reads().flatMap(({ path }) => [fill(path, namesFor(path)), fill(path, 'show-1')]),
    ...PAGES,
    '/nowhere',
  ]
  for (const path of new Set(paths))
    for (const method of ['GET', 'HEAD'])
      for (const cookie of readers)
        await (await send(method, path, undefined, { at: NOON, headers: { cookie } })).arrayBuffer()
  const { audit_log: written, ...after } = await snapshot(env.DB)
  expect(after).toEqual(before)
  // Ruling 13: the log says who downloaded what.
  expect([...new Set((written ?? []).map((row) => (row as { action: string }).action))]).toEqual(['ballots.downloaded'])
})
