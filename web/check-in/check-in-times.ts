/** 'Saturday, November 28, 6:00 PM EST' */
export function formatVenueTime(timestamp: string, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(new Date(timestamp))
  const day = format({ weekday: 'long', month: 'long', day: 'numeric' })
  // Some engines put a narrow no-break space before PM.
  return `${day}, ${format({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).replace(/\s/g, ' ')}`
}

type CheckInState = 'before' | 'open' | 'after'

export function checkInState({ opensAt, closesAt }: { opensAt: string; closesAt: string }, now: number): CheckInState {
  if (now < Date.parse(opensAt)) return 'before'
  return now < Date.parse(closesAt) ? 'open' : 'after'
}
