import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../contract/index'
import { PAGES } from '../contract/pages'
import { fillPath, newIsolate } from '../testing/client'
import { CACHED_FOR_ALL, CACHED_FOR_VISITORS, CACHED_PAGES, fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { runSql } from '../testing/stores'
import { MAX_UNCHECKED_MS } from './response-cache'

beforeAll(loadFixtures)

test('the fixtures list every cached response', async () => {
  const { request, trips } = newIsolate()
  const publicReads = endpoints.filter(({ method, auth }) => method === 'GET' && auth === 'visitor')
  const cachedPaths: string[] = []
  for (const path of [...publicReads.map(({ path }) => path), ...PAGES]) {
    const url = fillPath(path, fixtureParams(path))
    const firstResponse = await request(url)
    await firstResponse.arrayBuffer()
    const isPublic = firstResponse.headers.get('cache-control') === 'public, no-cache'
    const tripsBefore = trips()
    await (await request(url)).arrayBuffer()
    // robots.txt reads no database.
    if (isPublic && trips() === tripsBefore && path !== '/robots.txt') cachedPaths.push(url)
  }
  const listedPaths = [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES].filter((path) => !path.includes('?'))
  expect(cachedPaths.sort()).toEqual(listedPaths.sort())
})

/** Tables outside the data version: responses that read them are reloaded after MAX_UNCHECKED_MS. */
const COUNTER_TABLES = [
  'users',
  'standings',
  'revoked_sessions',
  'poll_votes',
  'track_likes',
  'verse_submissions',
  'ledger',
  'show_goers',
  'check_ins',
  'posts',
  'post_likes',
  'uploads',
  'link_previews',
]
/** Paths whose queries join counter tables on the caller, so visitors get no rows of those tables. */
const CALLER_ONLY_JOINS = ['/api/polls/active', '/api/missions', '/hub/missions']

test('cached responses read versioned tables, or reload for counter tables', async () => {
  const { results } = await env.DB.prepare(
    `SELECT t.name, EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = t.name || '_public_update') AS versioned
     FROM sqlite_master t WHERE t.type = 'table' ORDER BY t.name`,
  ).all<{ name: string; versioned: number }>()
  const isVersioned = new Map(results.map(({ name, versioned }) => [name, versioned === 1]))
  isVersioned.delete('data_version')
  for (const path of [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES]) {
    const { request, statements } = newIsolate()
    await request(path)
    const names = statements.flatMap((sql) =>
      [...sql.matchAll(/\b(?:from|join)\s+"?(\w+)"?/gi)].map(([, name]) => name!),
    )
    const tablesRead = [...new Set(names)].filter((name) => isVersioned.has(name))
    expect([path, tablesRead.length > 0]).toEqual([path, true])
    const unversioned = tablesRead.filter((name) => !isVersioned.get(name))
    expect([path, unversioned.filter((name) => !COUNTER_TABLES.includes(name))]).toEqual([path, []])
    if (unversioned.length === 0 || CALLER_ONLY_JOINS.includes(path)) continue
    // The response is reloaded although the data version is unchanged.
    const before = statements.length
    await request(path, {}, NOON + MAX_UNCHECKED_MS)
    expect([path, statements.length - before > 1]).toEqual([path, true])
  }
})

test('content changes the data version, counters do not', async () => {
  const version = async () => (await env.DB.prepare('SELECT version FROM data_version').first<number>('version'))!
  const changesVersion = async (sql: string) => {
    const before = await version()
    await runSql(sql)
    return (await version()) > before
  }
  expect(
    await changesVersion(
      "INSERT INTO social_posts (id, title, url, image_url, image_alt, position) VALUES ('x', '', '', '', '', 9)",
    ),
  ).toBe(true)
  expect(await changesVersion("UPDATE social_posts SET title = 'New' WHERE id = 'x'")).toBe(true)
  expect(await changesVersion("DELETE FROM social_posts WHERE id = 'x'")).toBe(true)
  expect(await changesVersion("UPDATE tracks SET title = 'New' WHERE id = 1")).toBe(true)
  expect(await changesVersion('UPDATE tracks SET plays = plays + 1 WHERE id = 1')).toBe(false)
  expect(await changesVersion("UPDATE poll_options SET votes = votes + 1 WHERE id = 'a'")).toBe(false)
})
