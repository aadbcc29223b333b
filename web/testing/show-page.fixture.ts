import type { ShowPage } from '../../worker/contract/check-in'
import { hoursFromNow } from './hours-from-now'
import { buildShow } from './show.fixture'

/** A visitor's show page while check-in is open. */
export const buildShowPage = (changes: Partial<ShowPage> = {}): ShowPage => ({
  ...buildShow({ startsAt: hoursFromNow(-1) }),
  endsAt: hoursFromNow(2),
  now: hoursFromNow(0),
  checkIn: { opensAt: hoursFromNow(-3), closesAt: hoursFromNow(3), points: 250, doneAt: null },
  going: { count: 3, names: ['ann'], me: null },
  ...changes,
})
