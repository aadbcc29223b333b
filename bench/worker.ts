import { type Context, Hono } from 'hono'
import { createApp, newIsolateState } from '../worker/app'
import type { Env } from '../worker/env'
import { checkConsistency } from './consistency'
import {
  firstByteTimes,
  measureQueryGrowth,
  measureQueueingRound,
  queueWithApp,
  seedBroadcastSubscribers,
  seedExportSubscribers,
  timeExport,
  timeRawUpload,
} from './data-workloads'
import {
  castInWriter,
  createGateway,
  measureWriter,
  type PollLoadEnv,
  pollCounts,
  seedSessions,
} from './poll-load-worker'
import {
  castDuplicateVotes,
  measureWatchedVotes,
  nextReadRequest,
  nextVoteRequest,
  rawHistory,
  rawPolls,
  rawRank,
  rawVote,
  rawVoteWithSession,
  seedHistories,
  seedVotersAndFloorTables,
  seedVotersAndPolls,
  votesOf,
} from './vote-workloads'

export { LivePoll } from '../worker/polls/live'
export { VoteBatcher } from '../worker/polls/vote-batcher'
export { PollBarBroadcaster } from './poll-load-worker'

// The whole app and its floors in one isolate and database. `/bench?path=&calls=` calls a path from inside: no load
// generator competes for the cores. `path` may have `?at-once=` (concurrency, 32 by default) and `limiter=memory`.

const app = createApp()
/** Has a new isolate state, so an empty response cache, for each request: every response is computed. */
const uncachedApp = createApp(undefined, undefined, () => newIsolateState())
// Log lines are not written: the caller would read them on the same cores, which costs three times as much as a vote.
console.log = () => {}
const floorApp = new Hono<{ Bindings: Env }>()
// Eighty more routes, so that the floor's router also has to search.
for (let i = 0; i < 80; i++) floorApp.get(`/floor/route-${i}/:id`, (c) => c.text(String(i)))
floorApp.get('/floor/hello', (c) => c.text('hello'))
floorApp.get('/floor/point-read', async (c) =>
  c.json(await c.env.DB.prepare('SELECT id, title FROM tracks WHERE id = 1').first()),
)
/** The home page, rendered once and then served as static bytes. */
let homePage: string | null = null
floorApp.get('/floor/page', async (c) => {
  homePage ??= await (await app.fetch(new Request('https://bench.example/'), c.env, c.executionCtx)).text()
  return c.html(homePage)
})
floorApp.get('/floor/vote', (c) => rawVote(c.env))
floorApp.get('/floor/vote-with-session', (c) => rawVoteWithSession(c.env))
floorApp.get('/floor/history', (c) => rawHistory(c.env))
floorApp.get('/floor/rank', (c) => rawRank(c.env))
floorApp.get('/floor/polls', (c) => rawPolls(c.env))

/** A limiter that counts calls per minute in memory, as Cloudflare's does. */
function memoryLimiter(max: number): RateLimit {
  const counts = new Map<string, number>()
  let minute = 0
  return {
    limit: async ({ key }) => {
      const now = Math.floor(Date.now() / 60_000)
      if (now !== minute) counts.clear()
      minute = now
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= max }
    },
  }
}
let memoryLimited: Env | null = null
/** The bindings with a limiter in memory. */
const withMemoryLimiter = (env: Env): Env => (memoryLimited ??= { ...env, LIMIT_WRITES: memoryLimiter(1_000_000) })
let gatewayApp: ReturnType<typeof createApp> | null = null

type BenchEnv = PollLoadEnv & { BULK_DB: D1Database; GROWTH_DB: D1Database }
type BenchContext = Context<{ Bindings: BenchEnv }>
const numberParam = (c: BenchContext, name: string) => Number(c.req.query(name))

