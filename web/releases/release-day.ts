/** '12:00 AM EST'. Engines differ in the space before AM. */
export const formatTimeInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
    .format(new Date(timestamp))
    .replace(/\s/g, ' ')
