/** The ISO time so many hours from now; negative hours are in the past. */
export const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
