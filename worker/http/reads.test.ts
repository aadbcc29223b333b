import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { PAGES } from '../contract/pages'
import { fillPath, readRoutes, send } from '../testing/client'
import { fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { snapshot } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'

beforeAll(loadFixtures)

const ROLES = ['visitor', 'supporter', 'administrator'] as const
/** What everybody may keep, whoever asked for it, and asks about before using it again. */
const EVERYBODYS = [
  ...['/', '/subscribe', '/privacy-policy', '/shows/:id', '/api/config', '/api/products'],
  ...['/api/concerts', '/api/concerts/upcoming', '/api/concerts/:id/event.ics', '/shows.ics'],
  ...['/api/challenge', '/api/challenge/current', '/api/challenges/:id', '/api/challenges/:id/tally.csv'],
  ...['/api/challenge/finalists/:id/audio', '/sitemap.xml', '/robots.txt', '/manifest.webmanifest'],
]
/** The same of what tells a supporter something of their own: of who sends no cookie. */
const VISITORS = [
  ...['/api/tracks', '/api/tracks/trending', '/api/polls/active', '/api/polls/closed', '/api/leaderboard'],
  ...['/api/missions', '/api/concerts/:id', '/api/community/posts', '/api/community/exclusive'],
]
/** What has another word for it: pictures under a name, and a recording that begins a listen. */
const OTHERS: Record<string, string> = {
  '/media/:folder/:name': 'public, max-age=3600',
  '/api/tracks/:id/audio': 'private, no-cache',
}

test('reads write nothing except the download log', async () => {
  const readers = await Promise.all(ROLES.map((role) => cookieHeaderFor(role)))
  const { audit_log: _, ...before } = await snapshot(env.DB)
  expect(Object.values(before).flat().length).toBeGreaterThan(5)
  const paths = [
    ...readRoutes().flatMap(({ path }) => [fillPath(path, fixtureParams(path)), fillPath(path, 'show-1')]),
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

test('allows caching of listed routes only', async () => {
  for (const role of ROLES) {
    const cookie = await cookieHeaderFor(role)
    const shared = role === 'visitor' ? [...EVERYBODYS, ...VISITORS] : EVERYBODYS
    const wrong: string[] = []
    const seen: string[] = []
    for (const path of new Set([...readRoutes().map((route) => route.path), ...PAGES, '/nowhere'])) {
      const answer = await send('GET', fillPath(path, fixtureParams(path)), undefined, {
        at: NOON,
        headers: cookie ? { cookie } : {},
      })
      await answer.arrayBuffer()
      const word = answer.headers.get('cache-control') ?? 'nothing'
      const expected = shared.includes(path) ? 'public, no-cache' : (OTHERS[path] ?? 'private, no-store')
      if (word.startsWith('public')) seen.push(path)
      if (word !== expected) wrong.push(`${path} ${answer.status}: ${word}`)
      if (word.startsWith('public') && answer.headers.getSetCookie().length > 0) wrong.push(`${path} sets a cookie`)
    }
    expect([role, wrong]).toEqual([role, []])
    expect(seen.length).toBe(shared.length + 1)
  }
})
