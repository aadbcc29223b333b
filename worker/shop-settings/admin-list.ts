import { isNull, sql } from 'drizzle-orm'
import { COUNTRY_CODES } from '../contract/countries'
import { type AdminShippingZone, type TaxRateRow, ZONE_KINDS } from '../contract/shop-settings'
import { columnFilter, containsText, findByIds, type RecordList } from '../db/list'
import { countryName } from './shipping'
import { shippingZones, taxRates } from './shop-settings.table'

/** Codes of the countries whose English name contains the text, as JSON. */
const countriesNamed = (q: string) =>
  JSON.stringify(COUNTRY_CODES.filter((code) => countryName(code).toLowerCase().includes(q.toLowerCase())))

/** All shipping zones, in their order. */
export const zoneList: RecordList<AdminShippingZone> = {
  from: sql`${shippingZones}`,
  where: isNull(shippingZones.removedAt),
  id: sql`${shippingZones.id}`,
  sorts: { position: sql`${shippingZones.position}`, name: sql`lower(${shippingZones.name})` },
  defaultSort: 'position',
  filters: { kind: columnFilter(sql`${shippingZones.kind}`, ZONE_KINDS) },
  search: (q) => ({
    where: sql`(${containsText([sql`${shippingZones.name}`], q)} OR EXISTS (
      SELECT 1 FROM json_each(${shippingZones.countries}) country JOIN json_each(${countriesNamed(q)}) named
      ON named.value = country.value))`,
  }),
  load: async (db, ids) => {
    const rows = await findByIds(db, shippingZones, ids)
    return rows.map(({ removedAt: _, ...row }) => row)
  },
}

/** All tax rates, by place. */
export const taxRateList: RecordList<TaxRateRow> = {
  from: sql`${taxRates}`,
  where: isNull(taxRates.removedAt),
  id: sql`${taxRates.id}`,
  sorts: {
    place: sql`${taxRates.country} || ' ' || ${taxRates.region}`,
    name: sql`lower(${taxRates.name})`,
    rate: sql`${taxRates.ratePer100k}`,
  },
  defaultSort: 'place',
  filters: {},
  search: (q) => ({
    where: sql`(${containsText([sql`${taxRates.name}`, sql`${taxRates.region}`], q)}
      OR ${taxRates.country} IN (SELECT value FROM json_each(${countriesNamed(q)})))`,
  }),
  load: async (db, ids) => {
    const rows = await findByIds(db, taxRates, ids)
    return rows.map(({ removedAt: _, ...row }) => row)
  },
}
