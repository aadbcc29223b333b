import { parseArgs } from 'node:util'
import type { Prompt } from '../tools/prompt.ts'

/** Artist details stored when a site is set up. */
export type SiteDetails = {
  name: string
  city: string
  tagline: string
  hashtag: string
  prefix: string
  timeZone: string
  description: string
}

const QUESTIONS: readonly [keyof SiteDetails, question: string, defaultOf: (details: SiteDetails) => string][] = [
  ['name', 'Name of the artist', () => ''],
  ['city', 'City', () => ''],
  ['tagline', 'Tagline', ({ city }) => `From ${city}`],
  ['hashtag', 'Hashtag', ({ name }) => `#${alphanumeric(name)}`],
  ['prefix', 'Prefix of referral codes', ({ name }) => alphanumeric(name).toUpperCase().slice(0, 4)],
  ['timeZone', 'Time zone', () => 'America/New_York'],
  [
    'description',
    'One sentence for search engines',
    ({ name, city }) => `${name} from ${city}: music, shows and merch.`,
  ],
]
/** Alphanumeric characters of a name, accents removed, for hashtags and codes; `FAN` if there are none. */
const alphanumeric = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9]/g, '') || 'FAN'

/**
 * Reads the site's details from flags. On a terminal, or without a name or city, it asks for every detail that has no
 * flag; otherwise these get defaults, so that a script never waits.
 */
export async function readSiteDetails(
  args: readonly string[],
  { isInteractive, ask }: Pick<Prompt, 'isInteractive' | 'ask'>,
): Promise<{
  details: SiteDetails
  remote: boolean
  config: string
  skipIfSetUp: boolean
  empty: boolean
  state: string
}> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: text,
      city: text,
      tagline: text,
      hashtag: text,
      prefix: text,
      'time-zone': text,
      description: text,
      remote: { type: 'boolean', default: false },
      config: { type: 'string', default: 'wrangler.toml' },
      'skip-if-set-up': { type: 'boolean', default: false },
      empty: { type: 'boolean', default: false },
      state: { type: 'string', default: '.wrangler/state' },
    },
  })
  const usesPrompt = isInteractive || !(values.name && values.city)
  const details: SiteDetails = {
    name: '',
    city: '',
    tagline: '',
    hashtag: '',
    prefix: '',
    timeZone: '',
    description: '',
  }
  for (const [field, question, defaultOf] of QUESTIONS) {
    const defaultValue = defaultOf(details)
    const flag = field === 'timeZone' ? values['time-zone'] : values[field]
    const answer =
      flag ?? (usesPrompt ? await ask(defaultValue === '' ? `${question}: ` : `${question} [${defaultValue}]: `) : '')
    details[field] = answer.trim() || defaultValue
  }
  const { remote, config, 'skip-if-set-up': skipIfSetUp, empty, state } = values
  return { details, remote, config, skipIfSetUp, empty, state }
}

/** The first problem with the details, or null. */
export function validateSiteDetails(details: SiteDetails): string | null {
  if (details.name === '' || details.city === '')
    return 'Usage: npm run site:init -- --name <artist> --city <city> [--tagline ...] [--hashtag ...] [--prefix ...] [--time-zone ...] [--description ...] [--empty] [--remote]'
  if (details.name.length > 60) return 'The name must be at most 60 characters.'
  if (!/^#[\p{L}\p{N}_]+$/u.test(details.hashtag)) return 'The hashtag must be # followed by letters or digits.'
  if (!/^[A-Z0-9]{1,12}$/.test(details.prefix)) return 'The prefix must be 1 to 12 capital letters and digits.'
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: details.timeZone })
  } catch {
    return 'The time zone must be one like America/New_York.'
  }
  return null
}
