import { expect, test, vi } from 'vitest'
import type { AppError } from '../lib/app-error'
import { limits } from '../limits'
import { NOON } from '../testing/seed'
import type { Vote } from './vote'
import type { BatchedVoteResult } from './vote-batcher'
import { createVoteQueue } from './vote-queue'

/** A queue whose lines hold each other up no longer than this. */
const newImpatientQueue = () => createVoteQueue(100)
const voteOf = (userId: number): Vote => ({
  session: { userId, epoch: 0, sid: '' },
  pollId: 'any',
  optionId: 'a',
  at: NOON,
})
const done = (mark: string) => ({ result: { accepted: true, outcome: undefined }, bookmark: mark })
const methods = (submitBatch: (ballots: readonly Vote[]) => Promise<BatchedVoteResult[]>) => ({
  castDirectly: async () => done('alone'),
  retry: async () => done('again'),
  submitBatch,
})
/** Votes that fill the isolate's hands, so that the next ones gather; they end when told. */
function fillQueue(queue: ReturnType<typeof createVoteQueue>) {
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  for (let i = 0; i < limits.voteBatchThreshold; i++)
    void queue.submit(voteOf(-1 - i), {
      ...methods(async () => []),
      castDirectly: () => held.then(() => done('alone')),
    })
  return end
}

test('an object that does not answer holds nobody up for long', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const queue = newImpatientQueue()
  const end = fillQueue(queue)
  const never = methods(() => new Promise(() => {}))
  const began = Date.now()
  const marks = await Promise.all([2, 4, 6, 8].map((id) => queue.submit(voteOf(id), never)))
  expect(marks.map(({ bookmark }) => bookmark)).toEqual(Array(4).fill('again'))
  expect(Date.now() - began).toBeLessThan(2000)
  expect(error).toHaveBeenCalled()
  error.mockRestore()
  end()
})

test('who may have been counted is not told that there was no room, and is not sent to a database that is overloaded', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const queue = newImpatientQueue()
  const end = fillQueue(queue)
  let asked = 0
  const retry = async () => {
    asked += 1
    throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  }
  const failed = async () => {
    throw new Error('Network connection lost.')
  }
  const told: unknown[] = []
  for (const together of [
    async () => ['unsure'] as BatchedVoteResult[],
    async () => ['failed'] as BatchedVoteResult[],
    failed,
  ]) {
    const refused: unknown = await queue.submit(voteOf(2), { ...methods(together), retry }).catch((thrown) => thrown)
    told.push([asked, (refused as AppError).code, (refused as AppError).message])
  }
  const sentence =
    'So many are voting right now that we could not see whether yours was counted. Please try again in a moment: it counts only once.'
  expect(told).toEqual([0, 1, 2].map((tries) => [tries, 'unavailable', sentence]))
  // What else the database says is nobody's to put into other words.
  const broken = { ...methods(failed), retry: failed }
  await expect(queue.submit(voteOf(2), broken)).rejects.toThrow('Network connection lost.')
  error.mockRestore()
  end()
})

test('a carrier whose request was cut off is waited for no longer than others, and then passed by', async () => {
  const clock = { now: 0 }
  const queue = createVoteQueue(50, () => clock.now)
  const end = fillQueue(queue)
  const never = methods(() => new Promise(() => {}))
  // Its timers do not come either.
  const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never)
  void queue.submit(voteOf(2), never)
  timers.mockRestore()
  expect((await queue.submit(voteOf(4), never)).bookmark).toBe('again')
  clock.now = 100
  const carried = methods(async (ballots) => ballots.map(() => done('carried')))
  expect((await queue.submit(voteOf(6), carried)).bookmark).toBe('carried')
  end()
})

test('while one call is under way the next votes wait, and go together in the next call', async () => {
  const queue = createVoteQueue()
  const end = fillQueue(queue)
  const calls: number[][] = []
  let answer = () => {}
  const slow = methods(async (ballots) => {
    calls.push(ballots.map(({ session }) => session.userId))
    if (calls.length === 1)
      await new Promise<void>((resolve) => {
        answer = resolve
      })
    return ballots.map(({ session }) => done(String(session.userId)))
  })
  const all = [2, 4, 6, 8].map((id) => queue.submit(voteOf(id), slow))
  let early = 0
  for (const one of all) void one.then(() => early++)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([calls, early]).toEqual([[[2]], 0])
  answer()
  expect((await Promise.all(all)).map(({ bookmark }) => bookmark)).toEqual(['2', '4', '6', '8'])
  expect(calls).toEqual([[2], [4, 6, 8]])
  end()
})
