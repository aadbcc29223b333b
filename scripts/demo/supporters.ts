import { DAY_MS, HOUR_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import cityRequests from './data/city-requests.json' with { type: 'json' }
import names from './data/names.json' with { type: 'json' }
import { createRandom, type Random } from './random.ts'
import { pastShowStarts } from './shows.ts'

/** 70, 25 and 5 percent of all supporters. */
const COUNT_BY_TIER = { bronze: 11_093, silver: 3_962, gold: 792 }
export const SUPPORTER_COUNT = 15_847
const COUNT_A_MONTH_AGO = 12_842

export const supporterIds: readonly number[] = Array.from({ length: SUPPORTER_COUNT }, (_, index) => index + 1)

/** Inserts supporters without a password, who cannot log in, and their ledger entries. */
export async function seedSupporters(db: D1Database, now: number): Promise<void> {
  const { first, second } = names.usernames
  const random = createRandom(15_847)
  const pairs = random.shuffle(
    first.flatMap((start) => second.map((end) => start + end)).map((name, index) => ({ name, index })),
  )
  const username = (index: number) => {
    const pair = pairs[index % pairs.length] as (typeof pairs)[number]
    const round = Math.floor(index / pairs.length)
    return round === 0 ? pair.name : `${pair.name}${round * 11 + (pair.index % 11)}`
  }
  const tiers = random.shuffle(
    Object.entries(COUNT_BY_TIER).flatMap(([tier, count]) => Array<string>(count).fill(tier)),
  )
  const rows = tiers.map((tier, index) => {
    const name = username(index)
    const email = `${name}@example.com`
    const age = daysSinceSignup(index)
    const createdAt = Math.round(now - age * DAY_MS - random.next() * HOUR_MS)
    return {
      id: index + 1,
      username: name,
      username_key: name,
      email,
      email_key: email,
      email_verified_at: createdAt,
      tier,
      created_at: createdAt,
      last_active_at: Math.round(now - random.next() * Math.min(age, 60) * DAY_MS),
    }
  })
  await insertRows(db, 'users', rows)
  await seedLedger(db, now, random)
}

/** Sign-ups grow month by month over 500 days; the newest 3,005 fall within the last 29. */
function daysSinceSignup(index: number): number {
  if (index < COUNT_A_MONTH_AGO) return 31 + 470 * (1 - index / COUNT_A_MONTH_AGO) ** 1.4
  return 29 * (1 - (index - COUNT_A_MONTH_AGO) / (SUPPORTER_COUNT - COUNT_A_MONTH_AGO))
}

/** Returns a function that adds a user's ledger entries to `rows`. */
export const ledgerWriter =
  (rows: Row[], user: number) =>
  (action: string, subject: string, description: string, points: number, at: number): number =>
    rows.push({ user_id: user, action, key: `${action}:${subject}`, description, points, created_at: at })

/** The subject of a ledger entry for streaming a track, once per day. */
export const streamSubject = (track: number, at: number): string =>
  `${track}:${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

/** Inserts the ledger entries of the 1,200 most active supporters; triggers compute the totals. */
async function seedLedger(db: D1Database, now: number, random: Random): Promise<void> {
  const rows: Row[] = []
  const recently = () => Math.round(now - random.next() * 90 * DAY_MS - DAY_MS)
  const showStarts = pastShowStarts(now)
  for (let user = 1; user <= 1_200; user++) {
    const activity = (1 - user / 1_201) ** 2
    const add = ledgerWriter(rows, user)
    add('newsletter_signup', String(user), 'Joined the newsletter', 50, recently())
    for (let i = 0; i < Math.round(2 + activity * 26); i++) {
      const at = Math.round(now - (i * 3 + 1) * DAY_MS - random.next() * DAY_MS * 0.4)
      add('track_stream', streamSubject(1, at), 'Listened to the single', 5, at)
    }
    for (let i = 0; i < Math.round(activity * 9); i++)
      add('community_post', `demo-${user}-${i}`, 'Posted in the community', 15, recently())
    for (let i = 0; i < Math.round(activity * 3); i++)
      add('referral_bonus', `demo-${user}-${i}`, 'A friend joined', 200, recently())
    const attended = Math.round(activity * 5 * random.next())
    for (const [i, startsAt] of showStarts.slice(0, attended).entries())
      add('check_in', `past-${i}`, 'Was at the show', 250, Math.round(startsAt - random.next() * HOUR_MS))
  }
  await insertRows(db, 'ledger', rows)
}

export async function seedSubscribersAndCityRequests(db: D1Database, now: number): Promise<void> {
  const random = createRandom(30)
  const recently = () => Math.round(now - random.next() * 200 * DAY_MS)
  const subscribers = Array.from({ length: 4_260 }, (_, index) => {
    const at = recently()
    const email = `reader${String(index + 1).padStart(4, '0')}@example.com`
    return {
      id: `sub_demo_${index + 1}`,
      email,
      email_key: email,
      state: 'confirmed',
      consent_version: 'demo',
      consent_at: at,
      confirmed_at: at + 600_000,
      created_at: at,
    }
  })
  await insertRows(db, 'subscribers', subscribers)
  const requests = cityRequests.flatMap(({ city, count }) =>
    Array.from({ length: count }, (_, index) => {
      const at = recently()
      return { city_key: city.toLowerCase(), requester: `demo-${index}`, city, created_at: at, confirmed_at: at }
    }),
  )
  await insertRows(db, 'city_requests', requests)
}
