import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../config'
import { type Bookmark, primary } from '../db/copies'
import { isOverloaded } from '../db/overloaded'
import { limits } from '../limits'
import { type Ballot, type Came, castBallots } from './vote'

/**
 * What came of a ballot, and what marks the state of the database that it left. `busy`: too many were waiting, here or at
 * the database, and it was not cast. `failed`: the database threw at it, and whether it was counted is for the next try to find.
 * `unsure`: the same of a database that is overloaded, which should not be asked now.
 */
export type Counted = { came: Came; bookmark: Bookmark | null } | 'busy' | 'failed' | 'unsure'
type Waiting = { ballot: Ballot; tell: (counted: Counted) => void }

/**
 * Gathers the ballots of a poll in a rush, from every isolate that has some. While one batch is under way the next ones
 * wait, and go together: a database that does one thing at a time takes many votes at the price of one. Nothing is kept
 * here and nothing is decided here: a ballot is taken by D1 alone, once, whichever way it comes, and its voter is told
 * behind the commit. One whose answer is lost with the object is cast again.
 */
export class VoteRush extends DurableObject<Env> {
  #waiting: Waiting[] = []
  #isCasting = false

  /** Casts ballots with those that came with them, and says of each what came of it, in their order. */
  async cast(ballots: readonly Ballot[]): Promise<Counted[]> {
    // A queue that only grows would answer nobody in time: who comes too late is told so at once, uncounted.
    if (this.#waiting.length + ballots.length > limits.rushWaiting) return ballots.map(() => 'busy')
    const told = ballots.map((ballot) => new Promise<Counted>((tell) => this.#waiting.push({ ballot, tell })))
    if (!this.#isCasting) void this.#castAll()
    return Promise.all(told)
  }

  async #castAll(): Promise<void> {
    this.#isCasting = true
    while (this.#waiting.length > 0) await this.#castTogether(this.#waiting.splice(0, limits.rushBatch))
    this.#isCasting = false
  }

  /**
   * One that D1 refuses must not cost the others their votes: a batch that fails is halved, down to that one. What was
   * counted all the same is counted once, and found to be the same ballot.
   */
  async #castTogether(together: Waiting[], found: Set<string> | null = null): Promise<void> {
    try {
      const { DB, bookmark } = primary(this.env.DB)
      const ballots = together.map(({ ballot }) => ballot)
      for (const [i, came] of (await castBallots(DB, ballots)).entries())
        together[i]?.tell({ came: found ? triedBefore(came, ballots[i], found) : came, bookmark: bookmark() })
    } catch (error) {
      // Asking again and again is what an overloaded database needs least. Part of a batch that failed may be counted.
      if (isOverloaded(error)) for (const { tell } of together) tell(found ? 'unsure' : 'busy')
      else if (together.length === 1) together[0]?.tell('failed')
      else {
        const [half, known] = [Math.ceil(together.length / 2), found ?? new Set<string>()]
        await this.#castTogether(together.slice(0, half), known)
        await this.#castTogether(together.slice(half), known)
      }
    }
  }
}

/** Its first batch may have been counted although it failed: the ballot that stands is then this one, once. */
function triedBefore(came: Came, ballot: Ballot | undefined, found: Set<string>): Came {
  const name = JSON.stringify(ballot)
  const taken = came.taken || (came.outcome?.isThis === 1 && !found.has(name))
  if (taken) found.add(name)
  return { ...came, taken }
}
