import { EU_COUNTRIES } from '../../worker/contract/countries.ts'
import { DAY_MS } from '../../worker/lib/clock.ts'
import { insertRows, type Row } from '../tools/sql.ts'
import shop from './data/shop.json' with { type: 'json' }
import { createRandom } from './random.ts'

/** Inserts shipping zones and tax rates unless there are some, replacing the zone that migration 0050 inserted. */
export async function seedShippingAndTaxes(db: D1Database): Promise<void> {
  if (await db.prepare("SELECT 1 FROM shipping_zones WHERE id <> 'everywhere'").first()) return
  await db.batch([
    db.prepare("DELETE FROM shipping_countries WHERE zone_id = 'everywhere'"),
    db.prepare("DELETE FROM shipping_zones WHERE id = 'everywhere'"),
  ])
  await insertRows(
    db,
    'shipping_zones',
    shop.zones.map(({ countries, methods, ...zone }, index) => ({
      ...zone,
      countries: JSON.stringify(countries === 'EU' ? EU_COUNTRIES : countries),
      methods: JSON.stringify(
        methods.map(({ base, further, free, ...method }) => ({
          ...method,
          pricing: 'items',
          baseCents: base,
          perItemCents: further,
          bands: [],
          freeFromCents: free,
        })),
      ),
      position: index + 1,
    })),
  )
  await db.prepare("UPDATE site SET home_country = 'US' WHERE id = 1").run()
  await insertRows(db, 'tax_rates', [
    // 6 % of the state and 1 % of the county.
    { id: 'tax-us-fl', name: 'Sales tax', country: 'US', region: 'FL', rate_per_100k: 7_000, included: false },
    ...Object.entries(shop.vat).map(([country, percent]) => ({
      id: `tax-${country.toLowerCase()}`,
      name: 'VAT',
      country,
      region: '',
      rate_per_100k: percent * 1000,
      included: true,
    })),
  ])
}

const VIEWED_DAYS = 400
const VIEWS_PER_ORDER = 24

/** Inserts daily views of product pages up to yesterday, more on days with orders, unless there are views already. */
export async function seedProductViews(db: D1Database, now: number): Promise<void> {
  if (await db.prepare('SELECT 1 FROM product_views').first()) return
  const random = createRandom(62)
  const { results: viewed } = await db
    .prepare('SELECT id, is_featured, kind FROM products WHERE removed_at IS NULL ORDER BY position')
    .all<{ id: string; is_featured: number; kind: string }>()
  const { results: sold } = await db
    .prepare(
      `SELECT product_id || date(paid_at / 1000, 'unixepoch') AS key, count(*) AS orders FROM orders
       WHERE paid_at IS NOT NULL GROUP BY 1`,
    )
    .all<{ key: string; orders: number }>()
  const ordersOn = new Map(sold.map(({ key, orders }) => [key, orders]))
  const rows = viewed.flatMap(({ id, is_featured, kind }) =>
    Array.from({ length: VIEWED_DAYS }, (_, index): Row => {
      const day = new Date(now - (VIEWED_DAYS - index) * DAY_MS)
      const date = day.toISOString().slice(0, 10)
      const weekendFactor = [0, 5, 6].includes(day.getUTCDay()) ? 1.4 : 1
      const growthFactor = 0.8 + index / VIEWED_DAYS / 2
      const viewsWithoutOrder =
        (is_featured ? 34 : kind === 'digital' ? 11 : 21) * weekendFactor * growthFactor * (0.7 + random.next() * 0.6)
      const orders = ordersOn.get(id + date) ?? 0
      return { day: date, product_id: id, views: Math.round(viewsWithoutOrder) + orders * VIEWS_PER_ORDER }
    }),
  )
  await insertRows(db, 'product_views', rows)
}
