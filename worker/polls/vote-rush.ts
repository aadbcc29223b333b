import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../config'
import { type Bookmark, primary } from '../db/copies'
import { limits } from '../limits'
import { type Ballot, type Came, castBallots } from './vote'

/** What came of a ballot, and what marks the state of the database that it left. */
export type Counted = { came: Came; bookmark: Bookmark | null }
type Waiting = { ballot: Ballot; resolve: (counted: Counted) => void; reject: (error: unknown) => void }

/**
 * Gathers the ballots of a poll in a rush. While one batch is under way the next ones wait, and go together: a database
 * that does one thing at a time takes many votes at the price of one. Nothing is kept here and nothing is decided here:
 * a ballot is taken by D1 alone, once, whichever way it comes, and one whose answer is lost with the object is cast again.
 */
export class VoteRush extends DurableObject<Env> {
  #waiting: Waiting[] = []
  #isCasting = false

  /** Casts a ballot with those that came with it. @throws what D1 throws at this one. */
  cast(ballot: Ballot): Promise<Counted> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ballot, resolve, reject })
      if (!this.#isCasting) void this.#castAll()
    })
  }

  async #castAll(): Promise<void> {
    this.#isCasting = true
    try {
      while (this.#waiting.length > 0) {
        const together = this.#waiting.splice(0, limits.rushBatch)
        // One that D1 refuses must not cost the others their votes. What was counted all the same is counted once.
        if (!(await this.#castTogether(together))) for (const one of together) await this.#castTogether([one])
      }
    } finally {
      this.#isCasting = false
    }
  }

  /** False when nobody was told anything: several whose batch failed. */
  async #castTogether(together: Waiting[]): Promise<boolean> {
    try {
      const { DB, bookmark } = primary(this.env.DB)
      const all = await castBallots(
        DB,
        together.map(({ ballot }) => ballot),
      )
      for (const [i, { resolve }] of together.entries()) resolve({ came: all[i]!, bookmark: bookmark() })
    } catch (error) {
      if (together.length > 1) return false
      together[0]?.reject(error)
    }
    return true
  }
}
