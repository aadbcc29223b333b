import { countBallots, finalizeStatement } from '../../worker/challenge/finalize.ts'
import { zonedTimeToUtc } from '../../worker/lib/clock.ts'
import { PRIZE, seedRecord, ZONE } from './challenge-record.ts'
import { insertRows, type Row } from './insert.ts'
import { randomFrom } from './random.ts'

const ID = 'gold-open-verse-2025'
const RULES = `One verse each, sixteen bars or fewer, over the open part of the single. Say it in your own words.

Keep it clean enough for the radio. No samples and nobody else’s lines.

Seven finalists are named. Every supporter with a confirmed address has one vote, and the most votes win.`

/** Ruling 3 and the specification's section 3: 994 ballots for seven finalists. */
const finalists = [
  ['Kilo Verano', 421],
  ['Better Than average', 363],
  ['Saint Cypress', 150],
  ['Ember Tides', 35],
  ['Halfmoon Rey', 9],
  ['Dusk Parade', 8],
  ['Q. Lantana', 8],
] as const

const FIRST = [
  'Avery',
  'Briar',
  'Cleo',
  'Dario',
  'Ellis',
  'Farrah',
  'Gio',
  'Harlow',
  'Imani',
  'Jules',
  'Kai',
  'Lena',
  'Micah',
  'Noor',
  'Odessa',
  'Pax',
  'Quincy',
  'Rue',
]
const LAST = [
  'Alder',
  'Bellweather',
  'Castellane',
  'Drummond-Vale',
  'Everwood',
  'Fairlight',
  'Grovesend',
  'Hartwater',
  'Inlet',
]

/** The finished challenge with the canonical timeline of ruling 4. Addresses and phones are of the kinds kept for fiction. */
export async function seedChallenge(db: D1Database): Promise<void> {
  const random = randomFrom(994)
  await seedRecord(db, {
    id: ID,
    title: 'Gold Open Verse Challenge',
    prize: PRIZE,
    rules: RULES,
    days: ['2025-07-02', '2025-07-16', '2025-07-17', '2025-07-17', '2025-07-20', '2025-07-20', '2025-07-25'],
  })
  await insertRows(
    db,
    'challenge_finalists',
    ['id', 'challenge_id', 'name', 'position'],
    finalists.map(([name], i) => [`${ID}-${i + 1}`, ID, name, i + 1]),
  )
  const between = (from: string, until: string) => {
    const [low, high] = [Date.parse(from), Date.parse(until)]
    return Math.floor(low + random.next() * (high - low))
  }
  const choices = random.shuffled(finalists.flatMap(([, votes], i) => Array<string>(votes).fill(`${ID}-${i + 1}`)))
  const times = choices.map(() => between('2025-07-17T16:00:00Z', '2025-07-20T22:00:00Z')).sort((a, b) => a - b)
  const pseudonym = () => Array.from({ length: 16 }, () => random.whole(0, 15).toString(16)).join('')
  await insertRows(
    db,
    'challenge_ballots',
    ['id', 'challenge_id', 'finalist_id', 'cast_at', 'voter_pseudonym'],
    choices.map((choice, i) => [i + 1, ID, choice, times[i] as number, pseudonym()]),
  )
  const people = random.shuffled(FIRST.flatMap((first) => LAST.map((last) => [first, last] as const))).slice(0, 54)
  await insertRows(
    db,
    'verse_submissions',
    ['id', 'challenge_id', 'name', 'email', 'phone_number', 'submitted_at'],
    people.map(
      ([first, last], i): Row => [
        `verse_demo_${String(i + 1).padStart(2, '0')}`,
        ID,
        `${first} ${last}`,
        `${first}.${last}@example.com`.toLowerCase(),
        `+1813555${String(100 + i).padStart(4, '0')}`,
        between('2025-07-02T13:00:00Z', '2025-07-17T03:59:00Z'),
      ],
    ),
  )
  // By the same hands as every other challenge: fixed when voting was over, and counted.
  await finalizeStatement(db, ID, zonedTimeToUtc('2025-07-21', '00:00', ZONE)).run()
  await countBallots(db, ID)
}
