/** An instant at the venue: 'Saturday, November 28, 6:00 PM EST'. */
export function doorTime(instant: string, timeZone: string): string {
  const parts = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(new Date(instant))
  const day = parts({ weekday: 'long', month: 'long', day: 'numeric' })
  // Engines differ in the space before PM; a plain one is meant.
  return `${day}, ${parts({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).replace(/\s/g, ' ')}`
}

export type DoorState = 'before' | 'open' | 'after'

/** Where a moment lies to the time in which the door takes check-ins. */
export function doorState({ opensAt, closesAt }: { opensAt: string; closesAt: string }, now: number): DoorState {
  if (now < Date.parse(opensAt)) return 'before'
  return now < Date.parse(closesAt) ? 'open' : 'after'
}
