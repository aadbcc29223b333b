import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS, Tooltip } from './Tooltip'

let startedAt = 10_000_000
beforeEach(() => {
  // Starts a minute after the previous test, whose last tooltip would make the first one here skip the delay.
  startedAt += 60_000
  vi.useFakeTimers({ now: startedAt })
})
afterEach(() => {
  vi.useRealTimers()
})

function renderTooltips() {
  render(
    <>
      <Tooltip label="Mute">
        <button type="button">one</button>
      </Tooltip>
      <Tooltip label="Pause">
        <button type="button">two</button>
      </Tooltip>
    </>,
  )
  return ['one', 'two'].map((name) => screen.getByRole('button', { name }).parentElement!) as [HTMLElement, HTMLElement]
}
const advanceTimers = (millis: number) => act(() => vi.advanceTimersByTime(millis))
const tooltipText = () => screen.queryByRole('tooltip')?.textContent ?? null
const mouse = { pointerType: 'mouse' }

test('uses delays of 700 and 300 ms', () => {
  expect([TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS]).toEqual([700, 300])
})

test('opens after hovering for 700 ms', () => {
  const [mute] = renderTooltips()
  fireEvent.pointerEnter(mute, mouse)
  advanceTimers(699)
  expect(tooltipText()).toBeNull()
  advanceTimers(1)
  expect(tooltipText()).toBe('Mute')
  expect(screen.getByRole('button', { name: 'one' }).getAttribute('aria-describedby')).toBe(
    screen.getByRole('tooltip').id,
  )
})

test('skips the delay within 300 ms of another tooltip', () => {
  const [mute, pause] = renderTooltips()
  fireEvent.pointerEnter(mute, mouse)
  advanceTimers(700)
  fireEvent.pointerLeave(mute, mouse)
  advanceTimers(299)
  fireEvent.pointerEnter(pause, mouse)
  expect(tooltipText()).toBe('Pause')
  fireEvent.pointerLeave(pause, mouse)
  advanceTimers(300)
  fireEvent.pointerEnter(mute, mouse)
  expect(tooltipText()).toBeNull()
})

test('closes on Escape', () => {
  const [mute] = renderTooltips()
  fireEvent.pointerEnter(mute, mouse)
  advanceTimers(700)
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(tooltipText()).toBeNull()
})

test('ignores touch', () => {
  const [mute] = renderTooltips()
  fireEvent.pointerEnter(mute, { pointerType: 'touch' })
  advanceTimers(5000)
  expect(tooltipText()).toBeNull()
})
