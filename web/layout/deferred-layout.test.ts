import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { layOutBeforeJumps, layOutWhenIdle } from './deferred-layout'

const isFullLayout = () => document.documentElement.classList.contains('full-layout')
const mockNavigationType = (type: NavigationTimingType) =>
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming])

afterEach(() => {
  vi.unstubAllGlobals()
  document.documentElement.className = ''
  document.body.innerHTML = ''
  history.replaceState(null, '', '/')
})

test('lays out everything at a click on a section link', () => {
  document.body.innerHTML = '<a href="/music">Music</a><a href="/#concerts"><b>Concerts</b></a>'
  mockNavigationType('navigate')
  layOutBeforeJumps()
  document.querySelector<HTMLElement>('a')?.click()
  expect(isFullLayout()).toBe(false)
  document.querySelector<HTMLElement>('b')?.click()
  expect(isFullLayout()).toBe(true)
})

test('lays out everything at a history navigation', () => {
  mockNavigationType('navigate')
  layOutBeforeJumps()
  expect(isFullLayout()).toBe(false)
  dispatchEvent(new Event('popstate'))
  expect(isFullLayout()).toBe(true)
})

for (const type of ['reload', 'back_forward'] as const)
  test(`lays out everything at once on ${type}`, () => {
    mockNavigationType(type)
    layOutBeforeJumps()
    expect(isFullLayout()).toBe(true)
  })

test('lays out everything for the URL of a section', () => {
  mockNavigationType('navigate')
  history.replaceState(null, '', '/#concerts')
  layOutBeforeJumps()
  expect(isFullLayout()).toBe(true)
})

/** Mocks idle periods of a page with two sections. Returns the numbers of sections laid out before each period. */
function recordIdlePeriods(): number[] {
  document.body.innerHTML = '<main class="home-sections"><section id="a"></section><section id="b"></section></main>'
  const laidOutCounts: number[] = []
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => {
    laidOutCounts.push(document.querySelectorAll('[style*="visible"]').length)
    setTimeout(callback)
  })
  return laidOutCounts
}

/** Makes `performance.now` return these times in turn. */
function mockClock(...timesMs: number[]): void {
  const now = vi.spyOn(performance, 'now')
  for (const timeMs of timesMs) now.mockReturnValueOnce(timeMs)
  onTestFinished(() => now.mockRestore())
}

test('lays out one section per idle period, then everything', async () => {
  const laidOut = recordIdlePeriods()
  mockClock(0, 0)
  await layOutWhenIdle()
  expect(laidOut).toEqual([0, 1])
  expect(isFullLayout()).toBe(true)
})

test('stops after the first section on a slow device', async () => {
  const laidOut = recordIdlePeriods()
  mockClock(0, 50)
  await layOutWhenIdle()
  expect(laidOut).toEqual([0])
  expect(isFullLayout()).toBe(false)
})
