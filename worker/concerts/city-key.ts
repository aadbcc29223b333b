import { normalizeKey } from '../lib/email'

/** What a city is compared by; 'Tampa,FL' and 'Tampa , FL' are one. The part behind a comma may be left out by either side. */
export const cityKey = (city: string): string => normalizeKey(city.replace(/\s*,\s*/g, ', '))
