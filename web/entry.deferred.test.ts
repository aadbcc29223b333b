import { afterEach, expect, test, vi } from 'vitest'

const root = document.documentElement

/** Runs web/entry.deferred.ts on a page with a large picture, whose sender sent so many bytes of the file, as its first script. */
async function arrive(sent: number) {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.resetModules()
  vi.doMock('/assets/app.js', () => Object.assign(globalThis, { started: true }))
  Object.defineProperty(document, 'fonts', { value: { load: async () => [] }, configurable: true })
  root.dataset.waiting = ''
  document.body.innerHTML = '<script type="x" data-app="/assets/app.js"></script>'
  const picture = document.createElement('img')
  picture.setAttribute('fetchpriority', 'high')
  let seen = () => {}
  picture.decode = () => new Promise((resolve) => (seen = resolve))
  document.body.append(picture)
  const asked = vi
    .spyOn(performance, 'getEntriesByName')
    .mockReturnValue([{ transferSize: sent } as PerformanceResourceTiming])
  const run = import('./entry.deferred')
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  return { run, seen: () => seen() }
}
const state = () => [root.dataset.waiting === undefined, 'started' in globalThis]

afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(globalThis, 'started')
})

test('on a first visit letters and app wait for the picture', async () => {
  const { run, seen } = await arrive(500)
  expect(state()).toEqual([false, false])
  seen()
  await run
  await vi.waitFor(() => expect(state()).toEqual([true, true]))
})

test('a picture that does not come is waited for no longer than four seconds', async () => {
  const { run } = await arrive(500)
  await vi.advanceTimersByTimeAsync(3_900)
  expect(state()).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(200)
  await run
  await vi.waitFor(() => expect(state()).toEqual([true, true]))
})

test('who was here before waits for letters that are at hand alone', async () => {
  const { run } = await arrive(0)
  await run
  await vi.waitFor(() => expect(state()).toEqual([true, true]))
})
