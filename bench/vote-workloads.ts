import { createSession, readSession } from '../worker/auth/sessions'
import { LiveCounts, pollsApi } from '../worker/contract/polls'
import type { Env } from '../worker/env'
import type { WatchedVotes } from './comparisons'

// Votes and reads of logged-in users, and their floors. The floor of a vote is one raw D1 batch of five statements that
// writes the same rows into tables without triggers.

const VOTERS = 2_000
const POLLS = 150
const FLOOR_TABLES = ['users', 'polls', 'poll_options', 'poll_votes', 'poll_mailboxes', 'ledger']

/** Session cookies of the voters, by voter index. */
let cookies: string[] = []
/** Number of votes cast by each side; selects the next voter and poll, so that no user votes twice in a poll. */
const voteCounts: Record<string, number> = {}

const NUMBERS_CTE = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'

/** Adds voters and open polls; returns session tokens in the voters' order, none without `withSessions`. */
export async function seedVotersAndPolls(
  { DB, SESSIONS }: Env,
  voters: number,
  polls: number,
  withSessions = true,
): Promise<string[]> {
  const end = Date.now() + 86_400_000
  await DB.batch([
    DB.prepare(`${NUMBERS_CTE} INSERT INTO users (id, username, username_key, email, email_key, mailbox_key, email_verified_at, created_at, last_active_at)
      SELECT 5000000 + i, name, name, address, address, address, 0, 0, 0 FROM (
        SELECT i, 'voter' || CAST(i AS INTEGER) AS name, 'voter' || CAST(i AS INTEGER) || '@mail.example' AS address FROM n)`).bind(
      voters,
    ),
    DB.prepare(`${NUMBERS_CTE} INSERT INTO polls (id, title, ends_at, created_at)
      SELECT 'bench-' || CAST(i AS INTEGER), 'A poll', ?2, 0 FROM n`).bind(polls, end),
    DB.prepare(`INSERT INTO poll_options (id, poll_id, title, position)
      SELECT p.id || '-' || o.value, p.id, o.value, o.value FROM polls p JOIN json_each('[1,2]') o WHERE p.id GLOB 'bench-*'`),
  ])
  const tokens: string[] = []
  for (let from = 0; withSessions && from < voters; from += 50) {
    const batch = Array.from({ length: Math.min(50, voters - from) }, (_, i) => ({
      userId: voterId(from + i),
      epoch: 0,
      mailboxKey: `voter${from + i + 1}@mail.example`,
    }))
    const sessions = await Promise.all(batch.map((user) => createSession(SESSIONS, 'supporter', user, Date.now())))
    tokens.push(...sessions.map(({ token }) => token))
  }
  return tokens
}

/** Adds voters and polls, and copies them into the floor's tables. */
export async function seedVotersAndFloorTables(env: Env): Promise<void> {
  cookies = (await seedVotersAndPolls(env, VOTERS, POLLS)).map((token) => `__Host-session=${token}`)
  const { DB } = env
  const { results } = await DB.prepare(
    "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?1)) ORDER BY type DESC",
  )
    .bind(JSON.stringify(FLOOR_TABLES))
    .all<{ sql: string }>()
  await DB.batch([
    ...results.map(({ sql }) => DB.prepare(toFloorSql(sql))),
    ...['users', 'polls', 'poll_options'].map((name) => DB.prepare(`INSERT INTO floor_${name} SELECT * FROM ${name}`)),
  ])
}

