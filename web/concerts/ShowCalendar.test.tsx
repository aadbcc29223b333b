import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildShow } from '../testing/show.fixture'
import { ShowCalendar } from './ShowCalendar'

const upcomingShows = [
  buildShow(),
  buildShow({ id: 'late', date: '2026-12-31', isSoldOut: true, venue: 'The Late Room' }),
]

async function renderCalendar(shows = upcomingShows) {
  const { sent } = mockFetch({
    'GET /api/concerts': [...shows, buildShow({ id: 'old', date: '2025-07-04', venue: 'Then' })],
  })
  const onOpen = vi.fn()
  await renderWithProviders(<ShowCalendar upcoming={shows} onOpen={onOpen} />)
  return { sent, onOpen, press: (name: string) => fireEvent.click(screen.getByRole('button', { name })) }
}

const monthHeading = () => screen.getByRole('heading', { level: 3 }).textContent

test('opens at the next show’s month without another request', async () => {
  const { sent } = await renderCalendar()
  expect(monthHeading()).toBe('November 2026')
  expect(sent).toEqual([])
})

test('pages from December to January and back', async () => {
  const { press } = await renderCalendar()
  press('Next')
  press('Next')
  expect(monthHeading()).toBe('January 2027')
  press('Previous')
  expect(monthHeading()).toBe('December 2026')
})

test('goes to any month with the month picker', async () => {
  await renderCalendar()
  const picker = screen.getByRole('combobox', { name: 'Month' }) as HTMLSelectElement
  expect([picker.options[0]?.text, picker.selectedOptions[0]?.text]).toEqual(['July 2025', 'November 2026'])
  expect(picker.options[picker.options.length - 1]?.text).toBe('December 2027')
  fireEvent.change(picker, { target: { value: '2025-07-01' } })
  expect([monthHeading(), picker.value]).toEqual(['July 2025', '2025-07-01'])
  expect(await screen.findByRole('button', { name: 'Friday, July 4, 2025. Then, Tampa: Played' })).toBeDefined()
})

test('pages back to July 2025 and marks past shows', async () => {
  const { press } = await renderCalendar()
  for (let page = 0; page < 16; page += 1) press('Previous')
  expect(monthHeading()).toBe('July 2025')
  // `aria-disabled` instead of `disabled`, so that the button does not lose the keyboard focus.
  const previous = screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' })
  expect([previous.getAttribute('aria-disabled'), previous.disabled]).toEqual(['true', false])
  press('Previous')
  expect(monthHeading()).toBe('July 2025')
  expect(await screen.findByRole('button', { name: 'Friday, July 4, 2025. Then, Tampa: Played' })).toBeDefined()
})

test('labels a day with a show and opens it', async () => {
  const { press, onOpen } = await renderCalendar()
  press('Saturday, November 28, 2026. The Quay, Tampa: Available')
  expect(onOpen).toHaveBeenCalledWith([upcomingShows[0]])
})

test('moves focus by arrow keys into the next month', async () => {
  await renderCalendar()
  const grid = screen.getByRole('grid', { name: 'November 2026' })
  const tabStops = () => [...grid.querySelectorAll('[tabindex="0"]')]
  expect(tabStops()).toHaveLength(1)
  fireEvent.keyDown(tabStops()[0]!, { key: 'ArrowDown' })
  expect(monthHeading()).toBe('December 2026')
  expect(tabStops()).toHaveLength(1)
  expect(document.activeElement).toBe(tabStops()[0])
  expect(document.activeElement?.textContent).toContain('December 5, 2026')
})

test('names each show state in the legend', async () => {
  await renderCalendar()
  const legend = within(screen.getByRole('list', { name: 'Legend' }))
  expect(legend.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Available Shows',
    'Sold Out',
    'VIP Available',
  ])
})

test('without shows, opens at the current month', async () => {
  vi.useFakeTimers({ now: Date.parse('2027-02-10T12:00:00Z'), toFake: ['Date'] })
  await renderCalendar([])
  expect(monthHeading()).toBe('February 2027')
  vi.useRealTimers()
})

test('shows no month before July 2025', async () => {
  vi.useFakeTimers({ now: Date.parse('2025-03-10T12:00:00Z'), toFake: ['Date'] })
  await renderCalendar([])
  expect(monthHeading()).toBe('July 2025')
  vi.useRealTimers()
})
