import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { callerBinds, createSession } from '../worker/auth/sessions'
import { enqueueRecipientPage, type RecipientCursor } from '../worker/broadcasts/send'
import { FEED_SQL } from '../worker/community/posts'
import { exportsApi } from '../worker/contract/exports'
import { openDb } from '../worker/db/client'
import { listStatement } from '../worker/db/list'
import type { Env } from '../worker/env'
import { runExport } from '../worker/exports/exports'
import { limits } from '../worker/limits'
import { SELECT_MISSIONS } from '../worker/missions/missions'
import { SELECT_RANK, SELECT_TOP } from '../worker/points/leaderboard'
import { SELECT_HISTORY } from '../worker/points/points'
import { POLL_COUNTS } from '../worker/polls/live'
import { SELECT_ACTIVE_POLLS } from '../worker/polls/polls'
import { INSERT_MAILBOXES, INSERT_VOTES, serializeVotes, VOTE_OUTCOMES } from '../worker/polls/vote'
import { addLoadUsers, openLoadPoll } from '../worker/testing/seed'
import { supporterList } from '../worker/users/admin-list'

/** Replaces the newsletter's subscribers with `rows` new ones, for exports. */
export async function seedExportSubscribers(db: D1Database, rows: number): Promise<void> {
  await db.prepare('DELETE FROM subscribers').run()
  for (let from = 0; from < rows; from += 100_000)
    await db
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
         SELECT 'row_' || CAST(i AS INTEGER), 'reader' || CAST(i AS INTEGER) || '@mail.example',
           'reader' || CAST(i AS INTEGER) || '@mail.example', 'confirmed', '2026-11', i, i, i FROM n`,
      )
      .bind(from, Math.min(rows, from + 100_000))
      .run()
}

export type WriteTime = { bytes: number; millis: number }

/** Times one export of `rows` subscribers, run as the queue consumer runs it, and deletes its file. */
export async function timeExport(db: D1Database, files: R2Bucket, rows: number): Promise<WriteTime> {
  const { id, ...writeTime } = await createExport(db, files, rows)
  await files.delete(`exports/${id}.csv`)
  return writeTime
}

/** Runs an export and leaves its file in R2. @throws Error if it fails or has another number of rows. */
async function createExport(db: D1Database, files: R2Bucket, rows: number): Promise<WriteTime & { id: string }> {
  const id = `bench-${crypto.randomUUID()}`
  await db.batch([
    db.prepare(
      `INSERT INTO users (username, username_key, role, created_at, last_active_at)
       VALUES ('exporter', 'exporter', 'administrator', 0, 0) ON CONFLICT DO NOTHING`,
    ),
    db
      .prepare(
        `INSERT INTO exports (id, kind, requested_by, requested_at)
         SELECT ?1, 'newsletter', id, 0 FROM users WHERE username_key = 'exporter'`,
      )
      .bind(id),
  ])
  const startedAt = performance.now()
  await runExport({ db: openDb(db), files, origin: '' }, id, Date.now)
  const millis = performance.now() - startedAt
  const stored = await db
    .prepare('SELECT state, rows, size_bytes AS bytes FROM exports WHERE id = ?1')
    .bind(id)
    .first<{ state: string; rows: number; bytes: number }>()
  if (stored?.state !== 'ready' || stored.rows !== rows)
    throw new Error(`The export ended as ${stored?.state} with ${stored?.rows} of ${rows} rows.`)
  return { id, bytes: stored.bytes, millis }
}

/** Milliseconds from an admin's request for a finished export file to its first bytes, measured `times` times. */
export async function firstByteTimes(
  env: Env,
  rows: number,
  times: number,
  send: (request: Request, env: Env) => Promise<Response>,
): Promise<number[]> {
  const { id } = await createExport(env.DB, env.FILES, rows)
  const exporter = await env.DB.prepare("SELECT id FROM users WHERE username_key = 'exporter'").first<{ id: number }>()
  const payload = { userId: exporter?.id ?? 0, epoch: 0 }
  const { token } = await createSession(env.SESSIONS, 'administrator', payload, Date.now())
  const address = `https://bench.example${exportsApi.file.path.replace(':id', id)}`
  const durations: number[] = []
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now()
    const response = await send(new Request(address, { headers: { cookie: `__Host-admin=${token}` } }), env)
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    if (response.status !== 200 || !value?.length)
      throw new Error(`The export file could not be read: ${response.status}.`)
    durations.push(performance.now() - startedAt)
    await reader?.cancel()
  }
  await env.FILES.delete(`exports/${id}.csv`)
  return durations
}

