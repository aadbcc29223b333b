import { EU_COUNTRIES } from '../../worker/contract/countries.ts'
import data from './data/shop.json' with { type: 'json' }
import { insertRows } from './insert.ts'

/** Zones and tax rates. A demo of an earlier version has only the zone that its migration added. */
export async function seedShop(db: D1Database): Promise<void> {
  if (await db.prepare("SELECT 1 FROM shipping_zones WHERE id <> 'everywhere'").first()) return
  await db.batch([
    db.prepare("DELETE FROM shipping_countries WHERE zone_id = 'everywhere'"),
    db.prepare("DELETE FROM shipping_zones WHERE id = 'everywhere'"),
  ])
  await insertRows(
    db,
    'shipping_zones',
    data.zones.map(({ countries, methods, ...zone }, index) => ({
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
    // The state's 6 % and a county's 1 %.
    { id: 'tax-us-fl', name: 'Sales tax', country: 'US', region: 'FL', rate_per_100k: 7_000, included: false },
    ...Object.entries(data.vat).map(([country, percent]) => ({
      id: `tax-${country.toLowerCase()}`,
      name: 'VAT',
      country,
      region: '',
      rate_per_100k: percent * 1000,
      included: true,
    })),
  ])
}
