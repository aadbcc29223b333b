import { SUPPORTERS } from './fans.ts'
import { insertRows, type Row } from './insert.ts'
import { randomFrom } from './random.ts'

const DAY = 24 * 60 * 60 * 1000

/** `ends` is days from the day of seeding; `split` the votes that each option has had from the seeded supporters. */
const polls = [
  {
    id: 'poll-next-video',
    title: 'Which song gets the next video?',
    ends: 6,
    began: 5,
    description: 'We shoot the week after it closes. The crew is booked, the song is yours.',
    options: [
      ['Skyway at Dusk', 1841],
      ['Palm Reader', 1422],
      ['Seventh Avenue Slow', 967],
      ['Low Country Lightning', 1206],
    ],
  },
  {
    id: 'poll-encore',
    title: 'What closes the set at the Bayfront Shell?',
    ends: 13,
    began: 2,
    description: '',
    options: [
      ['The new single, stretched out', 803],
      ['An old one, a cappella', 418],
      ['Something nobody has heard', 1177],
    ],
  },
  {
    id: 'poll-sleeve',
    title: 'Which sleeve goes on the pressing?',
    ends: -9,
    began: 23,
    description: 'Black and gold won by a long way; the plates are made.',
    options: [
      ['Black and gold', 2210],
      ['Bay teal', 901],
      ['Plain ivory', 377],
    ],
  },
] as const

export async function seedPolls(db: D1Database, now: number): Promise<void> {
  const random = randomFrom(22)
  await insertRows(
    db,
    'polls',
    ['id', 'title', 'description', 'ends_at', 'created_at', 'official'],
    polls.map((p) => [
      p.id,
      p.title,
      p.description,
      Math.round(now + p.ends * DAY),
      Math.round(now - p.began * DAY),
      1,
    ]),
  )
  await insertRows(
    db,
    'poll_options',
    ['id', 'poll_id', 'title', 'position'],
    polls.flatMap((p) => p.options.map(([title], i): Row => [`${p.id}-${i + 1}`, p.id, title, i + 1])),
  )
  const everybody = Array.from({ length: SUPPORTERS }, (_, i) => i + 1)
  const votes: Row[] = []
  for (const p of polls) {
    const voters = random.shuffled(everybody)
    const until = Math.min(now - 60_000, now + p.ends * DAY - 1)
    const since = now - p.began * DAY
    for (const [i, [, count]] of p.options.entries())
      for (const user of voters.splice(0, count))
        votes.push([p.id, user, `${p.id}-${i + 1}`, Math.round(since + random.next() * (until - since))])
  }
  await insertRows(db, 'poll_votes', ['poll_id', 'user_id', 'option_id', 'cast_at'], votes)
}

const CITIES = [
  ['Jacksonville', 164],
  ['Gainesville', 121],
  ['Savannah', 97],
  ['New Orleans', 88],
  ['Tallahassee', 64],
  ['Charlotte', 41],
  ['Houston', 29],
] as const

/** Readers of the newsletter, and the cities that fans have asked for. */
export async function seedWishes(db: D1Database, now: number): Promise<void> {
  const random = randomFrom(30)
  const at = () => Math.round(now - random.next() * 200 * DAY)
  const readers = Array.from({ length: 4_260 }, (_, i): Row => {
    const when = at()
    const email = `reader${String(i + 1).padStart(4, '0')}@example.com`
    return [`sub_demo_${i + 1}`, email, email, 'confirmed', 'demo', when, when + 600_000, when]
  })
  await insertRows(
    db,
    'subscribers',
    ['id', 'email', 'email_key', 'state', 'consent_version', 'consent_at', 'confirmed_at', 'created_at'],
    readers,
  )
  await insertRows(
    db,
    'city_requests',
    ['city_key', 'requester', 'city', 'created_at'],
    CITIES.flatMap(([city, people]) =>
      Array.from({ length: people }, (_, i): Row => [city.toLowerCase(), `demo-${i}`, city, at()]),
    ),
  )
}