/** Paths that the bench scripts call; `fetch` below passes paths under /api/ to the app. */
const benchRoutes = new Hono<{ Bindings: BenchEnv }>()
// The poll load.
benchRoutes.post('/cast', (c) => castInWriter(c.env, c.req.raw))
benchRoutes.get('/poll-counts', (c) => pollCounts(c.env))
benchRoutes.get('/poll-bars', (c) => c.env.BARS.getByName(c.req.query('name') ?? '').fetch(c.req.raw))
benchRoutes.get('/sessions', async (c) =>
  c.json(await seedSessions(c.env, numberParam(c, 'from'), numberParam(c, 'step'), numberParam(c, 'voters'))),
)
benchRoutes.get('/writer', async (c) =>
  c.json(
    await measureWriter(c.env, {
      poll: c.req.query('poll') ?? '',
      size: numberParam(c, 'size'),
      voters: numberParam(c, 'voters'),
      seconds: numberParam(c, 'seconds'),
    }),
  ),
)
// Votes.
benchRoutes.get('/voters-and-polls', async (c) =>
  c.json(
    await seedVotersAndPolls(c.env, numberParam(c, 'voters'), numberParam(c, 'polls'), c.req.query('sessions') !== '0'),
  ),
)
benchRoutes.get('/consistency', async (c) => c.json(await checkConsistency(c.env.DB)))
benchRoutes.get('/votes', async (c) => c.json(await votesOf(c.env.DB, numberParam(c, 'poll'))))
benchRoutes.get('/voters', async (c) => {
  await seedVotersAndFloorTables(c.env)
  await seedHistories(c.env)
  return c.json({})
})
benchRoutes.get('/duplicates', async (c) =>
  c.json(await castDuplicateVotes(40, async (vote) => app.fetch(vote, c.env, c.executionCtx))),
)
benchRoutes.get('/watched', async (c) =>
  c.json(
    await measureWatchedVotes(c.env, numberParam(c, 'sockets'), async (vote) =>
      app.fetch(vote, withMemoryLimiter(c.env), c.executionCtx),
    ),
  ),
)
// Broadcasts, exports and the growth of queries.
benchRoutes.get('/growth', async (c) => c.json(await measureQueryGrowth(c.env.GROWTH_DB)))
benchRoutes.get('/broadcast-subscribers', async (c) => {
  await seedBroadcastSubscribers(c.env.BULK_DB, numberParam(c, 'recipients'))
  return c.json({})
})
benchRoutes.get('/queue-once', async (c) =>
  c.json(await measureQueueingRound(c.env.BULK_DB, numberParam(c, 'recipients'), numberParam(c, 'round'))),
)
benchRoutes.get('/queue', async (c) => c.json(await queueWithApp(c.env.BULK_DB, numberParam(c, 'recipients'))))
benchRoutes.get('/rows', async (c) => {
  await seedExportSubscribers(c.env.BULK_DB, numberParam(c, 'rows'))
  return c.json({})
})
benchRoutes.get('/export', async (c) => c.json(await timeExport(c.env.BULK_DB, c.env.FILES, numberParam(c, 'rows'))))
benchRoutes.get('/first-bytes', async (c) =>
  c.json(
    await firstByteTimes({ ...c.env, DB: c.env.BULK_DB }, numberParam(c, 'rows'), 20, async (request, bindings) =>
      app.fetch(request, bindings, c.executionCtx),
    ),
  ),
)
benchRoutes.get('/raw', async (c) => c.json(await timeRawUpload(c.env.FILES, numberParam(c, 'bytes'))))
benchRoutes.get('/bench', async (c) => {
  const calls = numberParam(c, 'calls')
  const { pathname, searchParams } = new URL(c.req.query('path') ?? '/floor/hello', 'https://bench.example')
  const target = pathname.startsWith('/floor/') ? floorApp : pathname.startsWith('/uncached/') ? uncachedApp : app
  const nextRequest = requestFactory(pathname)
  const bindings = searchParams.get('limiter') === 'memory' ? withMemoryLimiter(c.env) : c.env
  let started = 0
  let failed = 0
  const callOnce = async () => {
    const response = await target.fetch(nextRequest(), bindings, c.executionCtx)
    await response.arrayBuffer()
    if (!response.ok) failed += 1
  }
  const callUntilDone = async () => {
    while (started++ < calls) await callOnce()
  }
  await Promise.all(Array.from({ length: Number(searchParams.get('at-once') ?? 32) }, callUntilDone))
  return c.json({ failed })
})

/** `/vote` is the next vote; `/authenticated/` and `/uncached/` before a path add a session or skip the cache. */
function requestFactory(pathname: string): () => Request {
  if (pathname === '/vote') return nextVoteRequest
  if (pathname.startsWith('/authenticated/')) return () => nextReadRequest(pathname.slice('/authenticated'.length))
  return () => new Request(`https://bench.example${pathname.replace('/uncached/', '/')}`)
}

export default {
  async fetch(request, env, context) {
    // Called over a socket by scripts/races/vote-load.ts and by poll-load.ts, whose gateways have a writer.
    if (!new URL(request.url).pathname.startsWith('/api/')) return benchRoutes.fetch(request, env, context)
    if (env.WRITER) gatewayApp ??= createGateway(env.WRITER)
    return (gatewayApp ?? app).fetch(request, withMemoryLimiter(env), context)
  },
} satisfies ExportedHandler<BenchEnv>
