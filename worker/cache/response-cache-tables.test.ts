import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../contract/index'
import { PAGES as ADDRESSES } from '../contract/pages'
import { fillPath, newIsolate } from '../testing/client'
import { CACHED_FOR_ALL, CACHED_FOR_VISITORS, CACHED_PAGES, fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { MAX_STALE_MS } from './response-cache'

const run = (sql: string) => env.DB.prepare(sql).run()
beforeAll(loadFixtures)

test('lists every cached response', async () => {
  const { request: ask, trips } = newIsolate()
  const open = endpoints.filter(({ method, role }) => method === 'GET' && role === 'visitor')
  const kept: string[] = []
  for (const path of [...open.map((row) => row.path), ...ADDRESSES]) {
    const address = fillPath(path, fixtureParams(path))
    const first = await ask(address)
    await first.arrayBuffer()
    const [before, asked] = [trips(), first.headers.get('cache-control') === 'public, no-cache']
    await (await ask(address)).arrayBuffer()
    // What needs no database at all is not kept either.
    if (asked && trips() === before && path !== '/robots.txt') kept.push(address)
  }
  const named = [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES].filter((path) => !path.includes('?'))
  expect(kept.sort()).toEqual(named.sort())
})

/** Tables whose changes move no version: what a kept answer takes from them is made anew every few seconds. */
const COUNTED = [
  'users',
  'standings',
  'revoked_sessions',
  'poll_votes',
  'track_likes',
  'verse_submissions',
  'ledger',
  'show_goers',
  'check_ins',
]
/** Answers that join them for nobody: without a caller there is no row of theirs in what everybody gets. */
const WITHOUT_A_CALLER = ['/api/polls/active', '/api/missions']

test('every table of a cached response changes the data version', async () => {
  const { results } = await env.DB.prepare(
    `SELECT t.name, EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = t.name || '_public_update') AS moves
     FROM sqlite_master t WHERE t.type = 'table' ORDER BY t.name`,
  ).all<{ name: string; moves: number }>()
  const moves = new Map(results.map(({ name, moves }) => [name, moves === 1]))
  moves.delete('data_version')
  for (const path of [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES]) {
    const { request: ask, statements: asked } = newIsolate()
    await ask(path)
    const names = asked.flatMap((sql) => [...sql.matchAll(/\b(?:from|join)\s+"?(\w+)"?/gi)].map(([, name]) => name!))
    const read = [...new Set(names)].filter((name) => moves.has(name))
    expect([path, read.length > 0]).toEqual([path, true])
    const still = read.filter((name) => !moves.get(name))
    expect([path, still.filter((name) => !COUNTED.includes(name))]).toEqual([path, []])
    if (still.length === 0 || WITHOUT_A_CALLER.includes(path)) continue
    // Nobody has changed anything: who is made anew all the same says so of itself.
    const before = asked.length
    await ask(path, {}, NOON + MAX_STALE_MS)
    expect([path, asked.length - before > 1]).toEqual([path, true])
  }
})

test('content changes the data version, counters do not', async () => {
  const version = async () => (await env.DB.prepare('SELECT version FROM data_version').first<number>('version'))!
  const moved = async (sql: string) => {
    const before = await version()
    await run(sql)
    return (await version()) > before
  }
  expect(
    await moved(
      "INSERT INTO social_posts (id, title, url, image_url, image_alt, position) VALUES ('x', '', '', '', '', 9)",
    ),
  ).toBe(true)
  expect(await moved("UPDATE social_posts SET title = 'New' WHERE id = 'x'")).toBe(true)
  expect(await moved("DELETE FROM social_posts WHERE id = 'x'")).toBe(true)
  expect(await moved("UPDATE tracks SET title = 'New' WHERE id = 1")).toBe(true)
  expect(await moved('UPDATE tracks SET plays = plays + 1 WHERE id = 1')).toBe(false)
  expect(await moved("UPDATE poll_options SET votes = votes + 1 WHERE id = 'a'")).toBe(false)
})
