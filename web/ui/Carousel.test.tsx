import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Carousel } from './Carousel'

const images = ['a', 'b', 'c'].map((name) => ({ url: `/media/x/${name}.webp`, alt: `View ${name}` }))
let reduced = false

beforeEach(() => {
  reduced = false
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({ matches: reduced, addEventListener() {}, removeEventListener() {} }))
  // jsdom has no layout: every picture is 100 px wide and scrolls immediately.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100)
  HTMLElement.prototype.scrollTo = function (this: HTMLElement, options?: unknown) {
    this.scrollLeft = (options as ScrollToOptions).left ?? 0
  } as HTMLElement['scrollTo']
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const mouse = { pointerType: 'mouse' }
const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => fireEvent.click(button(name))
const strip = () => screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
function scrollStripTo(left: number) {
  strip().scrollLeft = left
  fireEvent.scroll(strip())
}
const currentIndex = () =>
  screen.getAllByRole('group', { hidden: true }).findIndex((slide) => slide.getAttribute('aria-hidden') === 'false')
const wait = (millis: number) => act(() => vi.advanceTimersByTime(millis))
const showCarousel = () => render(<Carousel label="Clip" images={images} sizes="100vw" />).container.firstElementChild!

test('advances every 3000 ms and wraps around', () => {
  showCarousel()
  wait(2999)
  expect(currentIndex()).toBe(0)
  wait(1)
  expect(currentIndex()).toBe(1)
  wait(3000)
  expect(currentIndex()).toBe(2)
  wait(3000)
  expect(currentIndex()).toBe(0)
})

test.each<[string, (carousel: Element) => unknown, (carousel: Element) => unknown]>([
  ['paused', () => press('Pause the pictures'), () => press('Play the pictures')],
  ['hovered', (it) => fireEvent.pointerEnter(it, mouse), (it) => fireEvent.pointerLeave(it, mouse)],
  ['a control is focused', () => fireEvent.focus(button('Next picture')), () => fireEvent.blur(button('Next picture'))],
])('does not advance while %s', (_, stop, resume) => {
  const carousel = showCarousel()
  stop(carousel)
  wait(20_000)
  expect(currentIndex()).toBe(0)
  resume(carousel)
  wait(3000)
  expect(currentIndex()).toBe(1)
})

test('does not advance under reduced motion until played', () => {
  reduced = true
  showCarousel()
  wait(20_000)
  expect(currentIndex()).toBe(0)
  press('Play the pictures')
  wait(3000)
  expect(currentIndex()).toBe(1)
})

test('wraps around in both directions', () => {
  showCarousel()
  press('Previous picture')
  expect(currentIndex()).toBe(2)
  press('Next picture')
  expect(currentIndex()).toBe(0)
})

test('shows the image of a pressed dot', () => {
  showCarousel()
  press('Picture 3')
  expect(currentIndex()).toBe(2)
})

test('follows a swipe once it has settled', () => {
  showCarousel()
  scrollStripTo(200)
  wait(120)
  expect(currentIndex()).toBe(2)
})

test('keeps an image chosen before a swipe settles', () => {
  showCarousel()
  scrollStripTo(200)
  press('Picture 1')
  wait(120)
  expect([currentIndex(), strip().scrollLeft]).toEqual([0, 0])
})

test('continues an interrupted scroll unless the visitor scrolls', () => {
  showCarousel()
  press('Picture 3')
  scrollStripTo(40)
  wait(120)
  expect([currentIndex(), strip().scrollLeft]).toEqual([2, 200])
  fireEvent.wheel(strip())
  scrollStripTo(100)
  wait(120)
  expect(currentIndex()).toBe(1)
})

test('keeps an image chosen before an earlier scroll starts', () => {
  showCarousel()
  const delayedScroll = vi.spyOn(strip(), 'scrollTo').mockImplementation(() => {})
  press('Picture 3')
  const first = button('Picture 1')
  fireEvent.keyDown(first, { key: 'Enter' })
  fireEvent.click(first)
  delayedScroll.mockRestore()
  scrollStripTo(200)
  wait(120)
  expect([currentIndex(), strip().scrollLeft]).toEqual([0, 0])
})
