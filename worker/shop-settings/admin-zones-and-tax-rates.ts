import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import { ALL_OTHER_COUNTRIES, COUNTRY_CODES } from '../contract/countries'
import {
  type AdminShippingZone,
  type TaxRateDraft,
  type TaxRateRow,
  ZONE_KINDS,
  type ZoneDraft,
} from '../contract/shop-settings'
import type { Db } from '../db/client'
import { columnFilter, containsText, findByIds, type RecordList } from '../db/list'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import { regionCode } from './regions'
import { countryName } from './shipping'
import { shippingCountries, shippingZones, taxRates } from './shop-settings.table'

/** Codes of the countries whose English name contains the text, as JSON. */
const countriesNamed = (q: string) =>
  JSON.stringify(COUNTRY_CODES.filter((code) => countryName(code).toLowerCase().includes(q.toLowerCase())))

export const zoneCrud: Crud<ZoneDraft> = {
  noun: 'shipping_zone',
  table: shippingZones,
  notFoundMessage: 'That zone does not exist.',
  ...softDelete(shippingZones.removedAt),
  isSortable: sql`${shippingZones.removedAt} IS NULL AND ${shippingZones.kind} = 'shipping'`,

  list: (): RecordList<AdminShippingZone> => ({
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
  }),

  async toRow({ db }, { methods, ...draft }, id) {
    const zoneId = id ?? newId('zone')
    await rejectTakenCountries(db, zoneId, draft.countries)
    return {
      id: zoneId,
      values: { ...draft, methods: methods.map((method) => ({ ...method, id: method.id ?? newId('ship') })) },
    }
  },
}

/** @throws AppError `conflict` that names a country of another zone. A primary key decides between concurrent saves. */
async function rejectTakenCountries(db: Db, zoneId: string, countries: readonly string[]): Promise<void> {
  const [taken] = await db
    .select({ country: shippingCountries.country, zone: shippingZones.name })
    .from(shippingCountries)
    .innerJoin(shippingZones, eq(shippingZones.id, shippingCountries.zoneId))
    .where(
      and(
        ne(shippingCountries.zoneId, zoneId),
        sql`${shippingCountries.country} IN (SELECT value FROM json_each(${JSON.stringify(countries)}))`,
      ),
    )
    .limit(1)
  if (!taken) return
  const name = taken.country === ALL_OTHER_COUNTRIES ? 'The rest of the world' : countryName(taken.country)
  throw new AppError(
    'conflict',
    `${name.replace(/^the /, 'The ')} is in the zone ${taken.zone} already. Please remove it there first.`,
  )
}

export const taxRateCrud: Crud<TaxRateDraft> = {
  noun: 'tax_rate',
  table: taxRates,
  notFoundMessage: 'That tax rate does not exist.',
  ...softDelete(taxRates.removedAt),

  list: (): RecordList<TaxRateRow> => ({
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
  }),

  async toRow({ db }, draft, id) {
    const rateId = id ?? newId('tax')
    const region = regionCode(draft.country, draft.region)
    const [taken] = await db
      .select({ id: taxRates.id })
      .from(taxRates)
      .where(
        and(
          eq(taxRates.country, draft.country),
          eq(taxRates.region, region),
          isNull(taxRates.removedAt),
          ne(taxRates.id, rateId),
        ),
      )
    if (taken) {
      const place = [region, countryName(draft.country)].filter(Boolean).join(', ')
      throw new AppError('conflict', `There is a rate for ${place} already. Please change that one.`)
    }
    return { id: rateId, values: { ...draft, region } }
  },
}
