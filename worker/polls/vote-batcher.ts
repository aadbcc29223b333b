import { DurableObject } from 'cloudflare:workers'
import { isOverloaded } from '../db/client'
import { type Bookmark, primarySession } from '../db/replicas'
import type { Env } from '../env'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { logError } from '../lib/log'
import { withTimeout } from '../lib/timeout'
import { limits } from '../limits'
import { castVote, castVotes, retryVote, type Vote, type VoteResult } from './vote'

/** A vote that reached D1. The bookmark is null if it was cast through the request's own database session. */
export type CastVote = { result: VoteResult; bookmark: Bookmark | null }
/**
 * `busy`: the queue is full or the database overloaded, and the vote was not cast. `failed`: the database threw, and a
 * retry shows whether the vote was stored. `unknown`: the same, but the database is overloaded, so a retry must wait.
 */
export type BatchedVoteResult = CastVote | 'busy' | 'failed' | 'unknown'

type QueuedVote = { vote: Vote; resolve: (result: BatchedVoteResult) => void }

/**
 * Durable Object that casts the votes of a busy poll in batches, from all isolates: votes that arrive during one batch
 * form the next. It stores nothing; D1 alone decides, so votes lost with the object can be cast again.
 */
export class VoteBatcher extends DurableObject<Env> {
  #queue: QueuedVote[] = []
  #isCasting = false

