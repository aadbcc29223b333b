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

test('the calendar link has start and end in UTC', () => {
  const show = buildShow({ startsAt: '2026-12-31T22:30:00Z', endsAt: '2027-01-01T00:00:00.000Z' })
  expect(new URL(calendarUrl(show, 'The Artist')).searchParams.get('dates')).toBe('20261231T223000Z/20270101T000000Z')
})

test('puts title, description and location in the calendar link', () => {
  const query = new URL(calendarUrl(buildShow({ price: '25.00' }), 'A & B')).searchParams
  expect(query.get('text')).toBe('A & B live at The Quay')
  expect(query.get('details')).toBe('Tickets at the door only: $25. Check in at the show for 250 points.')
  expect(query.get('location')).toBe('The Quay, 1 Dock Street, Tampa, FL')
})

test('the calendar link offers no tickets of a sold-out show', () => {
  const detailsOf = (show: Parameters<typeof buildShow>[0]) =>
    new URL(calendarUrl(buildShow(show), 'The Artist')).searchParams.get('details')
  expect(detailsOf({ isSoldOut: true })).toMatch(/^Sold out\. /)
  expect(detailsOf({ price: '0.00' })).toMatch(/^Free entry\. /)
})

test('searches directions by venue and city', () => {
  const query = new URL(directionsUrl(buildShow({ address: '1 Dock Street' }))).searchParams
  expect(query.get('query')).toBe('The Quay, 1 Dock Street, Tampa')
})
