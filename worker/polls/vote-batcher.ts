import { DurableObject } from 'cloudflare:workers'
import { isOverloaded } from '../db/client'
import { type Bookmark, primarySession } from '../db/replicas'
import type { Env } from '../env'
import { limits } from '../limits'
import { castVotes, type Vote, type VoteResult } from './vote'

/**
 * What came of a vote, and what marks the state of the database that it left. `busy`: too many were waiting, here or at
 * the database, and it was not cast. `failed`: the database threw at it, and whether it was counted is for the next try to find.
 * `unsure`: the same of a database that is overloaded, which should not be asked now.
 */
export type BatchedVoteResult = { result: VoteResult; bookmark: Bookmark | null } | 'busy' | 'failed' | 'unsure'
type PendingVote = { vote: Vote; resolve: (counted: BatchedVoteResult) => void }

/**
 * Gathers the votes of a poll in a rush, from every isolate that has some. While one batch is under way the next ones
 * wait, and go together: a database that does one thing at a time takes many votes at the price of one. Nothing is kept
 * here and nothing is decided here: a vote is taken by D1 alone, once, whichever way it comes, and its voter is told
 * behind the commit. One whose answer is lost with the object is cast again.
 */
export class VoteBatcher extends DurableObject<Env> {
  #waiting: PendingVote[] = []
  #isCasting = false

  /** Casts votes with those that came with them, and says of each what came of it, in their order. */
  async submit(votes: readonly Vote[]): Promise<BatchedVoteResult[]> {
    // A queue that only grows would answer nobody in time: who comes too late is told so at once, uncounted.
    if (this.#waiting.length + votes.length > limits.maxQueuedVotes) return votes.map(() => 'busy')
    const results = votes.map(
      (vote) => new Promise<BatchedVoteResult>((resolve) => this.#waiting.push({ vote, resolve })),
    )
    if (!this.#isCasting) void this.#castAll()
    return Promise.all(results)
  }

  async #castAll(): Promise<void> {
    this.#isCasting = true
    while (this.#waiting.length > 0) await this.#castTogether(this.#waiting.splice(0, limits.maxVoteBatchSize))
    this.#isCasting = false
  }

  /**
   * One that D1 refuses must not cost the others their votes: a batch that fails is halved, down to that one. What was
   * counted all the same is counted once, and found to be the same vote.
   */
  async #castTogether(batch: PendingVote[], alreadyFound: Set<string> | null = null): Promise<void> {
    try {
      const { DB, bookmark } = primarySession(this.env.DB)
      const votes = batch.map(({ vote }) => vote)
      for (const [i, result] of (await castVotes(DB, votes)).entries())
        batch[i]?.resolve({
          result: alreadyFound ? resolveRetry(result, votes[i], alreadyFound) : result,
          bookmark: bookmark(),
        })
    } catch (error) {
      // Asking again and again is what an overloaded database needs least. Part of a batch that failed may be counted.
      if (isOverloaded(error)) for (const { resolve: tell } of batch) tell(alreadyFound ? 'unsure' : 'busy')
      else if (batch.length === 1) batch[0]?.resolve('failed')
      else {
        const [half, found] = [Math.ceil(batch.length / 2), alreadyFound ?? new Set<string>()]
        await this.#castTogether(batch.slice(0, half), found)
        await this.#castTogether(batch.slice(half), found)
      }
    }
  }
}

/** Its first batch may have been counted although it failed: the vote that stands is then this one, once. */
function resolveRetry(result: VoteResult, vote: Vote | undefined, found: Set<string>): VoteResult {
  const name = JSON.stringify(vote)
  const accepted = result.accepted || (result.outcome?.isThis === 1 && !found.has(name))
  if (accepted) found.add(name)
  return { ...result, accepted }
}