/** Renames a table or index, and the tables it references, to `floor_<name>`. */
const toFloorSql = (sql: string) =>
  sql
    .replace(/["`](\w+)["`]\./g, '')
    .replace(/(TABLE|INDEX|ON|REFERENCES) ["`](\w+)["`]/g, (_, word, name) => `${word} floor_${name}`)

function nextVote(side: 'app' | 'floor'): { voter: number; poll: string; option: string } {
  const count = voteCounts[side] ?? 0
  voteCounts[side] = count + 1
  if (count >= VOTERS * POLLS) throw new Error('Every user has voted in every poll.')
  const poll = `bench-${1 + Math.floor(count / VOTERS)}`
  return { voter: count % VOTERS, poll, option: `${poll}-${1 + (count % 2)}` }
}

/** User id of the voter with this index. */
export const voterId = (voter: number) => 5_000_001 + voter

/** A GET request, or with `json` a POST request, with the headers a browser sends. */
function voterRequest(voter: number, path: string, json?: unknown): Request {
  const headers = { origin: 'https://bench.example', cookie: cookies[voter] ?? '' }
  if (json === undefined) return new Request(`https://bench.example${path}`, { headers })
  const body = JSON.stringify(json)
  return new Request(`https://bench.example${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': String(body.length) },
    body,
  })
}
const voteRequest = (voter: number, poll: string, optionId: string) =>
  voterRequest(voter, pollsApi.vote.path.replace(':pollId', poll), { optionId })

export function nextVoteRequest(): Request {
  const { voter, poll, option } = nextVote('app')
  return voteRequest(voter, poll, option)
}

/** The id of the next poll without votes; later calls of `nextVote` skip it. */
function takeUnusedPoll(): string {
  const poll = 1 + Math.ceil((voteCounts.app ?? 0) / VOTERS)
  voteCounts.app = poll * VOTERS
  return `bench-${poll}`
}

const voteRequests = (poll: string, count: number): Request[] =>
  Array.from({ length: count }, (_, voter) => voteRequest(voter, poll, `${poll}-${1 + (voter % 2)}`))

/** The number of the option that each voter of a poll chose, '1' or '2', by voter index. */
export async function votesOf(db: D1Database, poll: number): Promise<Record<number, string>> {
  const { results } = await db
    .prepare('SELECT user_id - ?2 AS voter, option_id AS option FROM poll_votes WHERE poll_id = ?1')
    .bind(`bench-${poll}`, voterId(0))
    .all<{ voter: number; option: string }>()
  return Object.fromEntries(results.map(({ voter, option }) => [voter, option.at(-1) ?? '']))
}

/** The floor of a vote: five raw writes in one round trip. */
export async function rawVote({ DB }: Env): Promise<Response> {
  const { voter, poll, option } = nextVote('floor')
  const user = voterId(voter)
  const now = Date.now()
  await DB.batch([
    DB.prepare('INSERT INTO floor_poll_mailboxes (poll_id, hash, user_id) VALUES (?1, ?2, ?3)').bind(
      poll,
      crypto.randomUUID(),
      user,
    ),
    DB.prepare(
      'INSERT INTO floor_poll_votes (poll_id, user_id, option_id, cast_at, counted_at) VALUES (?1, ?2, ?3, ?4, ?4)',
    ).bind(poll, user, option, now),
    DB.prepare('UPDATE floor_poll_options SET votes = votes + 1 WHERE poll_id = ?1 AND id = ?2').bind(poll, option),
    DB.prepare(
      `INSERT INTO floor_ledger (user_id, action, key, description, points, created_at) VALUES (?1, 'poll_vote', ?2, 'Voted', 10, ?3)`,
    ).bind(user, `poll_vote:${poll}`, now),
    DB.prepare('UPDATE floor_users SET points = points + 10 WHERE id = ?1').bind(user),
  ])
  return new Response(null, { status: 204 })
}

/** The floor plus reading the voter's session from KV, as every vote must: the highest speed that a vote can reach. */
export async function rawVoteWithSession(env: Env): Promise<Response> {
  const token = cookies[(voteCounts.floor ?? 0) % VOTERS]?.split('=')[1]
  if (!(await readSession(env.SESSIONS, 'supporter', token, Date.now()))) throw new Error('A voter has no session.')
  return rawVote(env)
}

/** Each of `voters` users sends one vote fifty times concurrently; returns the number of responses by status. */
export async function castDuplicateVotes(
  voters: number,
  send: (request: Request) => Promise<Response>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (let i = 0; i < voters; i++) {
    const { voter, poll, option } = nextVote('app')
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(voteRequest(voter, poll, option))))
    for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const WATCHED_POLL_VOTES = 1_500
const CONCURRENCY = 32

/** Casts votes in a new poll while `sockets` users watch it. @throws Error if a vote or the last count is lost. */
export async function measureWatchedVotes(
  { LIVE }: Env,
  sockets: number,
  send: (request: Request) => Promise<Response>,
): Promise<WatchedVotes> {
  const poll = takeUnusedPoll()
  const open = Array.from({ length: sockets }, (_, viewer) => openLiveSocket(LIVE, poll, viewer))
  const watching = await Promise.all(open)
  const requests = voteRequests(poll, WATCHED_POLL_VOTES)
  const startedAt = performance.now()
  const castRemaining = async () => {
    for (let request = requests.pop(); request; request = requests.pop()) {
      const response = await send(request)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A vote in a watched poll failed: ${response.status}.`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, castRemaining))
  const perSecond = (WATCHED_POLL_VOTES / (performance.now() - startedAt)) * 1000
  // The Durable Object broadcasts at intervals, so the last count arrives a little later.
  for (let attempt = 0; attempt < 100 && !watching.every(({ total }) => total() === WATCHED_POLL_VOTES); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const incomplete = watching.filter(({ total }) => total() !== WATCHED_POLL_VOTES).length
  if (incomplete > 0) throw new Error(`${incomplete} of ${sockets} sockets did not receive the last count.`)
  for (const { socket } of watching) socket.close()
  return { perSecond }
}

/** Opens a socket of a poll's live counts; `total` returns the votes in the last message. */
async function openLiveSocket(live: Env['LIVE'], poll: string, viewer: number) {
  const params = new URLSearchParams({ poll, userId: String(voterId(viewer)), epoch: '0', sid: '' })
  const response = await live.getByName(poll).fetch(`https://live/?${params}`, { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket
  if (!socket) throw new Error(`A socket was rejected: ${response.status}.`)
  let total = 0
  socket.addEventListener('message', ({ data }) => {
    total = LiveCounts.parse(JSON.parse(String(data))).options.reduce((sum, { voteCount }) => sum + voteCount, 0)
  })
  socket.accept()
  return { socket, total: () => total }
}

// Signed-in reads and their floors: the same rows in one raw round trip, without session or schema.

const READING_USERS = 50
let requestCount = 0
const nextUser = () => requestCount++ % READING_USERS

/** Adds sixty ledger entries per reading user, more than a page. */
export async function seedHistories({ DB }: Env): Promise<void> {
  await DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 * 60 - 1)
     INSERT INTO ledger (user_id, action, key, description, points, created_at)
     SELECT ?2 + i % ?1, 'community_post', 'community_post:bench-' || CAST(i AS INTEGER), 'Posted in the community', 15, i FROM n`,
  )
    .bind(READING_USERS, voterId(0))
    .run()
}

export const nextReadRequest = (path: string) => voterRequest(nextUser(), path)

export async function rawHistory({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare(
    `SELECT id, action, description, points, created_at FROM ledger WHERE user_id = ?1
     ORDER BY created_at DESC, id DESC LIMIT 50`,
  )
    .bind(voterId(nextUser()))
    .all()
  return Response.json(results)
}

export async function rawRank({ DB }: Env): Promise<Response> {
  const [top, rank] = await DB.batch([
    DB.prepare(
      `SELECT username, points FROM users WHERE role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0
       AND banned_at IS NULL AND erased_at IS NULL ORDER BY points DESC, id LIMIT 50`,
    ),
    DB.prepare(
      `SELECT points, 1 + (SELECT coalesce(sum(people), 0) FROM standings s WHERE s.points > users.points) AS rank
       FROM users WHERE id = ?1`,
    ).bind(voterId(nextUser())),
  ])
  return Response.json({ entries: top?.results, me: rank?.results[0] })
}

export async function rawPolls({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare(
    `SELECT p.id, p.title, p.description, p.ends_at, o.id AS option_id, o.title AS option_title, o.votes, v.option_id AS mine
     FROM (SELECT * FROM polls WHERE ends_at > ?1 AND hidden_at IS NULL ORDER BY ends_at, id LIMIT 50) p
     JOIN poll_options o ON o.poll_id = p.id LEFT JOIN poll_votes v ON v.poll_id = p.id AND v.user_id = ?2`,
  )
    .bind(Date.now(), voterId(nextUser()))
    .all()
  return Response.json(results)
}
