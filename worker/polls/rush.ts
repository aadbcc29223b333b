import { isOverloaded } from '../db/overloaded'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { within } from '../lib/within'
import { limits } from '../limits'
import type { Ballot } from './vote'
import type { Counted, VoteRush } from './vote-rush'

export type Rush = ReturnType<typeof newRush>
type Cast = Exclude<Counted, string>
type Ways = {
  /** By itself. */
  alone: () => Promise<Cast>
  /** By itself, when it may have been counted already. */
  again: () => Promise<Cast>
  /** With those of others, through the poll's object. */
  together: (ballots: readonly Ballot[]) => Promise<Counted[]>
}
/** What a ballot that waits is told: what came of it, to take the next ones along itself, or that nobody knows. */
type Word = Counted | 'carry' | 'unknown'
type Waiting = { ballot: Ballot; word: Word | null; tell: (word: Word) => void }
type Line = { waiting: Waiting[]; carriedAt: Millis | null }

/**
 * Votes that this isolate has under way. One of few goes to the database by itself, which is quickest. From
 * `limits.rushFrom` of one poll on they gather: one is carried to the poll's object with all that wait by then, and the
 * first that came meanwhile carries the next ones, so that a line has one call under way however many votes there are.
 */
export function newRush(patience: Millis = limits.rushPatienceMillis, now: () => Millis = Date.now) {
  const underWay = new Map<string, number>()
  const lines = new Map<string, Line>()
  return {
    /** @throws what the database throws; Refused `unavailable`, which says whether the vote was left out or nobody knows. */
    async cast(ballot: Ballot, ways: Ways): Promise<Cast> {
      const before = underWay.get(ballot.pollId) ?? 0
      underWay.set(ballot.pollId, before + 1)
      try {
        return before < limits.rushFrom ? await ways.alone() : await inLine(ballot, ways)
      } finally {
        const left = (underWay.get(ballot.pollId) ?? 1) - 1
        if (left > 0) underWay.set(ballot.pollId, left)
        else underWay.delete(ballot.pollId)
      }
    },
  }

  async function inLine(ballot: Ballot, ways: Ways): Promise<Cast> {
    const name = lineOf(ballot)
    const line = lines.get(name) ?? { waiting: [], carriedAt: null }
    lines.set(name, line)
    // A carrier whose request was cut off holds up no other for long.
    const isCarried = line.carriedAt !== null && now() - line.carriedAt < 2 * patience
    const word = isCarried ? await wordFor(line, ballot) : 'carry'
    const counted = word === 'carry' ? await carry(name, line, ballot, ways) : word
    if (counted === 'busy')
      throw new Refused(
        'unavailable',
        'So many are voting right now that yours had no room. Please try again in a moment.',
      )
    if (counted === 'unsure') throw unsure()
    if (counted !== 'failed' && counted !== 'unknown') return counted
    return ways.again().catch((error: unknown) => {
      // It says only that this try was not counted.
      throw isOverloaded(error) ? unsure() : error
    })
  }

  /** Waits to be told; no longer than `patience`, whatever became of who should tell. */
  async function wordFor(line: Line, ballot: Ballot): Promise<Word> {
    const mine: Waiting = { ballot, word: null, tell: () => {} }
    const told = new Promise<void>((resolve) => {
      mine.tell = (word) => {
        mine.word = word
        resolve()
      }
    })
    line.waiting.push(mine)
    await within(patience, told)
    line.waiting = line.waiting.filter((one) => one !== mine)
    // Told in the very moment that it gave up: who shall carry must.
    return mine.word ?? 'unknown'
  }

  async function carry(name: string, line: Line, ballot: Ballot, { together }: Ways): Promise<Counted | 'unknown'> {
    line.carriedAt = now()
    const others = line.waiting.splice(0, limits.rushBatch - 1)
    try {
      const all = await within(patience, together([ballot, ...others.map((one) => one.ballot)]))
      if (!all) throw new Error('The object of a rush did not answer in time.')
      for (const [i, { tell }] of others.entries()) tell(all[i + 1] ?? 'unknown')
      return all[0] ?? 'unknown'
    } catch (error) {
      console.error(JSON.stringify({ at: 'rush', error: error instanceof Error ? error.name : 'unknown' }))
      for (const { tell } of others) tell('unknown')
      return 'unknown'
    } finally {
      const next = line.waiting.shift()
      if (next) next.tell('carry')
      else if (lines.get(name) === line) lines.delete(name)
    }
  }
}

const unsure = () =>
  new Refused(
    'unavailable',
    'So many are voting right now that we could not see whether yours was counted. Please try again in a moment: it counts only once.',
  )

/** A few to a poll, by voter, so that no object hears of more than it can. */
const lineOf = ({ pollId, claim }: Ballot) => `${pollId}/${claim.userId % limits.rushShards}`

/** The object that gathers this ballot, and all that are in line with it. */
export const rushOf = (rushes: DurableObjectNamespace<VoteRush>, ballot: Ballot) => rushes.getByName(lineOf(ballot))
