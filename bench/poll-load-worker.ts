import { DurableObject } from 'cloudflare:workers'
import { createApp, newIsolateState } from '../worker/app'
import { createSession } from '../worker/auth/sessions'
import type { Env } from '../worker/env'
import { castVotes, type Vote } from '../worker/polls/vote'
import { type BatchedVoteResult, createVoteQueue } from '../worker/polls/vote-batcher'
import { voterId } from './vote-workloads'

// The parts of the poll load (bench/poll-load.ts) that run in workers. One process owns the database (the writer); the
// gateways take requests, check sessions and forward votes to it; the bars process sends a poll's counts to watchers.

export type PollLoadEnv = Env & {
  /** URL of the writer; set in gateways and in the bars process. */
  WRITER?: string
  BARS: DurableObjectNamespace<PollBarBroadcaster>
}

/** Equals `POLLS.watched` of bench/poll-load.ts. */
const WATCHED_POLL = 'bench-2'
/** One object per writer process, so that batches hold the votes of all gateways. */
const BATCHER_NAME = 'all-gateways'

const postJson = async <T>(url: string, body: string): Promise<T> => {
  const response = await fetch(url, { method: 'POST', body })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as T
}

/** The whole app, with votes cast by the writer instead of by this process's database. */
export function createGateway(writerUrl: string) {
  const submit = (votes: readonly Vote[]) => postJson<BatchedVoteResult[]>(`${writerUrl}/cast`, JSON.stringify(votes))
  const submitOne = async (vote: Vote) => {
    const [result] = await submit([vote])
    if (!result || typeof result === 'string') throw new Error(`The writer answered '${result}'.`)
    return result
  }
  const voteQueue = createVoteQueue(undefined, undefined, {
    cast: (_, vote) => submitOne(vote),
    retry: (_, vote) => submitOne(vote),
    castBatch: (_, __, votes) => submit(votes),
  })
  const isolate = { ...newIsolateState(), voteQueue }
  return createApp(undefined, undefined, () => isolate)
}

/** Creates sessions for every `step`th voter from `from` on in this process's KV; returns their tokens. */
export async function seedSessions({ SESSIONS }: Env, from: number, step: number, voters: number): Promise<string[]> {
  const tokens: string[] = []
  for (let first = from; first < voters; first += 50 * step) {
    const batch = Array.from({ length: 50 }, (_, i) => first + i * step).filter((voter) => voter < voters)
    const sessions = await Promise.all(
      batch.map((voter) => {
        const user = { userId: voterId(voter), epoch: 0, mailboxKey: `voter${voter + 1}@mail.example` }
        return createSession(SESSIONS, 'supporter', user, Date.now())
      }),
    )
    tokens.push(...sessions.map(({ token }) => token))
  }
  return tokens
}

/** Casts a gateway's votes in the writer, batched with those of other gateways. */
export async function castInWriter(env: Env, request: Request): Promise<Response> {
  return Response.json(await env.RUSH.getByName(BATCHER_NAME).submit((await request.json()) as Vote[]))
}

type WriterLoad = { poll: string; size: number; voters: number; seconds: number }

/** Casts votes in D1 alone, in batches of `size`, until all have voted or the time is over. */
export async function measureWriter({ DB }: Env, { poll, size, voters, seconds }: WriterLoad) {
  const votes = Array.from({ length: voters }, (_, voter) => ({
    session: { userId: voterId(voter), epoch: 0, sid: 'bench' },
    pollId: poll,
    optionId: `${poll}-${1 + (voter % 2)}`,
    mailboxHash: `${poll} ${voter}`,
    at: Date.now(),
  }))
  const startedAt = performance.now()
  let from = 0
  for (; from < voters && performance.now() - startedAt < seconds * 1000; from += size) {
    const results = await castVotes(DB, votes.slice(from, from + size))
    if (results.some(({ accepted }) => !accepted)) throw new Error('A vote was rejected.')
  }
  const cast = Math.min(from, voters)
  return { votes: cast, perSecond: (cast / (performance.now() - startedAt)) * 1000 }
}

/** Responds with the counts of the watched poll, which the Durable Objects send to watchers. */
export async function pollCounts({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare('SELECT id, votes AS voteCount FROM poll_options WHERE poll_id = ?1')
    .bind(WATCHED_POLL)
    .all()
  return Response.json({ options: results })
}

const SEND_INTERVAL_MS = 250

/** Durable Object that sends the writer's counts to its sockets four times a second. */
export class PollBarBroadcaster extends DurableObject<PollLoadEnv> {
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + SEND_INTERVAL_MS)
    return new Response(null, { status: 101, webSocket: client })
  }

  override async alarm(): Promise<void> {
    const sockets = this.ctx.getWebSockets()
    if (sockets.length === 0) return
    await this.ctx.storage.setAlarm(Date.now() + SEND_INTERVAL_MS)
    const counts = await (await fetch(`${this.env.WRITER}/poll-counts`)).text()
    for (const socket of sockets) socket.send(counts)
  }
}
