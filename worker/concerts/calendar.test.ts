import { createExecutionContext, env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../app'
import { DAY_MS, HOUR_MS, zonedTimeToUtc } from '../lib/clock'
import { errorOf, send } from '../testing/client'
import { buildShow, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { toICalendar } from './calendar'
import type { ShowRow } from './concerts'
import { concerts } from './concerts.table'

const icsOf = (shows: ShowRow[], artistName = 'Any Artist', currency = 'USD') =>
  toICalendar(shows, { artistName, currency, origin: 'https://fan.example', at: NOON + 123 })
const parse = (text: string) => new ICAL.Component(ICAL.parse(text))
const eventsOf = (text: string) =>
  parse(text)
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event))

beforeAll(async () => {
  await seedSite(env.DB)
  await db
    .insert(concerts)
    .values([
      buildShow({ id: 'a-month-ago', startsAt: NOON - 30 * DAY_MS + 1, endsAt: NOON - 29 * DAY_MS }),
      buildShow({ id: 'older', startsAt: NOON - 30 * DAY_MS, endsAt: NOON - 29 * DAY_MS }),
      buildShow({ id: 'odd";\r\nid', startsAt: NOON + 9 * DAY_MS, endsAt: NOON + 9 * DAY_MS + HOUR_MS }),
    ])
})

test('includes the last 30 days and all upcoming shows', async () => {
  const response = await send('GET', '/shows.ics', undefined, { at: NOON })
  expect(['content-type', 'content-disposition'].map((name) => response.headers.get(name))).toEqual([
    'text/calendar; charset=utf-8',
    'inline; filename="shows.ics"',
  ])
  const text = await response.text()
  expect(eventsOf(text).map(({ uid }) => uid)).toEqual([
    'a-month-ago@fan.example',
    'show-1@fan.example',
    'odd%22%3B%0D%0Aid@fan.example',
  ])
  expect(parse(text).getFirstPropertyValue('x-wr-calname')).toBe('Any Artist: live shows')
})

test('uses the configured origin, not the requested host', async () => {
  const request = new Request('https://other.example/shows.ics')
  const response = await createApp(() => NOON).fetch(request, env, createExecutionContext())
  const [event] = eventsOf(await response.text())
  expect([event?.uid, event?.component.getFirstPropertyValue('url')]).toEqual([
    'a-month-ago@fan.example',
    'https://fan.example/shows/a-month-ago',
  ])
})

test('answers 304 for an unchanged feed', async () => {
  const get = (headers = {}) => send('GET', '/shows.ics', undefined, { at: NOON, headers })
  const { headers } = await get()
  expect(headers.get('cache-control')).toBe('public, no-cache')
  expect((await get({ 'if-none-match': headers.get('etag') })).status).toBe(304)
})

test('changes a show’s etag only with the show', async () => {
  const get = (at: number, headers = {}) => send('GET', '/api/concerts/show-1/event.ics', undefined, { at, headers })
  const etag = (await get(NOON)).headers.get('etag')
  const isUnchanged = async () => (await get(NOON + 2 * HOUR_MS, { 'if-none-match': etag })).status === 304
  expect(await isUnchanged()).toBe(true)
  await db.update(concerts).set({ venue: 'Another Hall' }).where(eq(concerts.id, 'show-1'))
  expect(await isUnchanged()).toBe(false)
  await db.update(concerts).set({ venue: 'Any Hall' }).where(eq(concerts.id, 'show-1'))
})

test('serves a show as an event attachment', async () => {
  const response = await send('GET', '/api/concerts/show-1/event.ics', undefined, { at: NOON })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="show-1.ics"')
  const text = await response.text()
  const [event] = eventsOf(text)
  expect(text).toContain('\r\nDTSTART:20260702T160000Z\r\nDTEND:20260702T190000Z\r\n')
  expect(event).toMatchObject({
    uid: 'show-1@fan.example',
    summary: 'Any Artist at Any Hall',
    location: 'Any Hall, 1 Any Street, Tampa, FL 33602',
    description: 'Tickets at the door: $25.00.',
  })
  expect(event?.component.getFirstPropertyValue('url')).toBe('https://fan.example/shows/show-1')
})

test('uses only safe characters in the file name', async () => {
  const response = await send('GET', `/api/concerts/${encodeURIComponent('odd";\r\nid')}/event.ics`)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="oddid.ics"')
})

test.each(['none', '-1', '9007199254740993', '%00', '..%2f'])('answers 404 for show %s', async (id) => {
  const unknownShowError = [404, 'not_found', 'That show does not exist.']
  expect(await errorOf(await send('GET', `/api/concerts/${id}/event.ics`))).toEqual(unknownShowError)
})

test.each([
  ['2026-03-07', '20260308T043000Z', '20260308T063000Z'],
  ['2026-03-08', '20260309T033000Z', '20260309T053000Z'],
  ['2026-10-31', '20261101T033000Z', '20261101T053000Z'],
  ['2026-11-01', '20261102T043000Z', '20261102T063000Z'],
])('converts 23:30 in New York on %s to UTC', (date, start, end) => {
  const startsAt = zonedTimeToUtc(date, '23:30', 'America/New_York')
  const text = icsOf([buildShow({ startsAt, endsAt: startsAt + 2 * HOUR_MS })])
  expect(text).toContain(`\r\nDTSTART:${start}\r\nDTEND:${end}\r\n`)
})

test('an event has the show’s end and currency', () => {
  const [event] = eventsOf(icsOf([buildShow({ startsAt: NOON, endsAt: NOON + 5 * HOUR_MS })], 'Any Artist', 'EUR'))
  expect([event?.duration.toSeconds(), event?.description]).toEqual([18_000, 'Tickets at the door: €25.00.'])
})

test('marks free shows and renders an empty calendar', () => {
  expect(eventsOf(icsOf([buildShow({ priceCents: 0 })]))[0]?.description).toBe('Free entry.')
  expect(eventsOf(icsOf([]))).toEqual([])
})

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        ',',
        ';',
        '\\',
        '"',
        '\n',
        '\r\n',
        '\r',
        ':',
        '👩‍🎤',
        'é',
        '漢',
        '\u0000',
        '\u000b',
        '\u2028',
        ' ',
        '\t',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'ATTENDEE:mailto:a@b',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
)
const oneLine = (value: string) => value.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()

test('round-trips any text without injecting properties', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (artist, venue, address) => {
      const ics = icsOf(
        [buildShow({ venue, address }), buildShow({ id: 'show-10', venue: address, address: venue })],
        artist,
      )
      expect(ics.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true)
      const lines = ics.split('\r\n')
      for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
      expect(lines.some((line) => /[\u0000-\u001f\u007f]/.test(line))).toBe(false)
      const events = eventsOf(ics)
      expect(events.map(({ uid }) => uid)).toEqual(['show@fan.example', 'show-10@fan.example'])
      expect(events[0]?.summary).toBe(oneLine(`${artist} at ${venue}`))
      expect(events[0]?.location).toBe(oneLine(`${venue}, ${address}`))
      expect(events[0]?.component.getAllProperties().map(({ name }) => name)).toEqual([
        'uid',
        'sequence',
        'dtstamp',
        'dtstart',
        'dtend',
        'summary',
        'location',
        'description',
        'url',
      ])
    }),
    { numRuns: 300 },
  )
})
