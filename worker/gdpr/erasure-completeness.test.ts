import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { ExportFile } from '../contract/exports'
import { POINTS } from '../contract/points'
import { openDb } from '../db/client'
import type { Env } from '../env'
import { runExport } from '../exports/exports'
import worker from '../index'
import { DAY_MS, MINUTE_MS } from '../lib/clock'
import { type Browser, send } from '../testing/client'
import { exportMessage, processExport } from '../testing/exports'
import { addTrack, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { dumpStores, snapshotRows, spyOnD1 } from '../testing/stores'
import { addNamedUser, cookieHeaderFor, logInWithPassword, PASSWORD } from '../testing/users'
import { countStreams, type StreamJob } from '../tracks/streams'
import { eraseUser } from './erase-user'

const PERSONAL_DATA = /marigold|gilt lane|555-?0188|5550188/i
const EMAIL = 'Marigold@Fan.example'

beforeAll(() => seedSite(env.DB))

/** Columns that retain an erased user's id: counts, money, the audit log, emptied rows. */
const RETAINED_COLUMNS = [
  'audit_log.subject',
  'billing_customers.user_id',
  'ledger.user_id',
  'orders.user_id',
  'poll_votes.user_id',
  'polls.created_by',
  'posts.author_id',
  'supporter_search.username',
  'users.username',
  'users.username_key',
]

/** Columns that contain the user's id: `table.column`. */
async function columnsWithUser(id: number): Promise<string[]> {
  const columns = Object.entries(await snapshotRows(env.DB)).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row as Record<string, unknown>)
        .filter(([column, value]) =>
          // Texts such as `u7`, `user:7` and `deleted-7`; `7.0` because D1 binds numbers as floats.
          typeof value === 'string'
            ? new RegExp(`^(u|user:|deleted[-:])?${id}(\\.0)?$`).test(value)
            : value === id && /^(user|author|actor|owner|sender)_id$|_by$/.test(column),
        )
        .map(([column]) => `${table}.${column}`),
    ),
  )
  return [...new Set(columns)].sort()
}

/** Plays a track, reports the listen, and counts it as the queue would. */
async function listenToTrack(browser: Browser) {
  const { id } = await addTrack({ audioKey: 'audio/song.mp3' })
  await env.FILES.put('audio/song.mp3', new Uint8Array(5000))
  const jobs: StreamJob[] = []
  const JOBS = { send: async (job: StreamJob) => void jobs.push(job) } as unknown as Env['JOBS']
  await browser.send('GET', `/api/tracks/${id}/audio`, undefined, { headers: { range: 'bytes=0-' } })
  await browser.send(
    'POST',
    '/api/tracks/stream',
    { trackId: id, platform: 'site' },
    { at: NOON + MINUTE_MS, env: { JOBS } },
  )
  await countStreams(db, jobs)
}

async function createExport(cookie: string): Promise<ExportFile> {
  const response = await send('POST', '/api/admin/exports', { kind: 'supporters' }, { at: NOON, headers: { cookie } })
  const file = await response.json<ExportFile>()
  await processExport(exportMessage(file.id))
  return file
}

