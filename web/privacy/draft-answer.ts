import type { AddressRecords, Inquiry } from '../../worker/contract/privacy'
import { formatCount } from '../lib/format'

type RecordKind = Exclude<keyof AddressRecords, 'ordersUnderWay'>

/** The stored records in the words of the inquiry's sender. */
const RECORDS: Readonly<Record<RecordKind, readonly [one: string, many: string]>> = {
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

/** A first answer to an inquiry about stored data; empty for other kinds. */
export function draftAnswer({ kind, username }: Pick<Inquiry, 'kind' | 'username'>, found: AddressRecords): string {
  if (kind !== 'access') return ''
  const asked = 'Hello,\n\nYou asked what we store about you.'
  if (username !== null)
    return `${asked} You have an account here, ${username}. Please log in and open your account: under “Your data” you can see and download all of it.`
  const counts = { ...found, inquiries: found.inquiries - 1 }
  const records = (Object.keys(RECORDS) as RecordKind[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${formatCount(counts[kind])} ${RECORDS[kind][counts[kind] === 1 ? 0 : 1]}`)
  if (records.length === 0) return `${asked} Apart from this inquiry, we store nothing under your email address.`
  return `${asked} Under your email address we have ${listFormat.format(records)}, and this inquiry.`
}
