import { limits } from '../limits'
import type { Ballot, Came } from './vote'
import type { VoteRush } from './vote-rush'

export type Rush = ReturnType<typeof newRush>
type Ways = { alone: () => Promise<Came>; together: () => Promise<Came> }

/**
 * How many votes of each poll this isolate has under way. One of few goes to the database by itself, which is quickest;
 * from `limits.rushFrom` on they go through the poll's object, together. Where that fails, by itself after all.
 */
export function newRush() {
  const underWay = new Map<string, number>()
  return {
    async cast(pollId: string, { alone, together }: Ways): Promise<Came> {
      const before = underWay.get(pollId) ?? 0
      underWay.set(pollId, before + 1)
      try {
        if (before < limits.rushFrom) return await alone()
        return await together().catch((error: unknown) => {
          console.error(JSON.stringify({ at: 'rush', error: error instanceof Error ? error.name : 'unknown' }))
          return alone()
        })
      } finally {
        const left = (underWay.get(pollId) ?? 1) - 1
        if (left > 0) underWay.set(pollId, left)
        else underWay.delete(pollId)
      }
    },
  }
}

/** The object that gathers this ballot: a few to a poll, so that none hears of more than it can. */
export const rushOf = (rushes: DurableObjectNamespace<VoteRush>, { pollId, claim }: Ballot) =>
  rushes.getByName(`${pollId}/${claim.userId % limits.rushShards}`)
