import type { ShowPage } from '../../worker/contract/concerts'
import { buildShow } from './show.fixture'

/** A visitor's show page while check-in is open. */
export const buildShowPage = (changes: Partial<ShowPage> = {}): ShowPage => {
  const from = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  return {
    ...buildShow({ startsAt: from(-1) }),
    endsAt: from(2),
    now: from(0),
    checkIn: { opensAt: from(-3), closesAt: from(3), points: 250, doneAt: null },
    going: { count: 3, names: ['ann'], me: null },
    ...changes,
  }
}
