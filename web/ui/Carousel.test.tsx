import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Carousel } from './Carousel'

const images = ['a', 'b', 'c'].map((name) => ({ url: `/media/x/${name}.webp`, alt: `View ${name}` }))
let prefersReducedMotion = false
let notifyInView: (isIntersecting: boolean) => void

beforeEach(() => {
  prefersReducedMotion = false
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        notifyInView = (isIntersecting) => act(() => notify([{ isIntersecting }]))
      }
      observe() {}
      disconnect() {}
    },
  )
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => ({
    matches: prefersReducedMotion,
    addEventListener() {},
    removeEventListener() {},
  }))
  // happy-dom has no layout: every image is 100 px wide and scrolls at once.
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
const carouselStrip = () => screen.getAllByRole('group', { hidden: true })[0]!.parentElement!
function scrollStripTo(left: number) {
  carouselStrip().scrollLeft = left
  fireEvent.scroll(carouselStrip())
}
const currentIndex = () =>
  screen.getAllByRole('group', { hidden: true }).findIndex((slide) => slide.getAttribute('aria-hidden') === 'false')
const advanceTimers = (millis: number) => act(() => vi.advanceTimersByTime(millis))
/** Waits as long after a scroll event as the carousel does before it considers the scroll finished. */
const endScroll = () => advanceTimers(120)
function renderCarousel() {
  const { container } = render(<Carousel label="Clip" images={images} sizes="100vw" />)
  notifyInView(true)
  return container.firstElementChild!
}

test('advances every 3000 ms and wraps around', () => {
  renderCarousel()
  advanceTimers(2999)
  expect(currentIndex()).toBe(0)
  advanceTimers(1)
  expect(currentIndex()).toBe(1)
  advanceTimers(3000)
  expect(currentIndex()).toBe(2)
  advanceTimers(3000)
  expect(currentIndex()).toBe(0)
})

test.each<[string, (carousel: Element) => unknown, (carousel: Element) => unknown]>([
  ['paused', () => press('Pause the pictures'), () => press('Play the pictures')],
  [
    'hovered',
    (carousel) => fireEvent.pointerEnter(carousel, mouse),
    (carousel) => fireEvent.pointerLeave(carousel, mouse),
  ],
  ['off screen', () => notifyInView(false), () => notifyInView(true)],
  ['a control is focused', () => fireEvent.focus(button('Next picture')), () => fireEvent.blur(button('Next picture'))],
])('does not advance while %s', (_, stop, resume) => {
  const carousel = renderCarousel()
  stop(carousel)
  advanceTimers(20_000)
  expect(currentIndex()).toBe(0)
  resume(carousel)
  advanceTimers(3000)
  expect(currentIndex()).toBe(1)
})

test('does not advance under reduced motion until played', () => {
  prefersReducedMotion = true
  renderCarousel()
  advanceTimers(20_000)
  expect(currentIndex()).toBe(0)
  press('Play the pictures')
  advanceTimers(3000)
  expect(currentIndex()).toBe(1)
})

test('wraps around in both directions', () => {
  renderCarousel()
  press('Previous picture')
  expect(currentIndex()).toBe(2)
  press('Next picture')
  expect(currentIndex()).toBe(0)
})

test('shows the image of a pressed dot', () => {
  renderCarousel()
  press('Picture 3')
  expect(currentIndex()).toBe(2)
})

test('shows the image that a swipe ends on', () => {
  renderCarousel()
  scrollStripTo(200)
  endScroll()
  expect(currentIndex()).toBe(2)
})

test('keeps an image chosen before a swipe ends', () => {
  renderCarousel()
  scrollStripTo(200)
  press('Picture 1')
  endScroll()
  expect([currentIndex(), carouselStrip().scrollLeft]).toEqual([0, 0])
})

test('finishes an interrupted scroll unless the visitor scrolls', () => {
  renderCarousel()
  press('Picture 3')
  scrollStripTo(40)
  endScroll()
  expect([currentIndex(), carouselStrip().scrollLeft]).toEqual([2, 200])
  fireEvent.wheel(carouselStrip())
  scrollStripTo(100)
  endScroll()
  expect(currentIndex()).toBe(1)
})

test('a delayed scroll does not replace an image chosen later', () => {
  renderCarousel()
  const delayedScroll = vi.spyOn(carouselStrip(), 'scrollTo').mockImplementation(() => {})
  press('Picture 3')
  const firstDot = button('Picture 1')
  fireEvent.keyDown(firstDot, { key: 'Enter' })
  fireEvent.click(firstDot)
  delayedScroll.mockRestore()
  scrollStripTo(200)
  endScroll()
  expect([currentIndex(), carouselStrip().scrollLeft]).toEqual([0, 0])
})
