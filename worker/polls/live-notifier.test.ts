import { expect, test } from 'vitest'
import { createLiveNotifier } from './live'

/** A live notifier with a manual clock. `responses` has a function for each pending call, which resolves the call. */
function createFixture() {
  const responses: ((coveredMs: number) => void)[] = []
  const clock = { now: 10_000 }
  const notifier = createLiveNotifier(() => clock.now)
  const notify = (poll = 'p') => notifier.notify(poll, () => new Promise((resolve) => void responses.push(resolve)))
  return { clock, notifier, notify, responses }
}

test('skips updates that a response covers, per poll', async () => {
  const { clock, notify, responses } = createFixture()
  const first = notify()
  clock.now += 40
  responses[0]!(100)
  await first
  clock.now = 10_099
  expect(notify()).toBe(null)
  expect(notify('q')).not.toBe(null)
  clock.now = 10_100
  expect(notify()).not.toBe(null)
})

test('publishes changes that arrive during an update', async () => {
  const { clock, notify, responses } = createFixture()
  const first = notify()
  expect(notify()).toBe(null)
  clock.now += 50
  responses[0]!(20)
  await new Promise((resolve) => setTimeout(resolve))
  expect(responses).toHaveLength(2)
  expect(notify()).toBe(null)
  responses[1]!(100)
  await first
  expect(responses).toHaveLength(2)
})

test('retries a failed update once', async () => {
  const { clock, notifier, notify, responses } = createFixture()
  // The retry succeeds but covers only 20 ms, so the change that arrived meanwhile needs a third call.
  const outcomes = [() => Promise.reject(new Error('reset')), async () => 20, async () => 100]
  let calls = 0
  const pending = notifier.notify('p', async () => {
    clock.now += 30
    return outcomes[calls++]!()
  })
  expect(notify()).toBe(null)
  await pending
  expect([calls, responses.length]).toEqual([3, 0])
  expect(notify()).toBe(null)
})

test('does not wait for failed or hanging updates', async () => {
  const { clock, notifier, notify } = createFixture()
  await expect(notifier.notify('p', () => Promise.reject(new Error('overloaded')))).rejects.toThrow('overloaded')
  expect(notify()).not.toBe(null)
  expect(notify()).toBe(null)
  clock.now += 2000
  expect(notify()).not.toBe(null)
})
