import { utcToZonedTime, zonedTimeToUtc } from '../../worker/lib/clock.ts'

const DAY = 24 * 60 * 60 * 1000

type Show = {
  id: string
  city: string
  venue: string
  address: string
  /** Days from the day of seeding, moved on to the next `weekday`; or a fixed date. */
  when: { inDays: number; weekday: number } | { date: string }
  time: string
  timeZone?: string
  priceCents: number
  tickets: number | null
  soldOut?: boolean
  vip?: boolean
  art: string
}

const FRIDAY = 5
const SATURDAY = 6
const THURSDAY = 4

/** Invented rooms in real cities. Upcoming ones keep their distance from today; the past ones fill the calendar back to its first month. */
export const shows: readonly Show[] = [
  {
    id: 'show-bayfront-shell',
    city: 'Tampa',
    venue: 'Bayfront Shell',
    address: '200 Harborlight Walk, Tampa, FL 33602',
    when: { inDays: 8, weekday: FRIDAY },
    time: '20:00',
    priceCents: 2500,
    tickets: 140,
    vip: true,
    art: 'venue-1',
  },
  {
    id: 'show-brickyard',
    city: 'St. Petersburg',
    venue: 'Brickyard Ballroom',
    address: '1418 Kiln Street N, St. Petersburg, FL 33701',
    when: { inDays: 15, weekday: SATURDAY },
    time: '21:00',
    priceCents: 2000,
    tickets: 7,
    art: 'venue-2',
  },
  {
    id: 'show-lantern-roof',
    city: 'Orlando',
    venue: 'Lantern Roof',
    address: '77 Overlook Court, Orlando, FL 32801',
    when: { inDays: 23, weekday: THURSDAY },
    time: '19:30',
    priceCents: 0,
    tickets: 85,
    art: 'venue-3',
  },
  {
    id: 'show-cellar-nine',
    city: 'Miami',
    venue: 'Cellar Nine',
    address: '9 Saltgrass Alley, Miami, FL 33132',
    when: { inDays: 36, weekday: SATURDAY },
    time: '22:00',
    priceCents: 3500,
    tickets: 0,
    soldOut: true,
    vip: true,
    art: 'venue-4',
  },
  {
    id: 'show-palace-marquee',
    city: 'Mobile',
    venue: 'Palace Marquee',
    address: '512 Azalea Row, Mobile, AL 36602',
    when: { inDays: 50, weekday: FRIDAY },
    time: '20:00',
    timeZone: 'America/Chicago',
    priceCents: 2800,
    tickets: 220,
    art: 'venue-5',
  },
  {
    id: 'show-bayfront-shell-encore',
    city: 'Tampa',
    venue: 'Bayfront Shell',
    address: '200 Harborlight Walk, Tampa, FL 33602',
    when: { inDays: 71, weekday: SATURDAY },
    time: '20:00',
    priceCents: 2500,
    tickets: 400,
    vip: true,
    art: 'venue-1',
  },
  {
    id: 'show-past-1',
    city: 'Tampa',
    venue: 'Brass Anchor Hall',
    address: '31 Ropewalk Lane, Tampa, FL 33605',
    when: { inDays: -27, weekday: FRIDAY },
    time: '20:30',
    priceCents: 1800,
    tickets: 0,
    soldOut: true,
    art: 'venue-2',
  },
  {
    id: 'show-past-2',
    city: 'Sarasota',
    venue: 'Bayfront Pavilion',
    address: '6 Quayside Drive, Sarasota, FL 34236',
    when: { inDays: -62, weekday: SATURDAY },
    time: '19:00',
    priceCents: 1500,
    tickets: 12,
    art: 'venue-1',
  },
  {
    id: 'show-past-3',
    city: 'Atlanta',
    venue: 'Peachlight Rooms',
    address: '940 Foundry Street, Atlanta, GA 30313',
    when: { inDays: -118, weekday: SATURDAY },
    time: '21:00',
    priceCents: 2200,
    tickets: 0,
    soldOut: true,
    vip: true,
    art: 'venue-4',
  },
  {
    id: 'show-2025-finale',
    city: 'Tampa',
    venue: 'Brass Anchor Hall',
    address: '31 Ropewalk Lane, Tampa, FL 33605',
    when: { date: '2025-07-20' },
    time: '19:00',
    priceCents: 0,
    tickets: 0,
    soldOut: true,
    vip: true,
    art: 'venue-2',
  },
]

const LENGTH = 3 * 60 * 60 * 1000

/** When a show starts and ends, in epoch milliseconds, for a demo seeded at `now`. */
export function showTimes(
  { when, time, timeZone = 'America/New_York' }: Show,
  now: number,
): { startsAt: number; endsAt: number } {
  const date = 'date' in when ? when.date : dayAfter(now, when, timeZone)
  const startsAt = zonedTimeToUtc(date, time, timeZone)
  return { startsAt, endsAt: startsAt + LENGTH }
}

function dayAfter(now: number, { inDays, weekday }: { inDays: number; weekday: number }, timeZone: string): string {
  const noon = Date.parse(`${utcToZonedTime(now + inDays * DAY, timeZone).date}T12:00:00Z`)
  const wait = (weekday - new Date(noon).getUTCDay() + 7) % 7
  return new Date(noon + wait * DAY).toISOString().slice(0, 10)
}
