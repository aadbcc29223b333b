import type { Concert } from '../../worker/contract/concerts'
import { formatShortPrice } from '../lib/format'

/** With fewer tickets than this, a show has 'Few tickets left'. */
const FEW_TICKETS = 10

/** Whether a show is not among the upcoming ones. */
export const isPastShow = ({ id }: Concert, upcoming: readonly Concert[]): boolean =>
  !upcoming.some((show) => show.id === id)

/** The address with the city, unless it contains that. */
export const addressWithCity = ({ address, city }: Pick<Concert, 'address' | 'city'>): string =>
  [address, ...(address.includes(city) ? [] : [city])].filter((part) => part !== '').join(', ')

export type ShowState = 'available' | 'soldOut' | 'vip'

export function showState({ isSoldOut, hasVip }: Pick<Concert, 'isSoldOut' | 'hasVip'>): ShowState {
  if (isSoldOut) return 'soldOut'
  return hasVip ? 'vip' : 'available'
}

/** 0 and null (unknown) are 'Available': only `isSoldOut` marks a show as sold out. */
export function ticketLabel({ isSoldOut, ticketsAvailable }: Pick<Concert, 'isSoldOut' | 'ticketsAvailable'>): string {
  if (isSoldOut) return 'Sold Out'
  return ticketsAvailable && ticketsAvailable < FEW_TICKETS ? 'Few tickets left' : 'Available'
}

/** '0.00' is 'Free', '25.00' is '$25', '12.50' is '$12.50'. */
export function doorPrice(price: string): string {
  return Number(price) === 0 ? 'Free' : formatShortPrice(Math.round(Number(price) * 100))
}

/** A sentence about entry: sold out, free, or the price at the door. */
export function entryText({ isSoldOut, price }: Pick<Concert, 'isSoldOut' | 'price'>): string {
  if (isSoldOut) return 'Sold out.'
  return Number(price) === 0 ? 'Free entry.' : `Tickets at the door only: ${doorPrice(price)}.`
}

/** '20:00' is '8:00 PM'. Without Intl, because engines differ in the space before PM, which would break hydration. */
export function clockTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** 'EST', 'EDT'. */
function zoneName({ startsAt, timeZone }: Pick<Concert, 'startsAt' | 'timeZone'>): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(new Date(startsAt))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** '8:00 PM to 11:00 PM EST' */
export function showTimes(show: Pick<Concert, 'startTime' | 'endTime' | 'startsAt' | 'timeZone'>): string {
  return `${clockTime(show.startTime)} to ${clockTime(show.endTime)} ${zoneName(show)}`
}
