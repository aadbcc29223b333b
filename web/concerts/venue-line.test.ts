import { expect, test } from 'vitest'
import { parseVenueLine } from './venue-line'

test('splits a venue line with a US address', () => {
  const place = {
    venue: 'Ruby Room',
    address: '100 Main St, Suite 2, Tampa, FL 33602',
    city: 'Tampa',
    region: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  expect(parseVenueLine('Ruby Room, 100 Main St, Suite 2, Tampa, FL 33602')).toEqual(place)
  expect(parseVenueLine(' Ruby Room,100 Main St, Suite 2, Tampa, FL 33602, USA ')).toEqual(place)
})

test('splits a line with the postal code before the city', () => {
  expect(parseVenueLine('Kantine, Am Wriezener Bahnhof 1, 10243 Berlin')).toEqual({
    venue: 'Kantine',
    address: 'Am Wriezener Bahnhof 1, 10243 Berlin',
    city: 'Berlin',
    postalCode: '10243',
  })
})

test('does not split a line without venue, street and city', () => {
  for (const name of ['', 'Ruby Room', 'Tampa, FL 33602', 'Crowbar, Ybor City', 'Studio 54, 254 West 54th Street'])
    expect(parseVenueLine(name), name).toBeNull()
})
