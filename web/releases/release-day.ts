/** 'November 20, 2026' on the calendar of a time zone, so server and browser agree. */
export const formatDayInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(timestamp))
