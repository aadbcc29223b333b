import { expect, test } from 'vitest'
import { buildShow } from '../testing/show.fixture'
import { calendarUrl, directionsUrl } from './ShowLinks'
import { clockTime, doorPrice, showState, showTimes, ticketLabel } from './show-format'

test.each([
  [{ isSoldOut: true, ticketsAvailable: 100 }, 'Sold Out'],
  [{ isSoldOut: true, ticketsAvailable: null }, 'Sold Out'],
  [{ isSoldOut: false, ticketsAvailable: 9 }, 'Few tickets left'],
  [{ isSoldOut: false, ticketsAvailable: -1 }, 'Few tickets left'],
  [{ isSoldOut: false, ticketsAvailable: 10 }, 'Available'],
  [{ isSoldOut: false, ticketsAvailable: 0 }, 'Available'],
  [{ isSoldOut: false, ticketsAvailable: null }, 'Available'],
])('labels tickets %o as %s', (tickets, label) => {
  expect(ticketLabel(tickets)).toBe(label)
})

test('marks a sold-out VIP show as sold out', () => {
  expect(showState({ isSoldOut: true, hasVip: true })).toBe('soldOut')
  expect(showState({ isSoldOut: false, hasVip: true })).toBe('vip')
})

test.each([
  ['0.00', 'Free'],
  ['25.00', '$25'],
  ['12.50', '$12.50'],
])('formats the price %s as %s', (price, text) => {
  expect(doorPrice(price)).toBe(text)
})

test.each([
  ['00:05', '12:05 AM'],
  ['12:00', '12:00 PM'],
  ['23:30', '11:30 PM'],
])('formats the time %s as %s', (time, text) => {
  expect(clockTime(time)).toBe(text)
})

test('names the venue’s time zone on the show’s date', () => {
  expect(showTimes(buildShow())).toBe('8:00 PM to 11:00 PM EST')
  expect(showTimes(buildShow({ startsAt: '2026-07-01T00:00:00Z' }))).toBe('8:00 PM to 11:00 PM EDT')
})

test.each([
  ['2026-11-29T01:00:00Z', '20261129T010000Z/20261129T040000Z'],
  // 11:30 PM before a clock change: three hours pass, although clocks show two or four.
  ['2026-03-08T04:30:00Z', '20260308T043000Z/20260308T073000Z'],
  ['2026-11-01T03:30:00Z', '20261101T033000Z/20261101T063000Z'],
  ['2026-12-31T22:00:00Z', '20261231T220000Z/20270101T010000Z'],
])('a show at %s lasts three hours in the calendar', (startsAt, dates) => {
  expect(new URL(calendarUrl(buildShow({ startsAt }), 'The Artist')).searchParams.get('dates')).toBe(dates)
})

test('puts title, description and location in the calendar link', () => {
  const query = new URL(calendarUrl(buildShow({ price: '25.00' }), 'A & B')).searchParams
  expect(query.get('text')).toBe('A & B live at The Quay')
  expect(query.get('details')).toBe('Tickets at the door only: $25. Check in at the show for 250 points.')
  expect(query.get('location')).toBe('The Quay, 1 Dock Street, Tampa, FL')
})

test('searches directions by venue and city', () => {
  const query = new URL(directionsUrl(buildShow({ address: '1 Dock Street' }))).searchParams
  expect(query.get('query')).toBe('The Quay, 1 Dock Street, Tampa')
})
