import type { Concert } from '../../worker/contract/concerts'

/** Below this number of tickets a show has few left (specification section 9). */
const FEW_TICKETS = 10
/** Points for checking in at the door (specification section 9). */
export const CHECK_IN_POINTS = 250

/** How a day of the calendar is marked. A sold-out show stays sold out even when it had a VIP ticket. */
export type ShowState = 'available' | 'soldOut' | 'vip'

export function showState({ isSoldOut, hasVip }: Pick<Concert, 'isSoldOut' | 'hasVip'>): ShowState {
  if (isSoldOut) return 'soldOut'
  return hasVip ? 'vip' : 'available'
}

/**
 * The ticket label of the specification (section 4), to the letter: 0 is 'Available', because only `isSoldOut` says
 * that a show is sold out; so is null, a number that is not known.
 */
export function ticketLabel({ isSoldOut, ticketsAvailable }: Pick<Concert, 'isSoldOut' | 'ticketsAvailable'>): string {
  if (isSoldOut) return 'Sold Out'
  return ticketsAvailable && ticketsAvailable < FEW_TICKETS ? 'Few tickets left' : 'Available'
}

/** '0.00' is 'Free', '25.00' is '$25', '12.50' is '$12.50'. */
export function doorPrice(price: string): string {
  return Number(price) === 0 ? 'Free' : `$${price.replace(/\.00$/, '')}`
}

/** '20:00' is '8:00 PM'. Written by hand: engines differ in the space before PM, and server and browser must agree. */
export function clockTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The zone's name at the show: 'EST', 'EDT'. */
function zoneName({ startsAt, timeZone }: Pick<Concert, 'startsAt' | 'timeZone'>): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(new Date(startsAt))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** '8:00 PM to 11:00 PM EST' */
export function showTimes(show: Pick<Concert, 'startTime' | 'endTime' | 'startsAt' | 'timeZone'>): string {
  return `${clockTime(show.startTime)} to ${clockTime(show.endTime)} ${zoneName(show)}`
}
