import type { AddressRecords, Inquiry } from '../../worker/contract/privacy'
import { formatCount } from '../lib/format'

type RecordKind = Exclude<keyof AddressRecords, 'ordersUnderWay'>

/** What the answer calls each kind of record. */
const RECORD_NOUNS: Readonly<Record<RecordKind, readonly [singular: string, plural: string]>> = {
  newsletter: ['newsletter subscription', 'newsletter subscriptions'],
  showAlerts: ['show alert', 'show alerts'],
  stockAlerts: ['back-in-stock alert', 'back-in-stock alerts'],
  verses: ['verse', 'verses'],
  orders: ['order', 'orders'],
  inquiries: ['other inquiry', 'other inquiries'],
  mails: ['email that we sent you', 'emails that we sent you'],
  contacts: ['entry in our contacts', 'entries in our contacts'],
  importedSales: ['purchase on another platform', 'purchases on other platforms'],
}
const listFormat = new Intl.ListFormat('en-US')

/**
 * Suggests an answer to an access inquiry: the number of records by kind, or for an account where to find them. Empty
 * for inquiries about anything else.
 */
export function suggestAnswer({ kind, username }: Pick<Inquiry, 'kind' | 'username'>, found: AddressRecords): string {
  if (kind !== 'access') return ''
  const opening = 'Hello,\n\nYou asked what we store about you.'
  if (username !== null)
    return `${opening} You have an account here, ${username}. Please log in and open your account: under “Your data” you can see and download all of it.`
  const counts = { ...found, inquiries: found.inquiries - 1 }
  const records = (Object.keys(RECORD_NOUNS) as RecordKind[])
    .filter((recordKind) => counts[recordKind] > 0)
    .map((recordKind) => {
      const [singular, plural] = RECORD_NOUNS[recordKind]
      return `${formatCount(counts[recordKind])} ${counts[recordKind] === 1 ? singular : plural}`
    })
  if (records.length === 0) return `${opening} Apart from this inquiry, we store nothing under your email address.`
  return `${opening} Under your email address we have ${listFormat.format([...records, 'this inquiry'])}.`
}
