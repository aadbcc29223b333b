import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import { ALL_OTHER_COUNTRIES } from '../contract/countries'
import type { TaxRateDraft, TaxRateRow, Zone, ZoneDraft } from '../contract/shop-settings'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { newId } from '../lib/crypto'
import { regionCode } from './regions'
import { countryName } from './shipping'
import { shippingCountries, shippingZones, taxRates } from './shop-settings.table'

const CHANGED_MEANWHILE = 'Another administrator changed this meanwhile. Please close the form and open it again.'

export const zoneCrud: Crud<ZoneDraft> = {
  noun: 'shipping_zone',
  table: shippingZones,
  notFoundMessage: 'That zone does not exist.',
  ...softDelete(shippingZones.removedAt),

  async list(db): Promise<Zone[]> {
    const rows = await db
      .select()
      .from(shippingZones)
      .where(isNull(shippingZones.removedAt))
      .orderBy(asc(shippingZones.position), asc(shippingZones.id))
    return rows.map(({ removedAt: _, ...row }) => row)
  },

  async toRow({ db }, { version, methods, ...draft }, id) {
    const zoneId = id ?? newId('zone')
    await rejectTakenCountries(db, zoneId, draft.countries)
    const values = { ...draft, methods: methods.map((method) => ({ ...method, id: method.id ?? newId('ship') })) }
    if (id === null) return { id: zoneId, values }
    return {
      id: zoneId,
      values: { ...values, version: sql`${shippingZones.version} + 1` },
      updateIf: {
        condition: version === undefined ? undefined : eq(shippingZones.version, version),
        message: CHANGED_MEANWHILE,
      },
    }
  },
}

/** @throws AppError `conflict` naming a country that another zone has. A primary key decides between concurrent saves. */
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

  async list(db): Promise<TaxRateRow[]> {
    const rows = await db
      .select()
      .from(taxRates)
      .where(isNull(taxRates.removedAt))
      .orderBy(asc(taxRates.country), asc(taxRates.region))
    return rows.map(({ removedAt: _, ...row }) => row)
  },

  async toRow({ db }, { version, ...draft }, id) {
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
    if (taken)
      throw new AppError(
        'conflict',
        `There is a rate for ${region === '' ? countryName(draft.country) : `${region}, ${countryName(draft.country)}`} already. Please change that one.`,
      )
    const values = { ...draft, region }
    if (id === null) return { id: rateId, values }
    return {
      id: rateId,
      values: { ...values, version: sql`${taxRates.version} + 1` },
      updateIf: {
        condition: version === undefined ? undefined : eq(taxRates.version, version),
        message: CHANGED_MEANWHILE,
      },
    }
  },
}
