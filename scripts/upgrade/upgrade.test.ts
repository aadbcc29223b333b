import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import { findWrongTotals } from '../../worker/db/totals'
import { killServer, startServer } from '../races/killable-server'
import { replaceLocalDatabase, withSqliteFile } from '../races/local-database'
import { ensureSecrets, withLocalBindings } from '../tools/bindings'
import { applyMigrations } from '../tools/migrations'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'

const stateFolder = mkdtempSync(join(tmpdir(), 'upgrade-'))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

/** Queries on tables of version 0.1.0; an upgrade must not change their results. */
const SELECT_SUMS = [
  'SELECT status, count(*) AS orders, sum(amount_cents) AS cents, sum(quantity) AS units FROM orders GROUP BY status',
  'SELECT count(*) AS days, sum(cents) AS cents FROM revenue_days',
  'SELECT count(*) AS entries, sum(points) AS points FROM ledger',
  'SELECT role, tier, count(*) AS users, sum(points) AS points FROM users GROUP BY role, tier',
  'SELECT id, username, email, points FROM users ORDER BY id',
  'SELECT poll_id, option_id, count(*) AS votes FROM poll_votes GROUP BY poll_id, option_id',
  'SELECT id, votes FROM poll_options ORDER BY id',
  'SELECT finalist_id, count(*) AS ballots FROM challenge_ballots GROUP BY finalist_id',
  'SELECT id, plays, likes FROM tracks ORDER BY id',
  'SELECT id, likes FROM posts ORDER BY id',
  'SELECT id, name, stock FROM products ORDER BY id',
  'SELECT id, venue, starts_at FROM concerts ORDER BY id',
  'SELECT state, count(*) AS subscribers FROM subscribers GROUP BY state',
  'SELECT count(*) AS requests FROM city_requests',
  'SELECT count(*) AS verses FROM verse_submissions',
]

/** Writes the fixture as the local database of `stateFolder`; returns its sums. */
async function unpackFixture() {
  await withLocalBindings(stateFolder, ({ DB }) => DB.prepare('CREATE TABLE placeholder (id INTEGER)').run())
  replaceLocalDatabase(stateFolder, brotliDecompressSync(readFileSync('scripts/upgrade/demo-0.1.0.sqlite.br')))
  return withSqliteFile(stateFolder, (file) =>
    SELECT_SUMS.map((query) =>
      file
        .prepare(query)
        .all()
        .map((row) => ({ ...row })),
    ),
  )
}

test('a database of version 0.1.0 migrates without losing rows', async () => {
  ensureSecrets()
  const before = await unpackFixture()
  expect(before[0]).toContainEqual({ status: 'paid', orders: 823, cents: 4_829_350, units: 823 })
  const cookie = await withLocalBindings(stateFolder, async ({ DB, SESSIONS }) => {
    await applyMigrations(DB)
    for (const [i, query] of SELECT_SUMS.entries())
      expect([query, (await DB.prepare(query).all()).results]).toEqual([query, before[i]])
    // The demo's track likes are totals without rows.
    expect(await findWrongTotals(DB)).toEqual(['tracks.likes: 1, 2, 3, 4, 5, 6'])
    expect((await DB.prepare('PRAGMA foreign_key_check').all()).results).toEqual([])
    const lines = 'SELECT sum(quantity * unit_price_cents - discount_cents) AS cents FROM order_lines'
    expect(await DB.prepare(lines).first('cents')).toBe(
      await DB.prepare('SELECT sum(amount_cents) AS cents FROM orders').first('cents'),
    )
    const owner = await DB.prepare(
      "SELECT user_id AS id, session_epoch AS epoch FROM team_members JOIN users ON id = user_id WHERE team_members.role = 'owner'",
    ).first<{
      id: number
      epoch: number
    }>()
    const { token } = await createSession(
      SESSIONS,
      'administrator',
      { userId: owner?.id ?? 0, epoch: owner?.epoch ?? 0 },
      Date.now(),
    )
    return `admin=${token}`
  })
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const server = startServer(stateFolder, port)
  try {
    await waitUntilReady(origin)
    const read = async (path: string) => {
      const response = await fetch(origin + path, { headers: { cookie } })
      return { status: response.status, text: await response.text() }
    }
    const resultOf = (table: string) => before[SELECT_SUMS.findIndex((query) => query.includes(`FROM ${table} `))] ?? []
    const tracks = resultOf('tracks')
    expect(JSON.parse((await read('/api/tracks')).text)).toHaveLength(tracks.length)
    const pages = ['/', '/music', '/merch', '/shows', '/community', '/challenge', '/subscribe', '/privacy-policy']
    for (const path of [...pages, '/api/leaderboard', '/api/polls/active', '/sitemap.xml', '/shows.ics'])
      expect([path, (await read(path)).status]).toEqual([path, 200])
    expect((await read('/merch')).text).toContain(String(resultOf('products')[0]?.name))
    for (const list of ['overview', 'orders', 'supporters', 'concerts', 'polls', 'system', 'site', 'appearance'])
      expect([list, (await read(`/api/admin/${list}`)).status]).toEqual([list, 200])
    expect(JSON.parse((await read('/api/admin/overview')).text)).toMatchObject({ revenueCents: 4_829_350 })
  } finally {
    await killServer(server)
  }
}, 120_000)
