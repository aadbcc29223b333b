import { insertRows, type Row } from './insert.ts'
import { type Random, randomFrom } from './random.ts'

const DAY = 24 * 60 * 60 * 1000

/** Ruling 3: 15,847 supporters, 70/25/5, of whom 12,842 were there 30 days ago. Exact counts: rounding misses by one. */
export const SUPPORTERS = 15_847
const THERE_A_MONTH_AGO = 12_842
const BY_TIER = { bronze: 11_093, silver: 3_962, gold: 792 } as const

const FIRST = [
  'amber',
  'bay',
  'bright',
  'brass',
  'cedar',
  'citrus',
  'coastal',
  'copper',
  'coral',
  'cypress',
  'dawn',
  'dusk',
  'ember',
  'golden',
  'gulf',
  'harbor',
  'heron',
  'honey',
  'indigo',
  'island',
  'ivory',
  'lantern',
  'lemon',
  'lunar',
  'mango',
  'marina',
  'mellow',
  'midnight',
  'neon',
  'night',
  'ocean',
  'palm',
  'pelican',
  'quiet',
  'rain',
  'river',
  'salt',
  'sand',
  'scarlet',
  'silver',
  'slow',
  'solar',
  'storm',
  'sugar',
  'sunny',
  'sunset',
  'tidal',
  'velvet',
  'violet',
  'warm',
]
const SECOND = [
  'anchor',
  'avenue',
  'ballad',
  'beat',
  'breeze',
  'bridge',
  'cassette',
  'chorus',
  'coast',
  'current',
  'dancer',
  'drifter',
  'drummer',
  'echo',
  'fever',
  'groove',
  'horizon',
  'hour',
  'lagoon',
  'lights',
  'listener',
  'lullaby',
  'motel',
  'needle',
  'parade',
  'pier',
  'pilot',
  'radio',
  'reef',
  'rider',
  'roller',
  'runner',
  'saint',
  'season',
  'shore',
  'signal',
  'singer',
  'skyline',
  'soul',
  'static',
  'street',
  'stylus',
  'swell',
  'tempo',
  'theory',
  'tide',
  'traveler',
  'vinyl',
  'voyage',
  'wave',
]

/** A handle that no other number has: 50 x 50 pairs, then a tail. */
function handle(index: number, order: readonly number[]): string {
  const pair = order[index % order.length] as number
  const round = Math.floor(index / order.length)
  const name = `${FIRST[Math.floor(pair / SECOND.length)]}${SECOND[pair % SECOND.length]}`
  return round === 0 ? name : `${name}${round * 11 + (pair % 11)}`
}

/** Writes the supporters. They have no password: nobody can log in as one. */
export async function seedFans(db: D1Database, now: number): Promise<void> {
  const random = randomFrom(15_847)
  const order = random.shuffled(Array.from({ length: FIRST.length * SECOND.length }, (_, i) => i))
  const tiers = random.shuffled(Object.entries(BY_TIER).flatMap(([tier, count]) => Array<string>(count).fill(tier)))
  const rows: Row[] = []
  for (let i = 0; i < SUPPORTERS; i++) {
    const name = handle(i, order)
    // Joined over 500 days, a little more each month; the newest 3,005 within the last 29.
    const age =
      i < THERE_A_MONTH_AGO
        ? 31 + 470 * (1 - i / THERE_A_MONTH_AGO) ** 1.4
        : 29 * (1 - (i - THERE_A_MONTH_AGO) / (SUPPORTERS - THERE_A_MONTH_AGO))
    const joined = Math.round(now - age * DAY - random.next() * 3_600_000)
    rows.push([
      i + 1,
      name,
      name,
      `${name}@example.com`,
      `${name}@example.com`,
      joined,
      tiers[i] as string,
      joined,
      Math.round(now - random.next() * Math.min(age, 60) * DAY),
    ])
  }
  await insertRows(
    db,
    'users',
    [
      'id',
      'username',
      'username_key',
      'email',
      'email_key',
      'email_verified_at',
      'tier',
      'created_at',
      'last_active_at',
    ],
    rows,
  )
  await seedLedger(db, now, random)
}

/** What the keenest 1,200 earned before today, act by act: the totals follow by trigger. */
async function seedLedger(db: D1Database, now: number, random: Random): Promise<void> {
  const rows: Row[] = []
  const day = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
  for (let user = 1; user <= 1_200; user++) {
    const keen = (1 - user / 1_201) ** 2
    const at = () => Math.round(now - random.next() * 90 * DAY - DAY)
    const paid = (action: string, subject: string, description: string, points: number, when = at()) =>
      rows.push([user, action, `${action}:${subject}`, description, points, when])
    paid('newsletter_signup', String(user), 'Joined the newsletter', 50)
    for (let listen = 0; listen < Math.round(2 + keen * 26); listen++) {
      const when = Math.round(now - (listen * 3 + 1) * DAY - random.next() * DAY * 0.4)
      paid('track_stream', `1:${day(when)}`, 'Listened to the single', 5, when)
    }
    for (let post = 0; post < Math.round(keen * 9); post++)
      paid('community_post', `demo-${user}-${post}`, 'Posted in the community', 15)
    for (let friend = 0; friend < Math.round(keen * 3); friend++)
      paid('referral_bonus', `demo-${user}-${friend}`, 'A friend joined', 200)
    for (let show = 0; show < Math.round(keen * 5 * random.next()); show++)
      paid('check_in', `past-${show}`, 'Was at the show', 250)
  }
  await insertRows(db, 'ledger', ['user_id', 'action', 'key', 'description', 'points', 'created_at'], rows)
}
