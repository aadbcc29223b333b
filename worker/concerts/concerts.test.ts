import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Concert } from '../contract/concerts'
import { DAY_MS, HOUR_MS, zonedTimeToUtc } from '../lib/clock'
import { getJson, send } from '../testing/client'
import { buildShow, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { showsSinceQuery, toConcert } from './concerts'
import { concerts } from './concerts.table'

const NEW_YORK = 'America/New_York'

beforeEach(() => db.delete(concerts))

const list = async (path: string) => z.array(Concert).parse(await getJson(path, { at: NOON }))

test('returns venue-local times and the price with two decimals', async () => {
  await db.insert(concerts).values(buildShow({ startsAt: NOON + 12 * HOUR_MS, endsAt: NOON + 14.5 * HOUR_MS }))
  expect(await list('/api/concerts')).toEqual([
    {
      id: 'show',
      slug: 'show',
      date: '2026-07-02',
      city: 'Tampa',
      venue: 'A Hall',
      address: '1 Street',
      startTime: '00:00',
      endTime: '02:30',
      timeZone: NEW_YORK,
      startsAt: '2026-07-02T04:00:00.000Z',
      endsAt: '2026-07-02T06:30:00.000Z',
      price: '25.00',
      ticketsAvailable: 7,
      isSoldOut: false,
      hasVip: true,
      imageUrl: '/media/a/hall.webp',
      imageAlt: 'A hall',
    },
  ])
})

test('returns 0.00 for free shows and null for unknown tickets', () => {
  expect(toConcert(buildShow({ priceCents: 0, ticketsAvailable: null }))).toMatchObject({
    price: '0.00',
    ticketsAvailable: null,
  })
})

test('lists current and upcoming shows, soonest first', async () => {
  // Inserts one row at a time, because D1 allows only 100 variables per statement.
  for (const row of [
    buildShow({ id: 'later', startsAt: NOON + 2 * DAY_MS, endsAt: NOON + 2 * DAY_MS + HOUR_MS }),
    buildShow({ id: 'next-b', startsAt: NOON + DAY_MS, endsAt: NOON + DAY_MS + HOUR_MS }),
    buildShow({ id: 'next-a', startsAt: NOON + DAY_MS, endsAt: NOON + DAY_MS + HOUR_MS }),
    buildShow({ id: 'on', startsAt: NOON - HOUR_MS, endsAt: NOON + 1 }),
    buildShow({ id: 'just-over', startsAt: NOON - HOUR_MS, endsAt: NOON }),
    buildShow({ id: 'long-over', startsAt: NOON - 300 * DAY_MS, endsAt: NOON - 300 * DAY_MS + HOUR_MS }),
  ])
    await db.insert(concerts).values(row)
  const upcoming = (await list('/api/concerts/upcoming')).map(({ id }) => id)
  expect(upcoming).toEqual(['on', 'next-a', 'next-b', 'later'])
  const all = (await list('/api/concerts')).map(({ id }) => id)
  expect(all).toEqual(['long-over', 'just-over', ...upcoming])
})

test('finds shows that begin after a time by index', async () => {
  expect(await queryPlan(showsSinceQuery(db, NOON))).toEqual([
    expect.stringMatching(/SEARCH .* USING INDEX concerts_when/),
  ])
})

test.each([
  ['the night before spring forward', '2026-03-07', '2026-03-08T04:30:00.000Z'],
  ['the night of spring forward', '2026-03-08', '2026-03-09T03:30:00.000Z'],
  ['the night before fall back', '2026-10-31', '2026-11-01T03:30:00.000Z'],
  ['the night of fall back', '2026-11-01', '2026-11-02T04:30:00.000Z'],
  ['a leap day', '2028-02-29', '2028-03-01T04:30:00.000Z'],
  ['new year’s eve', '2026-12-31', '2027-01-01T04:30:00.000Z'],
])('keeps the local date of a late show on %s', (_, date, startsAt) => {
  const at = zonedTimeToUtc(date, '23:30', NEW_YORK)
  expect(toConcert(buildShow({ startsAt: at, endsAt: at + 3 * HOUR_MS }))).toMatchObject({
    date,
    startTime: '23:30',
    startsAt,
  })
})

test('ends a show correctly across a DST change', () => {
  const springStart = zonedTimeToUtc('2026-03-07', '23:30', NEW_YORK)
  expect(toConcert(buildShow({ startsAt: springStart, endsAt: springStart + 3 * HOUR_MS })).endTime).toBe('03:30')
  const autumnStart = zonedTimeToUtc('2026-10-31', '23:30', NEW_YORK)
  expect(toConcert(buildShow({ startsAt: autumnStart, endsAt: autumnStart + 3 * HOUR_MS })).endTime).toBe('01:30')
})

test('uses each venue’s time zone', () => {
  const startsAt = zonedTimeToUtc('2026-07-04', '20:00', 'America/Chicago')
  expect(toConcert(buildShow({ startsAt, timeZone: 'America/Chicago' }))).toMatchObject({
    date: '2026-07-04',
    startTime: '20:00',
  })
  expect(toConcert(buildShow({ startsAt, timeZone: 'Asia/Tokyo' }))).toMatchObject({
    date: '2026-07-05',
    startTime: '10:00',
  })
})

test('hides removed shows everywhere', async () => {
  await db.insert(concerts).values([buildShow({ id: 'on' }), buildShow({ id: 'off', removedAt: NOON })])
  for (const path of ['/api/concerts', '/api/concerts/upcoming'])
    expect((await getJson<{ id: string }[]>(path, { at: NOON })).map(({ id }) => id)).toEqual(['on'])
  expect(await (await send('GET', '/shows.ics', undefined, { at: NOON })).text()).not.toContain('off')
  expect((await send('GET', '/api/concerts/off/event.ics', undefined, { at: NOON })).status).toBe(404)
})
