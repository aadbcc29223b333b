import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import { ALL_OTHER_COUNTRIES } from '../contract/countries'
import type { TaxRateDraft, ZoneDraft } from '../contract/shop-settings'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import { taxRateList, zoneList } from './admin-list'
import { regionCode } from './regions'
import { countryName } from './shipping'
import { shippingCountries, shippingZones, taxRates } from './shop-settings.table'

export const zoneCrud: Crud<ZoneDraft> = {
  noun: 'shipping_zone',
  table: shippingZones,
  notFoundMessage: 'That zone does not exist.',
  ...softDelete(shippingZones.removedAt),
  isSortable: sql`${shippingZones.removedAt} IS NULL AND ${shippingZones.kind} = 'shipping'`,

  list: () => zoneList,

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

  list: () => taxRateList,

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
