import { isOverloaded } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { withTimeout } from '../lib/timeout'
import { limits } from '../limits'
import type { Vote } from './vote'
import type { BatchedVoteResult, VoteBatcher } from './vote-batcher'

export type VoteQueue = ReturnType<typeof createVoteQueue>
type CountedVote = Exclude<BatchedVoteResult, string>
type CastMethods = {
  /** By itself. */
  castDirectly: () => Promise<CountedVote>
  /** By itself, when it may have been counted already. */
  retry: () => Promise<CountedVote>
  /** With those of others, through the poll's object. */
  submitBatch: (votes: readonly Vote[]) => Promise<BatchedVoteResult[]>
}
/** What a vote that waits is told: what came of it, to take the next ones along itself, or that nobody knows. */
type Message = BatchedVoteResult | 'carry' | 'unknown'
type PendingVote = { vote: Vote; message: Message | null; resolve: (word: Message) => void }
type Queue = { waiting: PendingVote[]; leaderStartedAt: Millis | null }

/**
 * Votes that this isolate has under way. One of few goes to the database by itself, which is quickest. From
 * `limits.voteBatchThreshold` of one poll on they gather: one is carried to the poll's object with all that wait by then, and the
 * first that came meanwhile carries the next ones, so that a line has one call under way however many votes there are.
 */
export function createVoteQueue(timeoutMs: Millis = limits.voteBatchTimeoutMs, now: () => Millis = Date.now) {
  const inFlight = new Map<string, number>()
  const queues = new Map<string, Queue>()
  return {
    /** @throws what the database throws; AppError `unavailable`, which says whether the vote was left out or nobody knows. */
    async submit(vote: Vote, methods: CastMethods): Promise<CountedVote> {
      const before = inFlight.get(vote.pollId) ?? 0
      inFlight.set(vote.pollId, before + 1)
      try {
        return before < limits.voteBatchThreshold ? await methods.castDirectly() : await submitQueued(vote, methods)
      } finally {
        const left = (inFlight.get(vote.pollId) ?? 1) - 1
        if (left > 0) inFlight.set(vote.pollId, left)
        else inFlight.delete(vote.pollId)
      }
    },
  }

  async function submitQueued(vote: Vote, methods: CastMethods): Promise<CountedVote> {
    const name = batcherName(vote)
    const queue = queues.get(name) ?? { waiting: [], leaderStartedAt: null }
    queues.set(name, queue)
    // A carrier whose request was cut off holds up no other for long.
    const hasLeader = queue.leaderStartedAt !== null && now() - queue.leaderStartedAt < 2 * timeoutMs
    const message = hasLeader ? await waitForMessage(queue, vote) : 'carry'
    const result = message === 'carry' ? await leadBatch(name, queue, vote, methods) : message
    if (result === 'busy')
      throw new AppError(
        'unavailable',
        'So many are voting right now that yours had no room. Please try again in a moment.',
      )
    if (result === 'unsure') throw unknownResultError()
    if (result !== 'failed' && result !== 'unknown') return result
    return methods.retry().catch((error: unknown) => {
      // It says only that this try was not counted.
      throw isOverloaded(error) ? unknownResultError() : error
    })
  }

  /** Waits to be told; no longer than `patience`, whatever became of who should tell. */
  async function waitForMessage(queue: Queue, vote: Vote): Promise<Message> {
    const pending: PendingVote = { vote: vote, message: null, resolve: () => {} }
    const settled = new Promise<void>((resolve) => {
      pending.resolve = (message) => {
        pending.message = message
        resolve()
      }
    })
    queue.waiting.push(pending)
    await withTimeout(timeoutMs, settled)
    queue.waiting = queue.waiting.filter((other) => other !== pending)
    // Told in the very moment that it gave up: who shall carry must.
    return pending.message ?? 'unknown'
  }

  async function leadBatch(
    name: string,
    queue: Queue,
    vote: Vote,
    { submitBatch }: CastMethods,
  ): Promise<BatchedVoteResult | 'unknown'> {
    queue.leaderStartedAt = now()
    const others = queue.waiting.splice(0, limits.maxVoteBatchSize - 1)
    try {
      const results = await withTimeout(timeoutMs, submitBatch([vote, ...others.map((other) => other.vote)]))
      if (!results) throw new Error('The object of a rush did not answer in time.')
      for (const [i, { resolve }] of others.entries()) resolve(results[i + 1] ?? 'unknown')
      return results[0] ?? 'unknown'
    } catch (error) {
      console.error(JSON.stringify({ at: 'rush', error: error instanceof Error ? error.name : 'unknown' }))
      for (const { resolve } of others) resolve('unknown')
      return 'unknown'
    } finally {
      const next = queue.waiting.shift()
      if (next) next.resolve('carry')
      else if (queues.get(name) === queue) queues.delete(name)
    }
  }
}

const unknownResultError = () =>
  new AppError(
    'unavailable',
    'So many are voting right now that we could not see whether yours was counted. Please try again in a moment: it counts only once.',
  )

/** A few to a poll, by voter, so that no object hears of more than it can. */
const batcherName = ({ pollId, session }: Vote) => `${pollId}/${session.userId % limits.voteBatchersPerPoll}`

/** The object that gathers this vote, and all that are in line with it. */
export const batcherFor = (batchers: DurableObjectNamespace<VoteBatcher>, vote: Vote) =>
  batchers.getByName(batcherName(vote))