/** The floor for timeExport: times uploading the same number of raw bytes in parts of the same size. */
export async function timeRawUpload(files: R2Bucket, bytes: number): Promise<WriteTime> {
  const part = new Uint8Array(5 * 1024 * 1024)
  const startedAt = performance.now()
  const upload = await files.createMultipartUpload('bench/raw')
  const sent: R2UploadedPart[] = []
  for (let left = bytes; left > 0; left -= part.length)
    sent.push(await upload.uploadPart(sent.length + 1, part.slice(0, Math.min(left, part.length))))
  await upload.complete(sent)
  const millis = performance.now() - startedAt
  await files.delete('bench/raw')
  return { bytes, millis }
}

/** Recipients queued per second: by the app's own code, the floor, and the floor measured a second time. */
export type QueueingTimes = { app: number; floor: number; repeatedFloor: number }

const PAGE_SIZE = limits.broadcastPageSize

/** Replaces the newsletter's subscribers, for broadcasts; ids sort in order of creation. */
export async function seedBroadcastSubscribers(db: D1Database, recipients: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM subscribers'),
    db
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
         SELECT printf('sub_%07d', i), 'reader' || CAST(i AS INTEGER) || '@mail.example',
           'reader' || CAST(i AS INTEGER) || '@mail.example', 'confirmed', 'v', 0, 0, 0 FROM n`,
      )
      .bind(recipients),
  ])
}

/** Measures one round: the app's own code, with the floor before and after it. */
export async function measureQueueingRound(db: D1Database, recipients: number, round: number): Promise<QueueingTimes> {
  const floor = await measureQueueing(db, recipients, `floor-${round}`, enqueueRaw)
  const app = await measureQueueing(db, recipients, `app-${round}`, enqueueWithApp)
  const repeatedFloor = await measureQueueing(db, recipients, `repeated-floor-${round}`, enqueueRaw)
  return { app, floor, repeatedFloor }
}

/** Queues with the app's own code alone, for measuring memory; returns recipients queued per second. */
export const queueWithApp = (db: D1Database, recipients: number): Promise<number> =>
  measureQueueing(db, recipients, 'memory', enqueueWithApp)

type EnqueueAll = (db: D1Database, id: string, recipients: number) => Promise<void>

/** Returns recipients queued per second. @throws Error if a recipient was not queued. */
async function measureQueueing(
  db: D1Database,
  recipients: number,
  id: string,
  enqueueAll: EnqueueAll,
): Promise<number> {
  await db
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, origin, state, created_at)
       VALUES (?1, 'New drop', '', 't', 'h', 'all', 'https://bench.example', 'sending', 0)`,
    )
    .bind(id)
    .run()
  const startedAt = performance.now()
  await enqueueAll(db, id, recipients)
  const millis = performance.now() - startedAt
  const row = await db
    .prepare('SELECT count(DISTINCT recipient) AS n FROM outbox WHERE broadcast_id = ?1')
    .bind(id)
    .first<{ n: number }>()
  if (row?.n !== recipients) throw new Error(`${id}: ${row?.n} of ${recipients} recipients were queued.`)
  await db.batch([
    db.prepare('DELETE FROM outbox WHERE broadcast_id = ?1').bind(id),
    db.prepare('DELETE FROM broadcasts WHERE id = ?1').bind(id),
  ])
  return (recipients / millis) * 1000
}

const enqueueWithApp: EnqueueAll = async (db, id) => {
  const sending: RecipientCursor = { id, subject: 'New drop', audience: 'all', key: null, isEnqueued: 0, cursor: '' }
  while (!sending.isEnqueued) await enqueueRecipientPage(openDb(db), sending, 0)
}

/**
 * The floor for enqueueWithApp: writes the same rows in pages of the same size, with one statement per page and
 * without cursor, state and recovery.
 */