test('erases a user from D1, KV and R2, keeping counts', async () => {
  const { id } = await addNamedUser('marigold', {
    email: EMAIL,
    phoneHash: 'h',
    phoneLast2: '88',
    referralCode: 'XMARIGOLD',
    mailboxKey: 'marigold@fan.example',
  })
  const voter = await addNamedUser('voter')
  const cookie = await cookieHeaderFor('administrator')
  const moderate = async (path: string, reason?: string) => {
    const body = reason === undefined ? undefined : { reason }
    const response = await send('POST', `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
    expect([path, response.ok]).toEqual([path, true])
  }
  await moderate(`supporters/${id}/ban`, 'Marigold shouts')
  await moderate(`supporters/${id}/unban`)
  const browser = await logInWithPassword('marigold', { at: NOON })
  for (const [path, body] of [
    ['/api/newsletter/subscribe', { email: EMAIL }],
    ['/api/shows/alerts', { entry: EMAIL }],
    ['/api/shows/city-requests', { entry: 'Sarasota' }],
    ['/api/privacy/inquiries', { email: EMAIL, kind: 'access', message: 'Marigold asks.' }],
    ['/api/auth/password/forgot', { email: EMAIL }],
  ] as const)
    expect((await browser.send('POST', path, body)).ok).toBe(true)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, fulfilment, user_id, email, shipping_address)
       SELECT 'order_1', id, 1, 1999, 1999, 'paid', ?1, ?1, 'delivered', ?2, ?3, '{"name":"Marigold","line1":"1 Gilt Lane"}' FROM products LIMIT 1`,
    ).bind(NOON, id, EMAIL),
    // The user's address is also in the order of a visitor and in another user's order.
    ...[
      ['order_v', null, '3 Gilt Lane'],
      ['order_f', voter.id, '9 Friend Way'],
    ].map((order) =>
      env.DB.prepare(
        `INSERT INTO orders (id, user_id, shipping_address, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, fulfilment, email, tracking)
         SELECT ?1, ?2, '{"line1":"' || ?3 || '"}', id, 1, 1999, 1999, 'refunded', ?4, ?4, 'delivered', ?5, 'left at ' || ?3 FROM products LIMIT 1`,
      ).bind(...order, NOON, EMAIL),
    ),
    env.DB.prepare(
      `INSERT INTO audit_log (at, actor_id, action, subject, detail)
       VALUES (0, ?1, 'order.refunded', 'order:order_v', '{"reason":"Marigold changed her mind"}')`,
    ).bind(voter.id),
    env.DB.prepare(
      `INSERT INTO polls (id, title, description, ends_at, created_by, created_at)
       VALUES ('p', 'Is Marigold right?', 'Says Marigold.', ?1, ?2, 0)`,
    ).bind(NOON + DAY_MS, id),
    env.DB.prepare("INSERT INTO poll_options (id, poll_id, title, position) VALUES ('a', 'p', 'Marigold is', 1)"),
    ...[id, voter.id].map((userId) =>
      env.DB.prepare(
        "INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at, counted_at) VALUES ('p', ?1, 'a', 0, 0)",
      ).bind(userId),
    ),
    ...[
      ['poll_created', 'poll_created:p', 'Created “Is Marigold right?”', 25],
      ['track_like', 'track_like:1', 'Liked a song', 5],
    ].map((entry) =>
      env.DB.prepare(
        'INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?, ?, ?, ?, ?, 0)',
      ).bind(id, ...entry),
    ),
    env.DB.prepare("INSERT INTO posts (id, author_id, text, created_at) VALUES ('post', ?1, 'Oh', 0)").bind(id),
    env.DB.prepare(
      "INSERT INTO post_reports (post_id, user_id, reason, created_at) VALUES ('post', ?1, 'Marigold swears', 0)",
    ).bind(voter.id),
    // Emails to another spelling of the address, and to other addresses about the user's order or verse.
    ...[
      ['welcome', 'MARIGOLD@FAN.EXAMPLE'],
      ['receipt:order_1', 'office@gilt lane.example'],
      ['shipped:order_1', 'shipments@gilt lane.example'],
      ['verse:w', 'stage@gilt lane.example'],
    ].map((mail) =>
      env.DB.prepare(
        `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, created_at)
         VALUES (?1, ?1, 'receipt', ?2, 's', 'Hi Marigold', 'Hi Marigold', ?3)`,
      ).bind(...mail, NOON),
    ),
    env.DB.prepare("INSERT INTO billing_customers (user_id, customer_id, trial_used_at) VALUES (?1, 'cus_1', 0)").bind(
      id,
    ),
    env.DB.prepare(
      `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on)
       VALUES ('c', 'A challenge', 'A prize', '2026-05-01', '2026-05-10', '2026-05-11', '2026-05-11', '2026-05-14', '2026-05-14', '2026-05-20')`,
    ),
    env.DB.prepare(
      `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, audio_key)
       VALUES ('v', 'c', 'Marigold B.', ?1, '+18135550188', 0, 'uploads/up_v')`,
    ).bind(EMAIL),
    // The user sent this verse while logged in, with another address.
    env.DB.prepare(
      `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, audio_key, user_id)
       VALUES ('w', 'c', 'Marigold B.', 'stage@gilt lane.example', '', 0, 'uploads/up_w', ?1)`,
    ).bind(id),
    // No verse refers to the last recording.
    ...[
      ['up_v', null],
      ['up_w', null],
      ['up_x', id],
    ].map((recording) =>
      env.DB.prepare(
        `INSERT INTO uploads (id, kind, owner_id, created_at, stored_at, content_type, size_bytes)
         VALUES (?1, 'audio', ?2, ?3, ?3, 'audio/mpeg', 9)`,
      ).bind(...recording, NOON),
    ),
  ])
  for (const name of ['up_v', 'up_w', 'up_x']) await env.FILES.put(`uploads/${name}`, 'Marigold sings')
  const entryId = await env.DB.prepare("SELECT id FROM ledger WHERE key = 'track_like:1'").first<number>('id')
  await moderate(`points/${entryId}/void`, 'Marigold is a robot')
  await moderate('community/posts/post/hide', 'Marigold swears')
  await listenToTrack(browser)
  const countReports = () =>
    env.DB.prepare("SELECT count(*) AS n FROM stream_reports WHERE listener GLOB 'u*'").first('n')
  const entriesWithName = async () =>
    (await env.DB.prepare("SELECT action FROM audit_log WHERE detail LIKE '%Marigold%'").all()).results
  expect(await countReports()).toBe(1)
  expect((await entriesWithName()).map(({ action }) => action).sort()).toEqual([
    'order.refunded',
    'points.voided',
    'post.hidden',
    'supporter.banned',
  ])
  const file = await createExport(cookie)
  const downloadStatus = async () =>
    (await send('GET', `/api/admin/exports/${file.id}/file`, undefined, { at: NOON, headers: { cookie } })).status
  expect(await downloadStatus()).toBe(200)
  expect((await dumpStores()).match(new RegExp(PERSONAL_DATA, 'gi'))!.length).toBeGreaterThan(8)

  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  expect([await downloadStatus(), await countReports(), await entriesWithName()]).toEqual([404, 0, []])
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = ?").bind(NOON).run()
  await worker.scheduled({ scheduledTime: NOON, cron: '*/5 * * * *' } as ScheduledController, env as never)
  expect(await env.FILES.head('uploads/up_v')).toBe(null)
  await worker.scheduled({ scheduledTime: NOON + DAY_MS } as ScheduledController, env as never)

  expect(await dumpStores()).not.toMatch(PERSONAL_DATA)
  expect(await columnsWithUser(id)).toEqual(RETAINED_COLUMNS)
  const { keys } = await env.SESSIONS.list()
  const sessions = await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name)))
  expect(sessions.filter((session) => session?.includes(`"userId":${id},`))).toEqual([])
  const selectMatchCount = "SELECT count(*) AS n FROM supporter_search WHERE supporter_search MATCH 'marigold'"
  expect(await env.DB.prepare(selectMatchCount).first('n')).toBe(0)
  expect(await env.DB.prepare("SELECT votes FROM poll_options WHERE id = 'a'").first('votes')).toBe(2)
  expect(await env.DB.prepare("SELECT amount_cents AS cents FROM orders WHERE id = 'order_1'").first('cents')).toBe(
    1999,
  )
  // The gift order of the friend stays unchanged.
  expect(
    await env.DB.prepare("SELECT shipping_address AS address FROM orders WHERE id = 'order_f'").first('address'),
  ).toBe('{"line1":"9 Friend Way"}')
  expect(await env.DB.prepare('SELECT count(*) AS n FROM verse_submissions').first('n')).toBe(2)
  expect(await env.DB.prepare('SELECT points FROM users WHERE id = ?').bind(id).first('points')).toBe(
    POINTS.newsletter_signup + POINTS.poll_vote + POINTS.poll_created + POINTS.track_stream,
  )
  const { results: ledgerEntries } = await env.DB.prepare('SELECT description FROM ledger WHERE user_id = ?')
    .bind(voter.id)
    .all()
  expect(ledgerEntries).toEqual([{ description: 'Voted in a poll' }])
  expect(await env.DB.prepare('SELECT people FROM city_demand').first('people')).toBe(1)
  // The provider's customer is marked for deletion. Hashes of mailbox and phone record the used trial.
  expect(await env.DB.prepare('SELECT forget_wanted_at AS at FROM billing_customers').first('at')).toBe(NOON)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM trials_had').first('n')).toBe(2)
})

