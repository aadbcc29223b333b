import { Hono } from 'hono'
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
// Log lines are not written: the harness would read them on the same cores, which costs three times as much as a vote.
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
let envWithMemoryLimiter: Env | null = null
let gatewayApp: ReturnType<typeof createApp> | null = null

/** Responds to a request of the poll load; null for other requests. */
async function handlePollLoad(request: Request, env: PollLoadEnv): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  const numberParam = (name: string) => Number(searchParams.get(name))
  if (pathname === '/cast') return castInWriter(env, request)
  if (pathname === '/poll-counts') return pollCounts(env)
  if (pathname === '/poll-bars') return env.BARS.getByName(searchParams.get('name') ?? '').fetch(request)
  if (pathname === '/sessions')
    return Response.json(await seedSessions(env, numberParam('from'), numberParam('step'), numberParam('voters')))
  if (pathname === '/writer')
    return Response.json(
      await measureWriter(env, {
        poll: searchParams.get('poll') ?? '',
        size: numberParam('size'),
        voters: numberParam('voters'),
        seconds: numberParam('seconds'),
      }),
    )
  return null
}

/** `/vote` is the next vote; `/authenticated/` and `/uncached/` before a path add a session or skip the cache. */
function requestFactory(pathname: string): () => Request {
  if (pathname === '/vote') return nextVoteRequest
  if (pathname.startsWith('/authenticated/')) return () => nextReadRequest(pathname.slice('/authenticated'.length))
  return () => new Request(`https://bench.example${pathname.replace('/uncached/', '/')}`)
}

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url)
    envWithMemoryLimiter ??= { ...env, LIMIT_WRITES: memoryLimiter(1_000_000) }
    const memoryLimited = envWithMemoryLimiter
    const pollLoadResponse = await handlePollLoad(request, env)
    if (pollLoadResponse) return pollLoadResponse
    if (env.WRITER && url.pathname.startsWith('/api/')) {
      gatewayApp ??= createGateway(env.WRITER)
      return gatewayApp.fetch(request, memoryLimited, context)
    }
    // Called over a socket by scripts/races/vote-load.ts.
    if (url.pathname.startsWith('/api/')) return app.fetch(request, memoryLimited, context)
    if (url.pathname === '/voters-and-polls')
      return Response.json(
        await seedVotersAndPolls(
          env,
          Number(url.searchParams.get('voters')),
          Number(url.searchParams.get('polls')),
          url.searchParams.get('sessions') !== '0',
        ),
      )
    if (url.pathname === '/consistency') return Response.json(await checkConsistency(env.DB))
    if (url.pathname === '/votes') return Response.json(await votesOf(env.DB, Number(url.searchParams.get('poll'))))
    if (url.pathname === '/voters') {
      await seedVotersAndFloorTables(env)
      await seedHistories(env)
      return Response.json({})
    }
    if (url.pathname === '/growth') return Response.json(await measureQueryGrowth(env.GROWTH_DB))
    const recipients = Number(url.searchParams.get('recipients'))
    if (url.pathname === '/broadcast-subscribers') {
      await seedBroadcastSubscribers(env.BULK_DB, recipients)
      return Response.json({})
    }
    if (url.pathname === '/queue-once')
      return Response.json(await measureQueueingRound(env.BULK_DB, recipients, Number(url.searchParams.get('round'))))
    if (url.pathname === '/queue') return Response.json(await queueWithApp(env.BULK_DB, recipients))
    const rows = Number(url.searchParams.get('rows'))
    if (url.pathname === '/rows') {
      await seedExportSubscribers(env.BULK_DB, rows)
      return Response.json({})
    }
    if (url.pathname === '/export') return Response.json(await timeExport(env.BULK_DB, env.FILES, rows))
    if (url.pathname === '/first-bytes')
      return Response.json(
        await firstByteTimes({ ...env, DB: env.BULK_DB }, rows, 20, async (request, bindings) =>
          app.fetch(request, bindings, context),
        ),
      )
    if (url.pathname === '/raw')
      return Response.json(await timeRawUpload(env.FILES, Number(url.searchParams.get('bytes'))))
    if (url.pathname === '/duplicates')
      return Response.json(await castDuplicateVotes(40, async (vote) => app.fetch(vote, env, context)))
    if (url.pathname === '/watched')
      return Response.json(
        await measureWatchedVotes(env, Number(url.searchParams.get('sockets')), async (vote) =>
          app.fetch(vote, memoryLimited, context),
        ),
      )
    if (url.pathname !== '/bench') return new Response(null, { status: 404 })
    const path = url.searchParams.get('path') ?? '/floor/hello'
    const calls = Number(url.searchParams.get('calls'))
    const { pathname, searchParams } = new URL(path, 'https://bench.example')
    const target = pathname.startsWith('/floor/') ? floorApp : pathname.startsWith('/uncached/') ? uncachedApp : app
    const nextRequest = requestFactory(pathname)
    const bindings = searchParams.get('limiter') === 'memory' ? memoryLimited : env
    let started = 0
    let failed = 0
    const callOnce = async () => {
      const response = await target.fetch(nextRequest(), bindings, context)
      await response.arrayBuffer()
      if (!response.ok) failed += 1
    }
    const callUntilDone = async () => {
      while (started++ < calls) await callOnce()
    }
    await Promise.all(Array.from({ length: Number(searchParams.get('at-once') ?? 32) }, callUntilDone))
    return Response.json({ failed })
  },
} satisfies ExportedHandler<PollLoadEnv & { BULK_DB: D1Database; GROWTH_DB: D1Database }>
