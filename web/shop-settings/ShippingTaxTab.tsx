import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import {
  type AdminShippingZone,
  adminShopApi,
  adminTaxRatesApi,
  adminZonesApi,
  type ShippingMethodDraft,
  type TaxRateDraft,
  type TaxRateRow,
  TaxRateDraft as TaxRateSchema,
  type ZoneDraft,
  ZoneDraft as ZoneSchema,
} from '../../worker/contract/shop-settings'
import { adminQuery, allRowsQuery, readNextPosition } from '../admin/admin.queries'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { countryName } from '../checkout/address-lines'
import { formatPrice } from '../lib/format'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { CountriesField } from './CountriesField'
import { CurrencyPanel } from './CurrencyPanel'
import { countryOptions, summarizeCountries } from './countries'
import { LowStockPanel } from './LowStockPanel'
import { MethodsField, NEW_METHOD } from './MethodsField'
import { PickupPanel } from './PickupPanel'

const zonesQuery = allRowsQuery('shipping-zones', adminZonesApi.list)
const settingsQuery = adminQuery('shop-settings', adminShopApi.settings)

/** 19000 is '19', 25500 is '25.5'. */
const formatPercent = (ratePer100k: number): string => String(ratePer100k / 1000)

/** Without pickup, which PickupPanel edits. */
const SHIPPING_ONLY = { kind: 'shipping' }

