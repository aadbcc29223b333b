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
  const insertConcert = db.prepare(
    `INSERT INTO concerts (id, venue, city, address, starts_at, ends_at, time_zone, removed_at, price_cents, image_url, image_alt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 2500, '/media/a/b', 'A hall')`,
  )
  // July 4 in New York, July 5 in Tokyo.
  const evening = Date.parse('2026-07-05T00:00:00Z')
  const addConcert = (
    id: string,
    venue: string,
    city: string,
    address: string,
    zone: string,
    removedAt: number | null,
  ) => insertConcert.run(id, venue, city, address, evening, evening + 1, zone, removedAt)
  addConcert('show_Ab', 'Jo’s Hall', 'St. Petersburg', '1 Any St, St. Petersburg, FL 33701', 'America/New_York', null)
  addConcert('show_Cd', 'Jo’s Hall', 'St. Petersburg', '1 Any St, St. Petersburg, FL 33701-0001', 'America/New_York', 9)
  addConcert('show_Ef', '日本', '', 'Shibuya, 150-0002', 'Asia/Tokyo', null)
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

/** Adds orders without order lines: paid ones as in the demo (190 x $19.99, 160 x $14.99, 473 x $89), and others. */
function seedOneProductOrders(db: DatabaseSync): void {
  const addProduct = db.prepare(
    `INSERT INTO products (id, slug, name, description, price_cents, stock, position, ships) VALUES (?, ?, ?, '', ?, ?, 1, ?)`,
  )
  addProduct.run('clip', 'clip', 'Gold Clip', 1999, 84, 1)
  addProduct.run('hoodie', 'hoodie', 'Hoodie', 8900, 46, 1)
  addProduct.run('ticket', 'ticket', 'Ticket', 2000, 5, 0)
  const insert = db.prepare(
    `INSERT INTO orders (id, product_id, quantity, unit_price_cents, discount_cents, amount_cents, status, created_at, paid_at,
       held, refunded_cents, reserved_until, promotion_code, email)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'buyer@mail.example')`,
  )
  let count = 0
  const add = (
    product: string,
    unitCents: number,
    { quantity = 1, discount = 0, status = 'paid', held = 0, refunded = 0 },
  ) => {
    const amountCents = quantity * unitCents - discount
    const createdAt = 1_700_000_000_000 + ++count * 7_654_321
    const paidAt = status === 'paid' || status === 'refunded' ? createdAt + 90_000 : null
    insert.run(
      `ord_${count}`,
      product,
      quantity,
      unitCents,
      discount,
      amountCents,
      status,
      createdAt,
      paidAt,
      held,
      refunded,
      createdAt + 900_000,
      discount > 0 ? 'GILT5' : null,
    )
  }
  for (let i = 0; i < 190; i++) add('clip', 1999, {})
  for (let i = 0; i < 160; i++) add('clip', 1999, { discount: 500 })
  for (let i = 0; i < 473; i++) add('hoodie', 8900, {})
  add('hoodie', 8900, { quantity: 3, discount: 500, held: 3 })
  add('hoodie', 8900, { quantity: 2, refunded: 1234 })
  add('hoodie', 8900, { quantity: 2, status: 'refunded', refunded: 17_800 })
  add('ticket', 2000, { quantity: 4, status: 'pending', held: 4 })
  add('ticket', 2000, { status: 'failed' })
  add('ticket', 2000, { status: 'expired' })
}

const SELECT_ORDER_SUMS = `SELECT count(*) AS orders, sum(amount_cents) AS amount, sum(discount_cents) AS discount, sum(refunded_cents) AS refunded,
  sum(held) AS held, sum(quantity * unit_price_cents) AS gross FROM orders`
/** The same sums, computed from the order lines. */
const SELECT_LINE_SUMS = `SELECT count(*) AS orders, sum(l.quantity * l.unit_price_cents - l.discount_cents) AS amount,
  sum(l.discount_cents) AS discount, sum(l.refunded_cents) AS refunded, sum(l.held) AS held, sum(l.quantity * l.unit_price_cents) AS gross
  FROM order_lines l JOIN orders o ON o.id = l.order_id`

test('one-product orders get one line with the same amounts', () => {
  const db = new DatabaseSync(':memory:')
  const linesMigration = migrationFiles.indexOf('0051_order_lines.sql')
  migrate(db, migrationFiles.slice(0, linesMigration))
  seedOneProductOrders(db)
  const oldColumns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('orders')
    .map(({ name }) => String(name))
  const read = () => ({
    orders: db.prepare(`SELECT ${oldColumns.join(', ')} FROM orders ORDER BY id`).all(),
    revenue: db.prepare('SELECT * FROM revenue_days ORDER BY day').all(),
    stock: db.prepare('SELECT id, price_cents, stock FROM products ORDER BY id').all(),
    sums: { ...db.prepare(SELECT_ORDER_SUMS).get() },
  })
  const before = read()
  expect(before.sums.amount).toBe(4_829_350 + 26_200 + 17_800 + 17_800 + 8000 + 4000)
  migrate(db, migrationFiles.slice(linesMigration))
  expect(read()).toEqual(before)
  expect({ ...db.prepare(SELECT_LINE_SUMS).get() }).toEqual(before.sums)
  expect(db.prepare('SELECT id, price_cents, stock FROM product_variants ORDER BY id').all()).toEqual(
    before.stock.map((row) => ({ ...row, id: `${row.id}-1` })),
  )
  const selectWrongOrders = `SELECT id FROM orders o WHERE amount_cents <> lines_cents + shipping_cents - discount_cents
    OR units <> quantity OR 1 <> (SELECT count(*) FROM order_lines WHERE order_id = o.id)`
  expect(db.prepare(selectWrongOrders).all()).toEqual([])
  expect(
    db
      .prepare('SELECT kind FROM products ORDER BY id')
      .all()
      .map(({ kind }) => kind),
  ).toEqual(['shipped', 'shipped', 'pickup'])
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  // Expiring an order still returns its units to the stock.
  db.exec("UPDATE orders SET status = 'expired', held = 0 WHERE status = 'pending'")
  expect({ ...db.prepare("SELECT stock FROM products WHERE id = 'ticket'").get() }).toEqual({ stock: 5 })
})

test('an order inserted by earlier code gets its order line', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, migrationFiles)
  db.exec(
    `INSERT INTO products (id, slug, name, description, price_cents, stock, position) VALUES ('clip', 'clip', 'Clip', '', 1999, 5, 1)`,
  )
  db.exec(`INSERT INTO orders (id, product_id, quantity, unit_price_cents, discount_cents, amount_cents, status, created_at, held)
    VALUES ('o', 'clip', 2, 1999, 500, 3498, 'pending', 0, 2)`)
  expect({
    ...db.prepare('SELECT variant_id, quantity, discount_cents, held FROM order_lines').get(),
    ...db.prepare('SELECT units, lines_cents FROM orders').get(),
    ...db.prepare('SELECT stock FROM product_variants').get(),
  }).toEqual({ variant_id: 'clip-1', quantity: 2, discount_cents: 500, held: 2, units: 2, lines_cents: 3998, stock: 3 })
})

test('LIKE and GLOB patterns stay within D1’s 50 bytes', () => {
  const patterns = migrationFiles.flatMap((name) =>
    [...readFileSync(join('migrations', name), 'utf8').matchAll(/(?:LIKE|GLOB) '((?:[^']|'')*)'/gi)].map(
      ([, text]) => text,
    ),
  )
  expect(patterns.length).toBeGreaterThan(5)
  expect(patterns.filter((pattern) => Buffer.byteLength(pattern ?? '') > 50)).toEqual([])
})
