import { useQuery } from '@tanstack/react-query'
import { adminDiscountsApi, type Discount, DiscountDraft, type DiscountState } from '../../worker/contract/discounts'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import type { FieldDefinition } from '../admin/RecordField'
import { ScreenLink } from '../admin/ScreenLink'
import { formatCount, formatCountOf, formatPrice, formatZonedDateTime } from '../lib/format'
import { allProducts } from '../products/products.queries'
import { useSite } from '../site/site.queries'
import { Skeleton } from '../ui/Skeleton'
import { DiscountTimeField, ProductsField, TIER_OPTIONS, TierField } from './DiscountFields'

const STATE_LABELS: Record<DiscountState, string> = {
  active: 'Active',
  scheduled: 'Scheduled',
  ended: 'Ended',
  used_up: 'Used up',
}
const STATE_COLORS: Record<DiscountState, string> = {
  active: 'text-bay',
  scheduled: 'text-gold-bright',
  ended: 'text-muted',
  used_up: 'text-sunset',
}

const formatDiscount = ({ kind, percent, amountCents }: Discount) =>
  kind === 'percent' ? `${percent}%` : formatPrice(amountCents ?? 0)

/** 'from $50.00, 2 products, silver and gold members, once per person'. */
function describeConditions({ minimumCents, productIds, tier, maxUsesPerPerson }: Discount): string {
  const conditions = [
    minimumCents > 0 && `from ${formatPrice(minimumCents)}`,
    productIds.length > 0 && formatCountOf(productIds.length, 'product'),
    tier && TIER_OPTIONS.find(({ value }) => value === tier)?.label.toLowerCase(),
    maxUsesPerPerson && (maxUsesPerPerson === 1 ? 'once per person' : `${maxUsesPerPerson} times per person`),
  ].filter(Boolean)
  return conditions.length > 0 ? conditions.join(', ') : 'None'
}

const discountList = (timeZone: string): AdminListDefinition<'/api/admin/discounts', Discount> => ({
  name: 'discounts',
  title: 'Discounts',
  endpoint: adminDiscountsApi.list,
  searchLabel: 'Search by code',
  nameOf: (row) => row.code,
  columns: [
    {
      id: 'code',
      header: 'Code',
      cell: (row) => (
        <>
          <span className="font-semibold tracking-wide">{row.code}</span>
          {row.isBroadcast && <span className="block text-sm text-muted">Broadcast channel</span>}
        </>
      ),
      sort: 'code',
    },
    { id: 'value', header: 'Discount', cell: formatDiscount, isNumeric: true },
    {
      id: 'state',
      header: 'State',
      cell: (row) => <span className={STATE_COLORS[row.state]}>{STATE_LABELS[row.state]}</span>,
    },
    {
      id: 'uses',
      header: 'Uses',
      cell: (row) => `${formatCount(row.uses)}${row.maxUses === null ? '' : ` of ${formatCount(row.maxUses)}`}`,
      isNumeric: true,
      sort: 'uses',
    },
    { id: 'window', header: 'Period', cell: (row) => describeWindow(row, timeZone) },
    { id: 'conditions', header: 'Conditions', cell: describeConditions },
    {
      id: 'created',
      header: 'Created',
      cell: (row) => <span className="tabular-figures">{formatZonedDateTime(row.createdAt, timeZone)}</span>,
      sort: 'created',
      isOptional: true,
    },
  ],
  filters: [choiceFilter('state', 'State', STATE_LABELS)],
  empty: 'No discounts yet. Add a code, then share it: buyers enter it in the cart or at checkout.',
})

function describeWindow({ startsAt, endsAt }: Discount, timeZone: string): string {
  const [start, end] = [startsAt, endsAt].map((time) => time && formatZonedDateTime(time, timeZone))
  if (start && end) return `${start} to ${end}`
  if (start) return `From ${start}`
  return end ? `Until ${end}` : 'Always'
}

const BLANK_DISCOUNT: DiscountDraft = {
  code: '',
  kind: 'percent',
  percent: 10,
  amountCents: null,
  minimumCents: 0,
  productIds: [],
  tier: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerPerson: null,
}

