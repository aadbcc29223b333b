import { type Contact, type ImportedSales, type ImportSource, importsApi } from '../../worker/contract/imports'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { RecordHeader } from '../admin/RecordHeader'
import { formatCount, formatDate } from '../lib/format'

const SOURCE_LABELS: Record<ImportSource, string> = {
  bandcamp: 'Bandcamp',
  mailchimp: 'Mailchimp',
  patreon: 'Patreon',
  shopify: 'Shopify',
}
const NEWSLETTER_LABELS = { confirmed: 'Subscribed', pending: 'Not confirmed', unsubscribed: 'Unsubscribed' } as const

/** Formats an amount in the other platform's currency, which may differ from the site's. */
function formatAmount(cents: number, currency: string): string {
  const amount = (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
  return currency === '' ? amount : `${amount} ${currency}`
}

const contactList: AdminListDefinition<'/api/admin/contacts', Contact> = {
  name: 'imports.contacts',
  title: 'People from other platforms',
  endpoint: importsApi.contacts,
  searchLabel: 'Search by name or full email',
  nameOf: (row) => row.email,
  filters: [
    choiceFilter('source', 'From', SOURCE_LABELS),
    choiceFilter('newsletter', 'Newsletter', { ...NEWSLETTER_LABELS, none: 'Never asked' }),
    { id: 'imported', label: 'Imported', kind: 'days' },
  ],
  empty: 'No contacts yet. They appear here after an import.',
  columns: [
    { id: 'email', header: 'Address', cell: (row) => row.email },
    { id: 'name', header: 'Name', cell: (row) => row.name || 'Not given' },
    { id: 'source', header: 'From', cell: (row) => SOURCE_LABELS[row.source] },
    { id: 'tier', header: 'Membership', cell: (row) => [row.tier, row.memberStatus].filter(Boolean).join(', ') },
    {
      id: 'lifetime',
      header: 'Paid there',
      cell: (row) => row.lifetimeCents !== null && formatAmount(row.lifetimeCents, row.currency),
      isNumeric: true,
    },
    { id: 'purchases', header: 'Purchases', sort: 'purchases', cell: (row) => row.purchases, isNumeric: true },
    {
      id: 'newsletter',
      header: 'Newsletter',
      cell: (row) => (row.newsletter ? NEWSLETTER_LABELS[row.newsletter] : 'Never asked'),
    },
    {
      id: 'imported',
      header: 'Imported',
      sort: 'imported',
      cell: (row) => <span className="tabular-figures">{formatDate(row.importedAt)}</span>,
    },
  ],
}

const salesList: AdminListDefinition<'/api/admin/imported-sales', ImportedSales> = {
  name: 'imports.sales',
  title: 'Sales on other platforms',
  endpoint: importsApi.sales,
  urlPrefix: 'sales.',
  nameOf: (row) => `${SOURCE_LABELS[row.source]}, ${row.year}, ${row.currency}`,
  keyOf: (row) => `${row.year} ${row.source} ${row.currency}`,
  filters: [choiceFilter('source', 'From', SOURCE_LABELS)],
  empty: 'No sales yet. They appear here after an import.',
  columns: [
    { id: 'year', header: 'Year', sort: 'year', cell: (row) => row.year },
    { id: 'source', header: 'From', cell: (row) => SOURCE_LABELS[row.source] },
    { id: 'sales', header: 'Sales', cell: (row) => formatCount(row.sales), isNumeric: true },
    { id: 'pieces', header: 'Pieces', cell: (row) => formatCount(row.pieces), isNumeric: true },
    { id: 'amount', header: 'Amount', cell: (row) => formatAmount(row.amountCents, row.currency), isNumeric: true },
  ],
}

/** /admin/contacts: imported contacts and sales. Addresses are masked. */
export const ContactsPage = () => (
  <>
    <RecordHeader back="imports" title="Contacts" />
    <AdminList
      list={contactList}
      note="They have no account here. Only those who agreed to the newsletter get it; we never email the others."
    />
    <div className="mt-12">
      <AdminList list={salesList} note="They are not part of this shop’s orders and figures." />
    </div>
  </>
)