const shippingZoneList: EditableListDefinition<'/api/admin/shipping-zones', AdminShippingZone, ZoneDraft> = {
  list: {
    name: 'shipping-zones',
    title: 'Shipping zones',
    endpoint: adminZonesApi.list,
    fixedFilters: SHIPPING_ONLY,
    urlPrefix: 'zones.',
    searchLabel: 'Search zones by name or country',
    nameOf: (row) => row.name,
    columns: [
      { id: 'name', header: 'Zone', cell: (row) => row.name, sort: 'name' },
      { id: 'countries', header: 'Countries', cell: (row) => summarizeCountries(row.countries) },
      {
        id: 'methods',
        header: 'Delivery',
        cell: (row) => (
          <ul className="grid gap-1">
            {row.methods.map((method) => (
              <li key={method.id}>
                {method.name}: {describePrice(method)}
              </li>
            ))}
          </ul>
        ),
      },
    ],
    empty: 'You ship nowhere yet. Add your own country first.',
  },
  note: 'Where you ship, and for how much. Shipped goods cannot be ordered to a country without a zone.',
  noun: 'zone',
  keys: ['shipping-zones'],
  form: {
    schema: ZoneSchema,
    fields: [
      { name: 'name', label: 'Name', hint: 'For you. Buyers see the names of the methods.' },
      { name: 'position', label: 'Place', kind: 'number', hint: '1 comes first.' },
      {
        name: 'countries',
        label: 'Countries',
        kind: 'custom',
        render: ({ value, onChange, error }) => <CountriesField value={value as string[]} {...{ onChange, error }} />,
      },
      {
        name: 'methods',
        label: 'Delivery methods',
        kind: 'custom',
        render: ({ value, onChange, error, itemErrors }) => (
          <MethodsField value={value as ShippingMethodDraft[]} errors={itemErrors} {...{ onChange, error }} />
        ),
      },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
    blank: { name: '', kind: 'shipping', countries: [], methods: [NEW_METHOD] },
    readDefaults: async () => ({ position: await readNextPosition(adminZonesApi.list, SHIPPING_ONLY) }),
    savedText: ({ name }) => `${name} is open for orders.`,
  },
  endpoints: { ...adminZonesApi, reorder: adminShopApi.reorderZones },
}

/** 'from $8.00 by weight', '$8.00, then $2.00 each, free from $100.00'. */
function describePrice(method: ShippingMethodDraft): string {
  const price = describeBasePrice(method)
  return method.freeFromCents === null ? price : `${price}, free from ${formatPrice(method.freeFromCents)}`
}

function describeBasePrice({ pricing, baseCents, perItemCents, bands }: ShippingMethodDraft): string {
  if (pricing === 'weight') return `from ${formatPrice(bands[0]?.priceCents ?? 0)} by weight`
  if (baseCents + perItemCents === 0) return 'free'
  if (perItemCents === 0) return formatPrice(baseCents)
  return `${formatPrice(baseCents)}, then ${formatPrice(perItemCents)} each`
}

const taxRateList: EditableListDefinition<'/api/admin/tax-rates', TaxRateRow, TaxRateDraft> = {
  list: {
    name: 'tax-rates',
    title: 'Tax rates',
    endpoint: adminTaxRatesApi.list,
    urlPrefix: 'taxes.',
    searchLabel: 'Search tax rates by place or name',
    nameOf: (row) => `${row.name} in ${placeOf(row)}`,
    columns: [
      { id: 'place', header: 'Place', cell: placeOf, sort: 'place' },
      { id: 'name', header: 'Tax', cell: (row) => row.name, sort: 'name' },
      {
        id: 'rate',
        header: 'Rate',
        cell: (row) => `${formatPercent(row.ratePer100k)}%`,
        sort: 'rate',
        isNumeric: true,
      },
      { id: 'included', header: 'Prices', cell: (row) => (row.included ? 'Include it' : 'It is added') },
    ],
    empty: 'No tax rates yet. Orders are not taxed.',
  },
  note: 'Orders are taxed at the rate of their address, pick-ups at that of the show. A place without a rate is not taxed.',
  noun: 'tax rate',
  keys: ['tax-rates'],
  form: {
    schema: TaxRateSchema,
    fields: [
      { name: 'country', label: 'Country', kind: 'select', options: countryOptions },
      {
        name: 'region',
        label: 'State or province',
        optional: true,
        hint: 'As in an address: FL. Leave empty for the whole country.',
      },
      { name: 'name', label: 'Name', hint: 'Buyers see it on the receipt.' },
      {
        name: 'ratePer100k',
        label: 'Rate',
        kind: 'custom',
        render: ({ value, onChange, error }) => (
          <PercentField label="Rate" required value={value as number | null} {...{ onChange, error }} />
        ),
      },
      {
        name: 'included',
        label: 'Prices include the tax',
        kind: 'checkbox',
        hint: 'As in Europe. Otherwise it is added to the total, as in the United States.',
      },
    ],
    toDraft: ({ id: _, ...draft }) => draft,
    blank: { country: 'US', region: '', name: 'Sales tax', included: false },
    savedText: (draft) => `Orders to ${placeOf(draft)} are taxed at the new rate.`,
  },
  endpoints: adminTaxRatesApi,
}

function placeOf({ country, region }: Pick<TaxRateRow, 'country' | 'region'>): string {
  return region === '' ? countryName(country) : `${countryName(country)}, ${region}`
}

/** Shipping zones, pickup, tax rates, currency and low stock. */
export function ShippingTaxTab() {
  const settings = useQuery(settingsQuery)
  const zoneList = useQuery(zonesQuery)
  return (
    <div className="grid gap-12 *:min-w-0">
      <EditableList definition={shippingZoneList} />
      <QueryBoundary
        query={zoneList}
        loading={{ className: 'h-40', label: 'Loading pick-up' }}
        error="Pick-up could not be loaded."
      >
        {(rows) => <PickupPanel zone={rows.find(({ kind }) => kind === 'pickup') ?? null} />}
      </QueryBoundary>
      <QueryBoundary
        query={settings}
        loading={{ className: 'h-40', label: 'Loading the settings' }}
        error="The settings could not be loaded."
      >
        {(shopSettings) => (
          <>
            {shopSettings.stripeTax && (
              <p className="max-w-prose border-l-4 border-gold bg-sleeve p-5">
                Stripe Tax computes the tax of orders. Keep the rates below: they say for each country whether your
                prices include it.
              </p>
            )}
            <EditableList definition={taxRateList} />
            <CurrencyPanel settings={shopSettings} />
            <LowStockPanel settings={shopSettings} />
          </>
        )}
      </QueryBoundary>
    </div>
  )
}

type PercentFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  /** Rate per 100,000: 19 % is 19000. */
  value: number | null | undefined
  /** Called with NaN while the text is not a percentage. */
  onChange: (ratePer100k: number) => void
}

/** A percentage with up to three decimals. */
function PercentField({ value, onChange, ...field }: PercentFieldProps) {
  const [text, setText] = useState(() => (typeof value === 'number' ? formatPercent(value) : ''))
  return (
    <TextField
      {...field}
      inputMode="decimal"
      after={<span className="text-muted">%</span>}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parsePercent(event.target.value))
      }}
    />
  )
}

/** '7.5' is 7500; NaN if it is not a percentage. */
function parsePercent(text: string): number {
  const typedPercent = text.trim().replace(',', '.').replace(/\s*%$/, '')
  return /^\d{1,3}(\.\d{1,3})?$/.test(typedPercent) ? Math.round(Number(typedPercent) * 1000) : Number.NaN
}