function toDraft(row: Discount): DiscountDraft {
  return {
    code: row.code,
    kind: row.kind,
    percent: row.percent,
    amountCents: row.amountCents,
    minimumCents: row.minimumCents,
    productIds: row.productIds,
    tier: row.tier,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    maxUses: row.maxUses,
    maxUsesPerPerson: row.maxUsesPerPerson,
    version: row.version,
  }
}

function fieldsOf(isNew: boolean, timeZone: string, products: readonly { id: string; name: string }[]) {
  const timeField = (name: 'startsAt' | 'endsAt', label: string): FieldDefinition<DiscountDraft> => ({
    name,
    label,
    kind: 'custom',
    render: ({ value, onChange, error }) => (
      <DiscountTimeField label={label} value={value as string | null} {...{ onChange, error, timeZone }} />
    ),
  })
  const fields: readonly FieldDefinition<DiscountDraft>[] = [
    ...(isNew
      ? [{ name: 'code', label: 'Code', hint: '3 to 24 letters, digits or hyphens. It cannot change later.' } as const]
      : []),
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      options: [
        { value: 'percent', label: 'A percentage off' },
        { value: 'amount', label: 'An amount off' },
      ],
    },
    { name: 'percent', label: 'Percentage', kind: 'number', optional: true, hint: '1 to 100, for a percentage off.' },
    {
      name: 'amountCents',
      label: 'Amount',
      kind: 'money',
      optional: true,
      hint: 'For an amount off, once per order.',
    },
    { name: 'minimumCents', label: 'Minimum order', kind: 'money', hint: 'Items before the discount. 0 for none.' },
    {
      name: 'tier',
      label: 'Tier',
      kind: 'custom',
      render: ({ value, onChange, error }) => <TierField value={value as string | null} {...{ onChange, error }} />,
    },
    {
      name: 'productIds',
      label: 'Products',
      kind: 'custom',
      render: ({ value, onChange, error }) => (
        <ProductsField value={value as string[]} {...{ onChange, error, products }} />
      ),
    },
    timeField('startsAt', 'Starts'),
    timeField('endsAt', 'Ends'),
    { name: 'maxUses', label: 'Total uses', kind: 'number', optional: true, hint: 'Leave empty for no limit.' },
    {
      name: 'maxUsesPerPerson',
      label: 'Uses per person',
      kind: 'number',
      optional: true,
      hint: 'A person is an account or an email address. Leave empty for no limit.',
    },
  ]
  return fields
}

const editableDiscounts = (
  timeZone: string,
  products: readonly { id: string; name: string }[],
): EditableListDefinition<'/api/admin/discounts', Discount, DiscountDraft> => ({
  list: discountList(timeZone),
  note: 'A use belongs to an order: an order that expires unpaid, or is refunded, gives it back.',
  noun: 'discount',
  keys: ['discounts'],
  // The broadcast code is replaced on the Orders screen.
  isEditable: (row) => !row.isBroadcast,
  isRemovable: (row) => !row.isBroadcast,
  form: {
    schema: DiscountDraft,
    fields: (row) => fieldsOf(row === null, timeZone, products),
    toDraft,
    note: () => `One code per order. Shipping is never discounted. Times are in ${timeZone}.`,
    savedText: ({ code }) => `Buyers can enter ${code} in the cart and at checkout.`,
    blank: BLANK_DISCOUNT,
  },
  endpoints: adminDiscountsApi,
})

/** Discount codes of the shop. */
export function DiscountsTab() {
  const site = useSite()
  const products = useQuery(allProducts).data ?? []
  if (!site) return <Skeleton label="Loading discounts" className="h-96" />
  return (
    <EditableList
      definition={editableDiscounts(site.artist.timeZone, products)}
      actions={(row, standardActions) =>
        row.isBroadcast ? (
          <ScreenLink screen="orders" className="font-semibold text-gold-bright underline underline-offset-4">
            Replace under Orders
          </ScreenLink>
        ) : (
          standardActions
        )
      }
    />
  )
}
