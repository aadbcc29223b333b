import { expect, test, vi } from 'vitest'
import type { Refused } from '../lib/refused'
import { limits } from '../limits'
import { NOON } from '../testing/furnish'
import { newRush } from './rush'
import type { Ballot } from './vote'
import type { Counted } from './vote-rush'

/** A rush whose lines hold each other up no longer than this. */
const hasty = () => newRush(100)
const ballotOf = (userId: number): Ballot => ({
  claim: { userId, epoch: 0, sid: '' },
  pollId: 'any',
  optionId: 'a',
  at: NOON,
})
const done = (mark: string) => ({ came: { taken: true, outcome: undefined }, bookmark: mark })
const ways = (together: (ballots: readonly Ballot[]) => Promise<Counted[]>) => ({
  alone: async () => done('alone'),
  again: async () => done('again'),
  together,
})
/** Votes that fill the isolate's hands, so that the next ones gather; they end when told. */
function handsFull(rush: ReturnType<typeof newRush>) {
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  for (let i = 0; i < limits.rushFrom; i++)
    void rush.cast(ballotOf(-1 - i), { ...ways(async () => []), alone: () => held.then(() => done('alone')) })
  return end
}

test('an object that does not answer holds nobody up for long', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const rush = hasty()
  const end = handsFull(rush)
  const never = ways(() => new Promise(() => {}))
  const began = Date.now()
  const marks = await Promise.all([2, 4, 6, 8].map((id) => rush.cast(ballotOf(id), never)))
  expect(marks.map(({ bookmark }) => bookmark)).toEqual(Array(4).fill('again'))
  expect(Date.now() - began).toBeLessThan(2000)
  expect(error).toHaveBeenCalled()
  error.mockRestore()
  end()
})

test('who may have been counted is not told that there was no room, and is not sent to a database that is overloaded', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const rush = hasty()
  const end = handsFull(rush)
  let asked = 0
  const again = async () => {
    asked += 1
    throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  }
  const failed = async () => {
    throw new Error('Network connection lost.')
  }
  const told: unknown[] = []
  for (const together of [async () => ['unsure'] as Counted[], async () => ['failed'] as Counted[], failed]) {
    const refused: unknown = await rush.cast(ballotOf(2), { ...ways(together), again }).catch((thrown) => thrown)
    told.push([asked, (refused as Refused).code, (refused as Refused).message])
  }
  const sentence =
    'So many are voting right now that we could not see whether yours was counted. Please try again in a moment: it counts only once.'
  expect(told).toEqual([0, 1, 2].map((tries) => [tries, 'unavailable', sentence]))
  // What else the database says is nobody's to put into other words.
  const broken = { ...ways(failed), again: failed }
  await expect(rush.cast(ballotOf(2), broken)).rejects.toThrow('Network connection lost.')
  error.mockRestore()
  end()
})

test('a carrier whose request was cut off is waited for no longer than others, and then passed by', async () => {
  const clock = { now: 0 }
  const rush = newRush(50, () => clock.now)
  const end = handsFull(rush)
  const never = ways(() => new Promise(() => {}))
  // Its timers do not come either.
  const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never)
  void rush.cast(ballotOf(2), never)
  timers.mockRestore()
  expect((await rush.cast(ballotOf(4), never)).bookmark).toBe('again')
  clock.now = 100
  const carried = ways(async (ballots) => ballots.map(() => done('carried')))
  expect((await rush.cast(ballotOf(6), carried)).bookmark).toBe('carried')
  end()
})

test('while one call is under way the next votes wait, and go together in the next call', async () => {
  const rush = newRush()
  const end = handsFull(rush)
  const calls: number[][] = []
  let answer = () => {}
  const slow = ways(async (ballots) => {
    calls.push(ballots.map(({ claim }) => claim.userId))
    if (calls.length === 1)
      await new Promise<void>((resolve) => {
        answer = resolve
      })
    return ballots.map(({ claim }) => done(String(claim.userId)))
  })
  const all = [2, 4, 6, 8].map((id) => rush.cast(ballotOf(id), slow))
  let early = 0
  for (const one of all) void one.then(() => early++)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([calls, early]).toEqual([[[2]], 0])
  answer()
  expect((await Promise.all(all)).map(({ bookmark }) => bookmark)).toEqual(['2', '4', '6', '8'])
  expect(calls).toEqual([[2], [4, 6, 8]])
  end()
})
