import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Carousel } from './Carousel'

const images = ['a', 'b', 'c'].map((name) => ({ url: `/media/x/${name}.webp`, alt: `View ${name}` }))
let reduced = false

beforeEach(() => {
  reduced = false
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: reduced, addEventListener() {}, removeEventListener() {} }))
  // A browser where every picture is 100 px wide and scrolling is immediate.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100)
  HTMLElement.prototype.scrollTo = function (this: HTMLElement, options?: unknown) {
    this.scrollLeft = (options as ScrollToOptions).left ?? 0
  } as HTMLElement['scrollTo']
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const seen = () =>
  screen.getAllByRole('group', { hidden: true }).findIndex((slide) => slide.getAttribute('aria-hidden') === 'false')
const wait = (millis: number) => act(() => vi.advanceTimersByTime(millis))
const showCarousel = () => render(<Carousel label="Clip" images={images} sizes="100vw" />).container.firstElementChild!

test('advances every 3000 ms and wraps around', () => {
  showCarousel()
  wait(2999)
  expect(seen()).toBe(0)
  wait(1)
  expect(seen()).toBe(1)
  wait(3000)
  expect(seen()).toBe(2)
  wait(3000)
  expect(seen()).toBe(0)
})

test('stops while paused and continues when played', () => {
  showCarousel()
  fireEvent.click(screen.getByRole('button', { name: 'Pause the pictures' }))
  wait(20_000)
  expect(seen()).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Play the pictures' }))
  wait(3000)
  expect(seen()).toBe(1)
})

test('waits while hovered', () => {
  const carousel = showCarousel()
  fireEvent.pointerEnter(carousel, { pointerType: 'mouse' })
  wait(20_000)
  expect(seen()).toBe(0)
  fireEvent.pointerLeave(carousel, { pointerType: 'mouse' })
  wait(3000)
  expect(seen()).toBe(1)
})

test('waits while a control is focused', () => {
  showCarousel()
  const next = screen.getByRole('button', { name: 'Next picture' })
  fireEvent.focus(next)
  wait(20_000)
  expect(seen()).toBe(0)
  fireEvent.blur(next)
  wait(3000)
  expect(seen()).toBe(1)
})

test('does not advance under reduced motion until played', () => {
  reduced = true
  showCarousel()
  wait(20_000)
  expect(seen()).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Play the pictures' }))
  wait(3000)
  expect(seen()).toBe(1)
})

test('wraps around in both directions', () => {
  showCarousel()
  fireEvent.click(screen.getByRole('button', { name: 'Previous picture' }))
  expect(seen()).toBe(2)
  fireEvent.click(screen.getByRole('button', { name: 'Next picture' }))
  expect(seen()).toBe(0)
})

test('shows the image of a pressed dot', () => {
  showCarousel()
  fireEvent.click(screen.getByRole('button', { name: 'Picture 3' }))
  expect(seen()).toBe(2)
})

test('follows a swipe once it has settled', () => {
  showCarousel()
  const strip = screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
  strip.scrollLeft = 200
  fireEvent.scroll(strip)
  wait(120)
  expect(seen()).toBe(2)
})

test('keeps an image chosen before a swipe settles', () => {
  showCarousel()
  const strip = screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
  strip.scrollLeft = 200
  fireEvent.scroll(strip)
  fireEvent.click(screen.getByRole('button', { name: 'Picture 1' }))
  wait(120)
  expect([seen(), strip.scrollLeft]).toEqual([0, 0])
})

test('continues an interrupted scroll unless the visitor scrolls', () => {
  showCarousel()
  const strip = screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
  const moved = (left: number) => {
    strip.scrollLeft = left
    fireEvent.scroll(strip)
    wait(120)
  }
  fireEvent.click(screen.getByRole('button', { name: 'Picture 3' }))
  moved(40)
  expect([seen(), strip.scrollLeft]).toEqual([2, 200])
  fireEvent.wheel(strip)
  moved(100)
  expect(seen()).toBe(1)
})

test('keeps an image chosen before an earlier scroll starts', () => {
  showCarousel()
  const strip = screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
  const late = vi.spyOn(strip, 'scrollTo').mockImplementation(() => {})
  fireEvent.click(screen.getByRole('button', { name: 'Picture 3' }))
  const first = screen.getByRole('button', { name: 'Picture 1' })
  fireEvent.keyDown(first, { key: 'Enter' })
  fireEvent.click(first)
  late.mockRestore()
  strip.scrollLeft = 200
  fireEvent.scroll(strip)
  wait(120)
  expect([seen(), strip.scrollLeft]).toEqual([0, 0])
})
