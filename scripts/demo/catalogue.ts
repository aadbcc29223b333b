import { artist, MEDIA, tracks } from './artist.ts'
import { insertRows, type Row } from './insert.ts'
import { randomFrom } from './random.ts'

const DAY = 24 * 60 * 60 * 1000
const picture = (name: string) => `/media/${MEDIA}/${name}.webp`

/** What pictures say to those who cannot see them, by art key. */
export type AltTexts = ReadonlyMap<string, string>
/** Whole seconds of each rendered recording, by track id. */
export type Durations = ReadonlyMap<number, number>

/** The tracks, and plays day by day that add up to the figures in artist.ts. */
export async function seedTracks(db: D1Database, now: number, alts: AltTexts, durations: Durations): Promise<void> {
  const random = randomFrom(7)
  const released = (position: number) => Math.round(now - (position === 1 ? 24 : 120 + position * 41) * DAY)
  await insertRows(
    db,
    'tracks',
    [
      'id',
      'title',
      'artist',
      'album',
      'duration_seconds',
      'likes',
      'cover_url',
      'cover_alt',
      'is_trending',
      'is_exclusive',
      'audio_key',
      'position',
      'released_at',
    ],
    tracks.map((track) => [
      track.id,
      track.title,
      artist.name,
      track.album,
      durations.get(track.id) ?? 90,
      track.likes,
      picture(`cover-${track.slug}`),
      alts.get(`cover-${track.slug}`) ?? '',
      Number(track.isTrending),
      Number(track.isExclusive),
      `${MEDIA}/${track.slug}.mp3`,
      track.id,
      released(track.id),
    ]),
  )
  const days: Row[] = []
  for (const track of tracks) {
    const count = Math.floor((now - released(track.id)) / DAY)
    // A burst at release that settles, and busier weekends.
    const weights = Array.from({ length: count }, (_, i) => {
      const weekday = new Date(released(track.id) + i * DAY).getUTCDay()
      return (0.35 + Math.exp(-i / 18)) * (weekday === 5 || weekday === 6 ? 1.35 : 1) * (0.85 + random.next() * 0.3)
    })
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    let left = track.plays
    for (const [i, weight] of weights.entries()) {
      const plays = i === count - 1 ? left : Math.floor((track.plays * weight) / whole)
      left -= plays
      days.push([track.id, new Date(released(track.id) + i * DAY).toISOString().slice(0, 10), plays])
    }
  }
  await insertRows(db, 'track_days', ['track_id', 'day', 'plays'], days)
}

const products = [
  {
    id: 'gold-nose-clip',
    name: 'Gold Nose Clip',
    priceCents: 1999,
    stock: 84,
    isFeatured: 1,
    description:
      'Limited edition. Polished brass under 14-karat gold plate, shaped like the sun disc on the record. Clips on, no piercing; comes in a velvet sleeve numbered by hand.',
    images: ['nose-clip-1', 'nose-clip-2', 'nose-clip-3'],
  },
  {
    id: 'gilt-hoodie',
    name: 'Gilt Disc Hoodie',
    priceCents: 8900,
    stock: 46,
    isFeatured: 0,
    description:
      'Heavyweight 14-ounce black cotton with the grooved sun in gold foil across the chest. Cut wide, made to be worn on a cold bridge at night.',
    images: ['hoodie'],
  },
] as const

const FIRST_NAMES = ['Sam', 'Robin', 'Jo', 'Lee', 'Max', 'Ray', 'Kit']
const LAST_NAMES = ['Quay', 'Shore', 'Palmetto', 'Marina', 'Causeway', 'Harbor', 'Pelican', 'Groove', 'Tide']

/** Mailbox and address of the nth order's buyer, who is nobody: what is bought must be sendable. */
function buyerOf(n: number): [string, string] {
  const name = `${FIRST_NAMES[n % FIRST_NAMES.length]} ${LAST_NAMES[n % LAST_NAMES.length]}`
  const address = {
    name,
    line1: `${100 + n} Any Street`,
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  return [`buyer${n + 1}@mail.example`, JSON.stringify(address)]
}

/** Both products, and paid orders that add up to $48,293.50: 190 x 19.99, 160 x 14.99 with $5 off, 473 x 89 (ruling 3). */
export async function seedShop(db: D1Database, now: number, alts: AltTexts): Promise<void> {
  await insertRows(
    db,
    'products',
    ['id', 'name', 'description', 'price_cents', 'stock', 'is_featured', 'position'],
    products.map((p, i) => [p.id, p.name, p.description, p.priceCents, p.stock, p.isFeatured, i + 1]),
  )
  await insertRows(
    db,
    'product_images',
    ['product_id', 'position', 'url', 'alt'],
    products.flatMap((p) => p.images.map((key, i): Row => [p.id, i + 1, picture(key), alts.get(key) ?? ''])),
  )
  await insertRows(db, 'promotion_codes', ['code', 'discount_cents', 'created_at'], [['GILT5', 500, now - 30 * DAY]])
  const random = randomFrom(823)
  const [clip, hoodie] = products
  const lots = [
    { product: clip, discount: 0, count: 190 },
    { product: clip, discount: 500, count: 160 },
    { product: hoodie, discount: 0, count: 473 },
  ]
  const orders: Row[] = []
  const intents: Row[] = []
  const order = (p: (typeof products)[number], discount: number, status: string) => {
    const at = Math.round(now - random.next() ** 1.6 * 400 * DAY - 3_600_000)
    const id = `ord_demo_${String(orders.length + 1).padStart(4, '0')}`
    const amount = p.priceCents - discount
    const paid = status !== 'expired'
    const days = (now - at) / DAY
    const parcel = days > 12 ? 'delivered' : days > 5 ? 'shipped' : days > 2 ? 'packed' : 'unfulfilled'
    orders.push([
      ...[id, p.id, 1, p.priceCents, discount, amount, status, at, paid ? at + 90_000 : null],
      ...['test', 1, paid ? `pi_test_${id}` : null, discount > 0 ? 'GILT5' : null],
      ...[status === 'refunded' ? amount : 0, status === 'refunded' ? 'requested' : null],
      status === 'paid' ? parcel : 'unfulfilled',
      ...(paid ? buyerOf(orders.length) : [null, null]),
    ])
    // The demo's provider knows of them, so that an administrator can give one back.
    if (status === 'paid') intents.push([`pi_test_${id}`, `order:${id}:v1`, id, amount, 'succeeded', at])
  }
  for (const { product, discount, count } of lots) for (let i = 0; i < count; i++) order(product, discount, 'paid')
  for (let i = 0; i < 31; i++) order(random.pick(products), 0, i < 27 ? 'expired' : 'refunded')
  await insertRows(
    db,
    'orders',
    [
      'id',
      'product_id',
      'quantity',
      'unit_price_cents',
      'discount_cents',
      'amount_cents',
      'status',
      'created_at',
      'paid_at',
      'provider',
      'is_test',
      'payment_intent_id',
      'promotion_code',
      'refunded_cents',
      'refund_reason',
      'fulfilment',
      'email',
      'shipping_address',
    ],
    orders,
  )
  await insertRows(
    db,
    'test_intents',
    ['id', 'idempotency_key', 'order_id', 'amount_cents', 'status', 'created_at'],
    intents,
  )
}