test('an open order keeps its address until delivery or refund', async () => {
  const { id } = await addNamedUser('buyer')
  const states = {
    unsent: "status = 'paid'",
    packed: "status = 'paid', fulfilment = 'packed'",
    shipped: "status = 'paid', fulfilment = 'shipped'",
    delivered: "status = 'paid', fulfilment = 'delivered'",
    owed: "status = 'expired', refund_wanted_at = 1",
    refunded: "status = 'refunded', refund_wanted_at = 1, refund_sent_at = 1",
  }
  for (const [name, set] of Object.entries(states))
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, user_id, email, shipping_address)
         SELECT ?1, id, 1, 1999, 1999, 'paid', ?2, ?2, ?3, 'gift@other.example', '{"line1":"3 Pier"}' FROM products LIMIT 1`,
      ).bind(name, NOON, id),
      env.DB.prepare(`UPDATE orders SET ${set} WHERE id = ?1`).bind(name),
      ...['refund', 'shipped'].map((kind) =>
        env.DB.prepare(
          `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
           VALUES (?1, ?1, ?2, 'gift@other.example', 's', 't', 'h', 'waiting', ?3)`,
        ).bind(`${kind}:${name}`, kind, NOON),
      ),
    ])
  const idsWithAddress = async () =>
    (
      await env.DB.prepare('SELECT id FROM orders WHERE user_id = ? AND shipping_address IS NOT NULL ORDER BY id')
        .bind(id)
        .all<{ id: string }>()
    ).results.map((order) => order.id)
  const runDailyJobs = (day: number) =>
    worker.scheduled({ scheduledTime: NOON + day * DAY_MS } as ScheduledController, env as never)
  const browser = await logInWithPassword('buyer', { at: NOON })
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  expect(await idsWithAddress()).toEqual(['owed', 'packed', 'shipped', 'unsent'])
  // Emails about payments or shipments in progress are still sent.
  const { results: waiting } = await env.DB.prepare(
    "SELECT dedupe_key AS key FROM outbox WHERE recipient = 'gift@other.example' ORDER BY key",
  ).all<{ key: string }>()
  expect(waiting.map(({ key }) => key)).toEqual(
    ['refund', 'shipped'].flatMap((kind) => ['owed', 'packed', 'shipped', 'unsent'].map((id) => `${kind}:${id}`)),
  )
  await env.DB.prepare("DELETE FROM outbox WHERE kind = 'refund'").run()
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = 3 WHERE kind = 'shipped'").run()
  await env.DB.prepare("UPDATE orders SET refund_sent_at = 2 WHERE id = 'owed'").run()
  await env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
     VALUES ('again', 'refund:owed', 'refund', 'gift@other.example', 's', 't', 'h', 'waiting', ?1)`,
  )
    .bind(NOON)
    .run()
  await env.DB.prepare("UPDATE orders SET fulfilment = 'delivered' WHERE id = 'packed'").run()
  await runDailyJobs(1)
  // The order `owed` keeps its address until its second refund email is sent.
  expect(await idsWithAddress()).toEqual(['owed', 'shipped', 'unsent'])
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = 3 WHERE id = 'again'").run()
  await runDailyJobs(2)
  expect(await idsWithAddress()).toEqual(['shipped', 'unsent'])
  await env.DB.prepare("UPDATE orders SET fulfilment = 'delivered' WHERE id = 'unsent'").run()
  await Promise.all([runDailyJobs(3), runDailyJobs(3)])
  // Without a delivery report, a shipment counts as delivered after thirty days.
  await runDailyJobs(29)
  expect(await idsWithAddress()).toEqual(['shipped'])
  await runDailyJobs(30)
  expect(await dumpStores()).not.toMatch(/3 Pier|gift@other/)
})

test('an export running during an erasure restarts without the user', async () => {
  const { id } = await addNamedUser('lily', { email: 'lily@pond.example' })
  const cookie = await cookieHeaderFor('administrator')
  const response = await send('POST', '/api/admin/exports', { kind: 'supporters' }, { at: NOON, headers: { cookie } })
  const file = await response.json<ExportFile>()
  // The export file is complete when the erasure runs.
  const erase = () => eraseUser({ db, secret: 'x'.repeat(32) }, { userId: id, byUserRequest: true }, NOON)
  const { DB } = spyOnD1(env.DB, {
    before: async (_, sql) => {
      if (sql.some((text) => text.includes('"sha256" = ?'))) await erase()
    },
  })
  await expect(runExport({ db: openDb(DB), files: env.FILES, origin: '' }, file.id, () => NOON)).rejects.toThrow(
    'taken this export',
  )
  const download = () => send('GET', `/api/admin/exports/${file.id}/file`, undefined, { at: NOON, headers: { cookie } })
  expect((await download()).status).toBe(404)
  expect(await runExport({ db, files: env.FILES, origin: '' }, file.id, () => NOON)).toBe(true)
  expect(await (await download()).text()).not.toContain('lily')
})
