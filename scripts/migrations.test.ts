import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('tables in code match the migrations', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    await cp('migrations', copy, { recursive: true })
    const before = await readdir(copy)
    const tool = 'node_modules/drizzle-kit/bin.cjs'
    // drizzle-kit resolves its folder from the working directory, even for absolute paths.
    const options = ['--dialect', 'sqlite', '--schema', './worker/**/*.table.ts', '--out', relative('.', copy)]
    const { stdout } = await promisify(execFile)(process.execPath, [tool, 'generate', ...options])
    expect(stdout).toContain('No schema changes')
    expect(await readdir(copy)).toEqual(before)
  } finally {
    await rm(copy, { recursive: true })
  }
}, 20_000)

const migrationFiles = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .sort()

function migrate(db: DatabaseSync, files: readonly string[]): void {
  for (const file of files)
    for (const statement of readFileSync(join('migrations', file), 'utf8').split('--> statement-breakpoint'))
      if (statement.trim() !== '') db.exec(statement)
}

test('albums become releases, other tracks become singles', () => {
  const db = new DatabaseSync(':memory:')
  const releasesMigration = migrationFiles.indexOf('0042_releases.sql')
  migrate(db, migrationFiles.slice(0, releasesMigration))
  const insert = db.prepare(
    `INSERT INTO tracks (title, album, position, released_at, removed_at, artist, duration_seconds, plays, cover_url, cover_alt)
     VALUES (?, ?, ?, ?, ?, 'Any Artist', 100, 7, '/media/a/b', 'A cover')`,
  )
  insert.run('First Song!', '', 1, 1000, null)
  insert.run('First  song', '', 2, 2000, null)
  insert.run('Opener', 'An Álbum', 4, 3000, null)
  insert.run('日本', 'An Álbum', 3, 2500, null)
  insert.run('Removed', '', 5, 500, 600)
  const readTracks = () => db.prepare('SELECT id, title, plays, position, released_at, removed_at FROM tracks').all()
  const before = readTracks()
  migrate(db, migrationFiles.slice(releasesMigration))
  expect(readTracks()).toEqual(before)
  const releases = db
    .prepare(
      `SELECT r.slug, r.kind, r.released_at AS at, r.removed_at AS removedAt,
         (SELECT group_concat(t.slug) FROM release_tracks rt JOIN tracks t ON t.id = rt.track_id WHERE rt.release_id = r.id) AS tracks
       FROM releases r ORDER BY r.released_at`,
    )
    .all()
  expect(releases.map((row) => ({ ...row }))).toEqual([
    { slug: 'removed', kind: 'single', at: 500, removedAt: 600, tracks: 'removed' },
    { slug: 'first-song', kind: 'single', at: 1000, removedAt: null, tracks: 'first-song' },
    { slug: 'first-song-release-s2', kind: 'single', at: 2000, removedAt: null, tracks: 'first-song-2' },
    { slug: 'an-lbum', kind: 'album', at: 2500, removedAt: null, tracks: '4,opener' },
  ])
})

test('shows and products get slugs and structured addresses', () => {
  const db = new DatabaseSync(':memory:')
  const slugsMigration = migrationFiles.indexOf('0044_slugs.sql')
  migrate(db, migrationFiles.slice(0, slugsMigration))
  const addShow = db.prepare(
    `INSERT INTO concerts (id, venue, city, address, starts_at, ends_at, time_zone, removed_at, price_cents, image_url, image_alt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 2500, '/media/a/b', 'A hall')`,
  )
  const evening = Date.parse('2026-07-05T00:00:00Z')
  const addAt = (id: string, venue: string, city: string, address: string, zone: string, removedAt: number | null) =>
    addShow.run(id, venue, city, address, evening, evening + 1, zone, removedAt)
  addAt('show_Ab', 'Jo’s Hall', 'St. Petersburg', '1 Any St, St. Petersburg, FL 33701', 'America/New_York', null)
  addAt('show_Cd', 'Jo’s Hall', 'St. Petersburg', '1 Any St, St. Petersburg, FL 33701-0001', 'America/New_York', 9)
  addAt('show_Ef', '日本', '', 'Shibuya, 150-0002', 'Asia/Tokyo', null)
  const addProduct = db.prepare(
    "INSERT INTO products (id, name, description, price_cents, stock, position) VALUES (?, ?, '', 1, 1, 1)",
  )
  for (const [id, name] of [
    ['product_x', 'Gold  Clip!'],
    ['product_y', 'Gold Clip'],
    ['product_z', '!'],
  ] as const)
    addProduct.run(id, name)
  const columns = 'id, venue, city, address, starts_at, ends_at, removed_at'
  const readShows = () => db.prepare(`SELECT ${columns} FROM concerts ORDER BY id`).all()
  const before = readShows()
  migrate(db, migrationFiles.slice(slugsMigration))
  expect(readShows()).toEqual(before)
  const shows = db.prepare('SELECT slug, region, postal_code AS zip, country FROM concerts ORDER BY id').all()
  expect(shows.map((row) => ({ ...row }))).toEqual([
    { slug: 'jos-hall-st-petersburg-2026-07-04', region: 'FL', zip: '33701', country: 'US' },
    { slug: 'jos-hall-st-petersburg-2026-07-04-show-cd', region: 'FL', zip: '33701-0001', country: 'US' },
    { slug: 'show-2026-07-05', region: '', zip: '', country: '' },
  ])
  const products = db.prepare('SELECT slug FROM products ORDER BY id').all()
  expect(products.map(({ slug }) => slug)).toEqual(['gold-clip', 'gold-clip-product-y', 'product'])
})

test('LIKE and GLOB patterns fit the 50 bytes of D1', () => {
  const patterns = migrationFiles.flatMap((name) =>
    [...readFileSync(join('migrations', name), 'utf8').matchAll(/(?:LIKE|GLOB) '((?:[^']|'')*)'/gi)].map(
      ([, text]) => text,
    ),
  )
  expect(patterns.length).toBeGreaterThan(5)
  expect(patterns.filter((pattern) => Buffer.byteLength(pattern ?? '') > 50)).toEqual([])
})
