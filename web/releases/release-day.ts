/** 'November 20, 2026' on the calendar of a time zone, so server and browser agree. */
export const formatDayInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(timestamp))

/** '12:00 AM EST'. Engines differ in the space before AM. */
export const formatTimeInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
    .format(new Date(timestamp))
    .replace(/\s/g, ' ')