  /** Casts votes together with those of other callers. Results are in the order of the votes. */
  async submit(votes: readonly Vote[]): Promise<BatchedVoteResult[]> {
    if (this.#queue.length + votes.length > limits.maxQueuedVotes) return votes.map(() => 'busy')
    const results = votes.map(
      (vote) => new Promise<BatchedVoteResult>((resolve) => this.#queue.push({ vote, resolve })),
    )
    if (!this.#isCasting) void this.#castQueue()
    return Promise.all(results)
  }

  async #castQueue(): Promise<void> {
    this.#isCasting = true
    while (this.#queue.length > 0) await this.#castBatch(this.#queue.splice(0, limits.maxVoteBatchSize))
    this.#isCasting = false
  }

  /**
   * Splits a failed batch in halves, so that one vote that D1 rejects does not fail the others. The halves share
   * `acceptedVotes`, the votes that they have accepted so far; null for a batch that has not failed yet.
   */
  async #castBatch(batch: QueuedVote[], acceptedVotes: Set<string> | null = null): Promise<void> {
    try {
      const { DB, bookmark } = primarySession(this.env.DB)
      const votes = batch.map(({ vote }) => vote)
      for (const [i, result] of (await castVotes(DB, votes)).entries())
        batch[i]?.resolve({
          result: acceptedVotes ? resolveRetry(result, votes[i], acceptedVotes) : result,
          bookmark: bookmark(),
        })
    } catch (error) {
      // No retry while the database is overloaded. After an earlier failure, votes of the batch may be stored already.
      if (isOverloaded(error)) for (const { resolve } of batch) resolve(acceptedVotes ? 'unknown' : 'busy')
      else if (batch.length === 1) batch[0]?.resolve('failed')
      else {
        const middle = Math.ceil(batch.length / 2)
        const sharedVotes = acceptedVotes ?? new Set<string>()
        await this.#castBatch(batch.slice(0, middle), sharedVotes)
        await this.#castBatch(batch.slice(middle), sharedVotes)
      }
    }
  }
}

/** A failed batch may have stored its votes: a vote that equals the stored vote is accepted, but only once. */
function resolveRetry(result: VoteResult, vote: Vote | undefined, acceptedVotes: Set<string>): VoteResult {
  const key = JSON.stringify(vote)
  const accepted = result.accepted || (result.outcome?.equalsStored === 1 && !acceptedVotes.has(key))
  if (accepted) acceptedVotes.add(key)
  return { ...result, accepted }
}

type Bindings = Pick<Env, 'DB' | 'RUSH'>
type VoteBackend = {
  cast: (env: Bindings, vote: Vote) => Promise<CastVote>
  /** Casts a vote that may be stored already. */
  retry: (env: Bindings, vote: Vote) => Promise<CastVote>
  /** Casts votes through the Durable Object of this name. */
  castBatch: (env: Bindings, batcher: string, votes: readonly Vote[]) => Promise<BatchedVoteResult[]>
}
const D1_BACKEND: VoteBackend = {
  cast: async ({ DB }, vote) => ({ result: await castVote(DB, vote), bookmark: null }),
  retry: async ({ DB }, vote) => ({ result: await retryVote(DB, vote), bookmark: null }),
  castBatch: ({ RUSH }, batcher, votes) => RUSH.getByName(batcher).submit(votes),
}

export type VoteQueue = ReturnType<typeof createVoteQueue>
/** Message to a waiting vote: its result, the instruction to lead the next batch, or a timeout. */
type VoteMessage = BatchedVoteResult | 'lead' | 'timeout'
type WaitingVote = { vote: Vote; message: VoteMessage | null; resolve: (message: VoteMessage) => void }
/** The votes that wait for one Durable Object. */
type BatcherQueue = { waiting: WaitingVote[]; leaderStartedAt: Millis | null }

/**
 * Creates an isolate's vote queue. A vote goes straight to D1 while fewer than `limits.voteBatchThreshold` votes of its
 * poll are in flight. Otherwise the request of one vote, the leader, sends the waiting votes to a Durable Object.
 */
export function createVoteQueue(
  timeoutMs: Millis = limits.voteBatchTimeoutMs,
  now: () => Millis = Date.now,
  backend: VoteBackend = D1_BACKEND,
) {
  const inFlight = new Map<string, number>()
  const queues = new Map<string, BatcherQueue>()
  return {
    /** @throws AppError `unavailable` if the vote was not cast or the result is unknown; errors of the database. */
    async submit(env: Bindings, vote: Vote): Promise<CastVote> {
      const concurrent = inFlight.get(vote.pollId) ?? 0
      inFlight.set(vote.pollId, concurrent + 1)
      try {
        return concurrent < limits.voteBatchThreshold ? await backend.cast(env, vote) : await submitQueued(env, vote)
      } finally {
        const remaining = (inFlight.get(vote.pollId) ?? 1) - 1
        if (remaining > 0) inFlight.set(vote.pollId, remaining)
        else inFlight.delete(vote.pollId)
      }
    },
  }

  async function submitQueued(env: Bindings, vote: Vote): Promise<CastVote> {
    const batcher = batcherName(vote)
    const queue = queues.get(batcher) ?? { waiting: [], leaderStartedAt: null }
    queues.set(batcher, queue)
    // The leader's request may have been canceled: after two timeouts, another vote leads.
    const hasLeader = queue.leaderStartedAt !== null && now() - queue.leaderStartedAt < 2 * timeoutMs
    const message = hasLeader ? await waitForMessage(queue, vote) : 'lead'
    const result = message === 'lead' ? await leadBatch(env, batcher, queue, vote) : message
    if (result === 'busy')
      throw new AppError(
        'unavailable',
        'Voting is very busy right now, so your vote was not taken. Please try again in a moment.',
      )
    if (result === 'unknown') throw unknownResultError()
    if (result !== 'failed' && result !== 'timeout') return result
    return backend.retry(env, vote).catch((error: unknown) => {
      // An overload error shows only that this attempt was not counted.
      throw isOverloaded(error) ? unknownResultError() : error
    })
  }

  async function waitForMessage(queue: BatcherQueue, vote: Vote): Promise<VoteMessage> {
    const { promise: received, resolve: markReceived } = Promise.withResolvers<void>()
    const waitingVote: WaitingVote = {
      vote,
      message: null,
      resolve: (message) => {
        waitingVote.message = message
        markReceived()
      },
    }
    queue.waiting.push(waitingVote)
    await withTimeout(timeoutMs, received)
    queue.waiting = queue.waiting.filter((other) => other !== waitingVote)
    // A message that arrives right after the timeout still counts.
    return waitingVote.message ?? 'timeout'
  }

  async function leadBatch(
    env: Bindings,
    batcher: string,
    queue: BatcherQueue,
    vote: Vote,
  ): Promise<BatchedVoteResult | 'timeout'> {
    queue.leaderStartedAt = now()
    const others = queue.waiting.splice(0, limits.maxVoteBatchSize - 1)
    try {
      const votes = [vote, ...others.map((other) => other.vote)]
      const results = await withTimeout(timeoutMs, backend.castBatch(env, batcher, votes))
      if (!results) throw new Error('The vote batcher timed out.')
      for (const [i, { resolve }] of others.entries()) resolve(results[i + 1] ?? 'timeout')
      return results[0] ?? 'timeout'
    } catch (error) {
      logError('vote-batcher', error)
      for (const { resolve } of others) resolve('timeout')
      return 'timeout'
    } finally {
      const next = queue.waiting.shift()
      if (next) next.resolve('lead')
      else if (queues.get(batcher) === queue) queues.delete(batcher)
    }
  }
}

const unknownResultError = () =>
  new AppError(
    'unavailable',
    'Voting is very busy right now, and we could not confirm your vote. Please try again in a moment: it counts only once.',
  )

/** Spreads the votes of a poll over a few objects, by voter. */
const batcherName = ({ pollId, session }: Vote) => `${pollId}/${session.userId % limits.voteBatchersPerPoll}`
