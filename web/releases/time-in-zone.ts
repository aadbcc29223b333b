/** '12:00 AM EST', with plain spaces: some engines put a narrow no-break space before AM. */
export const formatTimeInZone = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone })
    .format(new Date(timestamp))
    .replace(/\s/g, ' ')
