import { type Millis, SECOND } from '../lib/clock'

/** Longer than any telling takes: one whose request was cut off holds up no other. */
const PATIENCE: Millis = 2 * SECOND
const POLLS = 1000

type Word = { coveredUntil: Millis; askedAt: Millis | null; again: boolean }
export type Told = ReturnType<typeof newTold>

/**
 * What this isolate told the objects of live polls. An object answers for how long it need not be told again, so that a
 * rush of votes is a call a tick, and votes that nobody watches are a call a second. One call a poll is under way at a
 * time: what changes meanwhile is told behind it, unless its answer covers that, too. One that fails is told once more.
 */
export function newTold(now: () => Millis = Date.now) {
  const words = new Map<string, Word>()
  return {
    /** `changed` tells and returns the milliseconds that are covered from when it was sent. Null where nobody needs to. */
    tell(pollId: string, changed: () => Promise<Millis>): Promise<void> | null {
      const word = words.get(pollId) ?? { coveredUntil: 0, askedAt: null, again: false }
      if (words.size >= POLLS) words.clear()
      words.set(pollId, word)
      if (now() < word.coveredUntil) return null
      if (word.askedAt !== null && now() - word.askedAt < PATIENCE) {
        word.again = true
        return null
      }
      return telling(word, changed)
    },
  }

  async function telling(word: Word, changed: () => Promise<Millis>): Promise<void> {
    try {
      do {
        word.again = false
        const sentAt = now()
        word.askedAt = sentAt
        word.coveredUntil = sentAt + (await changed().catch(changed))
      } while (word.again && now() >= word.coveredUntil)
    } finally {
      word.askedAt = null
    }
  }
}
