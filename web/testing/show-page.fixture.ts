import type { ShowPage } from '../../worker/contract/check-in'
import { buildShow } from './show.fixture'

/** The ISO time so many hours from now; negative hours are in the past. */
export const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A visitor's show page while check-in is open. */
export const buildShowPage = (changes: Partial<ShowPage> = {}): ShowPage => ({
  ...buildShow({ startsAt: hoursFromNow(-1) }),
  endsAt: hoursFromNow(2),
  now: hoursFromNow(0),
  checkIn: { opensAt: hoursFromNow(-3), closesAt: hoursFromNow(3), points: 250, doneAt: null },
  going: { count: 3, names: ['ann'], me: null },
  ...changes,
})
