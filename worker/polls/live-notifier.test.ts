import { expect, test } from 'vitest'
import { createLiveNotifier } from './live'

/** A poll's object that answers each telling when it is let, and a clock. */
function farSide() {
  const answers: ((covered: number) => void)[] = []
  const clock = { now: 10_000 }
  const told = createLiveNotifier(() => clock.now)
  const tell = (poll = 'p') => told.notify(poll, () => new Promise((resolve) => void answers.push(resolve)))
  return { clock, told, tell, answers }
}

test('skips updates that a response covers, per poll', async () => {
  const { clock, tell, answers } = farSide()
  const first = tell()
  clock.now += 40
  answers[0]!(100)
  await first
  clock.now = 10_099
  expect(tell()).toBe(null)
  expect(tell('q')).not.toBe(null)
  clock.now = 10_100
  expect(tell()).not.toBe(null)
})

test('publishes changes that arrive during an update', async () => {
  const { clock, tell, answers } = farSide()
  const first = tell()
  expect(tell()).toBe(null)
  clock.now += 50
  answers[0]!(20)
  await new Promise((resolve) => setTimeout(resolve))
  expect(answers).toHaveLength(2)
  expect(tell()).toBe(null)
  answers[1]!(100)
  await first
  expect(answers).toHaveLength(2)
})

test('retries a failed update once', async () => {
  const { clock, told, tell, answers } = farSide()
  const outcomes = [() => Promise.reject(new Error('reset')), async () => 20, async () => 100]
  let tellings = 0
  const telling = told.notify('p', async () => {
    clock.now += 30
    return outcomes[tellings++]!()
  })
  expect(tell()).toBe(null)
  await telling
  expect([tellings, answers.length]).toEqual([3, 0])
  expect(tell()).toBe(null)
})

test('times out hanging updates', async () => {
  const { clock, told, tell } = farSide()
  await expect(told.notify('p', () => Promise.reject(new Error('overloaded')))).rejects.toThrow('overloaded')
  expect(tell()).not.toBe(null)
  expect(tell()).toBe(null)
  clock.now += 2000
  expect(tell()).not.toBe(null)
})
