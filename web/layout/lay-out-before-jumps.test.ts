import { afterEach, expect, test, vi } from 'vitest'
import { layOutBeforeJumps } from './lay-out-before-jumps'

const isFull = () => document.documentElement.classList.contains('full-layout')
const openBy = (type: NavigationTimingType) =>
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming])

afterEach(() => {
  document.documentElement.className = ''
  document.body.innerHTML = ''
  history.replaceState(null, '', '/')
})

test('lays out the whole page at a click on a section link', () => {
  document.body.innerHTML = '<a href="/music">Music</a><a href="/#concerts"><b>Concerts</b></a>'
  openBy('navigate')
  layOutBeforeJumps()
  document.querySelector<HTMLElement>('a')?.click()
  expect(isFull()).toBe(false)
  document.querySelector<HTMLElement>('b')?.click()
  expect(isFull()).toBe(true)
})

test('lays out the whole page at a history navigation', () => {
  openBy('navigate')
  layOutBeforeJumps()
  expect(isFull()).toBe(false)
  dispatchEvent(new Event('popstate'))
  expect(isFull()).toBe(true)
})

for (const type of ['reload', 'back_forward'] as const)
  test(`lays out the whole page at once on ${type}`, () => {
    openBy(type)
    layOutBeforeJumps()
    expect(isFull()).toBe(true)
  })

test('lays out the whole page at once for the URL of a section', () => {
  openBy('navigate')
  history.replaceState(null, '', '/#concerts')
  layOutBeforeJumps()
  expect(isFull()).toBe(true)
})
