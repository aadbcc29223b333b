import { expect, test } from 'vitest'
import type { AddressRecords } from '../../worker/contract/privacy'
import { suggestAnswer } from './suggested-answer'

const ONLY_THIS_INQUIRY: AddressRecords = {
  newsletter: 0,
  showAlerts: 0,
  stockAlerts: 0,
  verses: 0,
  orders: 0,
  ordersUnderWay: 0,
  mails: 0,
  inquiries: 1,
  contacts: 0,
  importedSales: 0,
}

test('suggests an answer that lists the sender’s records', () => {
  const found = { ...ONLY_THIS_INQUIRY, newsletter: 1, orders: 2, ordersUnderWay: 1, mails: 3, contacts: 1 }
  expect(suggestAnswer({ kind: 'access', username: null }, found)).toContain(
    'we have 1 newsletter subscription, 2 orders, 3 emails that we sent you, 1 entry in our contacts, and this inquiry.',
  )
})

test('lists every kind of record, and other inquiries', () => {
  const found = Object.fromEntries(Object.keys(ONLY_THIS_INQUIRY).map((kind) => [kind, 3])) as AddressRecords
  expect(suggestAnswer({ kind: 'access', username: null }, found)).toContain(
    'we have 3 newsletter subscriptions, 3 show alerts, 3 back-in-stock alerts, 3 verses, 3 orders, 2 other inquiries, 3 emails that we sent you, 3 entries in our contacts, 3 purchases on other platforms, and this inquiry.',
  )
})

test('states that nothing but the inquiry is stored', () => {
  expect(suggestAnswer({ kind: 'access', username: null }, ONLY_THIS_INQUIRY)).toContain(
    'Apart from this inquiry, we store nothing under your email',
  )
})

test('refers the owner of an account to that account', () => {
  expect(suggestAnswer({ kind: 'access', username: 'marigold' }, ONLY_THIS_INQUIRY)).toContain(
    'You have an account here, marigold.',
  )
})

test('suggests no answer to other kinds of inquiries', () => {
  expect(suggestAnswer({ kind: 'deletion', username: null }, ONLY_THIS_INQUIRY)).toBe('')
})