const enqueueRaw: EnqueueAll = async (db, id, recipients) => {
  const statement = db.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, created_at, queued_at)
     SELECT 'mail_' || lower(hex(randomblob(15))), 'broadcast:' || ?1 || ':' || email_key, 'broadcast', email,
       'New drop', '', '', ?1, 0, 0 FROM subscribers WHERE id > ?2 AND id <= ?3`,
  )
  const subscriberId = (n: number) => `sub_${String(n).padStart(7, '0')}`
  for (let from = 0; from < recipients; from += PAGE_SIZE)
    await statement.bind(id, subscriberId(from), subscriberId(from + PAGE_SIZE)).run()
}

/** A query's time and rows read at each of USER_COUNTS. `passed`: the rows grew at most by the factor `maxRatio`. */
export type QueryGrowth = { label: string; micros: number[]; rows: number[]; maxRatio: number; passed: boolean }

const USER_COUNTS = [10_000, 100_000, 1_000_000]
/** Largest allowed ratio of rows read at the largest size to rows read at the smallest. */
const MAX_RATIO = 1.2
const REPEATS = 100

/** Has few points and a hundred ledger entries, close to the worst case for READ_QUERIES. */
const WORST_CASE_USER = { userId: 1, epoch: 0, sid: '' }
const worstCaseCaller = callerBinds(WORST_CASE_USER)
/** Each measured vote comes from the next user. */
const FIRST_VOTER_ID = 2

const supporterSearch = new SQLiteAsyncDialect().sqlToQuery(
  listStatement(supporterList, { q: 'fan4999', sort: null, cursor: null, filters: {} }),
)

const READ_QUERIES: Record<string, readonly [sql: string, binds: readonly unknown[]]> = {
  'the fifty leaders': [SELECT_TOP, []],
  'caller’s rank': [SELECT_RANK, worstCaseCaller],
  'points history, a page': [SELECT_HISTORY, [...worstCaseCaller, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 2]],
  'polls and their counts': [SELECT_ACTIVE_POLLS, [...worstCaseCaller, 1]],
  'missions and progress': [SELECT_MISSIONS, [...worstCaseCaller, 1]],
  'the newest posts': [FEED_SQL, [...worstCaseCaller, Number.MAX_SAFE_INTEGER, '']],
  'a supporter found by name': [supporterSearch.sql, supporterSearch.params],
  'live counts of a poll': [POLL_COUNTS, ['load-poll']],
}

/** Measures how the cost of each frequent query grows with the number of users. */
export async function measureQueryGrowth(db: D1Database): Promise<QueryGrowth[]> {
  await openLoadPoll(db, 1_000_000_000)
  await db.batch([
    db.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO users (id, username, username_key, created_at, last_active_at)
      SELECT i, 'fan' || CAST(i AS INTEGER), 'fan' || CAST(i AS INTEGER), 0, 0 FROM n`),
    db.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO ledger (user_id, action, key, description, points, created_at)
      SELECT 1, 'community_post', 'community_post:' || i, 'Posted', 1, i FROM n`),
    db.prepare(`INSERT INTO missions (id, title, description, points, action, target, position)
      VALUES ('votes', 'Vote', '', 5, 'poll_vote', 3, 1)`),
  ])
  const results: Record<string, Pick<QueryGrowth, 'micros' | 'rows'>> = {}
  let userCount = 0
  let nextVoterId = FIRST_VOTER_ID
  for (const size of USER_COUNTS) {
    await addLoadUsers(db, userCount, size)
    userCount = size
    for (const [label, [sql, binds]] of Object.entries(READ_QUERIES))
      record(label, await measure(Array.from({ length: REPEATS }, () => db.prepare(sql).bind(...binds))))
    const votes = Array.from({ length: REPEATS }, () => {
      const session = { ...WORST_CASE_USER, userId: nextVoterId++ }
      const votesJson = serializeVotes([
        { session, pollId: 'load-poll', optionId: 'load-poll-a', mailboxHash: null, at: 2 },
      ])
      return [INSERT_MAILBOXES, INSERT_VOTES, VOTE_OUTCOMES].map((sql) => db.prepare(sql).bind(votesJson))
    })
    record('a vote and its outcome', await measure(votes.flat()))
  }
  return Object.entries(results).map(([label, { micros, rows }]) => ({
    label,
    micros,
    rows,
    maxRatio: MAX_RATIO,
    passed: (rows.at(-1) ?? Number.NaN) <= MAX_RATIO * (rows[0] ?? Number.NaN),
  }))

  function record(label: string, { micros, rows }: { micros: number; rows: number }) {
    const row = results[label] ?? { micros: [], rows: [] }
    results[label] = { micros: [...row.micros, micros], rows: [...row.rows, rows] }
  }
  /** Mean time and rows read of one repetition; all run in one round trip. */
  async function measure(statements: D1PreparedStatement[]) {
    const startedAt = performance.now()
    const responses = await db.batch(statements)
    const micros = ((performance.now() - startedAt) * 1000) / REPEATS
    return { micros, rows: responses.reduce((sum, { meta }) => sum + meta.rows_read, 0) / REPEATS }
  }
}
