import { env } from 'cloudflare:test'
import type { SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db, queryPlan } from '../testing/fixtures'
import { inquirySubject } from './address-data'
import { userSubject } from './erase-user'
import type { DataSubject } from './personal-data'
import { addressCountQueries, compileSql, eraseStatements, exportParts } from './personal-data-registry'
import { STORED_ADDRESS_QUERIES } from './restored-erasures'

const deps = { db, secret: 'x'.repeat(32) }
const user = userSubject(1, 2, { mailboxKey: 'm', phoneHash: 'p' })
const visitor = inquirySubject('i', 2, ['p'])

const compileErasure = async (subject: DataSubject) => (await eraseStatements(subject, deps)).map(compileSql)
const compileExport = async (subject: DataSubject) =>
  (await exportParts(subject, deps)).flatMap(([name, rows]) =>
    rows instanceof Promise ? [] : [{ name, ...compileSql(rows as SQL) }],
  )
const textOf = (statements: readonly { sql: string }[]) => statements.map(({ sql }) => sql).join('\n')

/** Columns that identify a user. */
const USER_COLUMN =
  /^(user_id|author_id|created_by|requested_by|sender_id|actor_id|email|email_key|recipient|requester|listener|holder|owner_id|referred_by|customer_id|entry)$/
const ADDRESS_COLUMN = /^(email|email_key|recipient|entry)$|phone/

/** Tables that an erasure of a user does not change, and why. */
const NOT_ERASED: Record<string, string> = {
  users: 'erase-user.ts empties the row itself',
  poll_votes: 'votes stay counted, under a row without a name',
  track_likes: 'likes stay counted, like votes',
  post_likes: 'likes stay counted, like votes',
  check_ins: 'ledger entries depend on them',
  subscriptions: 'deleted once the payment provider has deleted its customer',
  broadcasts: 'written by an administrator for the artist',
  csv_links: 'expire after a day',
  archives: 'files of administrators; a restore repeats erasures',
  imports: 'files of administrators, which expire; what they add is erased',
}
/** Tables that the export of a user leaves out, and why. */
const NOT_EXPORTED: Record<string, string> = {
  poll_mailboxes: 'keyed hashes of the mailbox in polls whose votes are exported',
  audit_log: 'what administrators did',
  mail_tokens: 'secrets that expire within a day',
  authenticators: 'secrets',
  recovery_codes: 'secrets',
  stream_reports: 'deleted after two days; the points are in the history',
  exports: 'files of administrators about all supporters',
  archives: 'files of administrators about the whole site',
  imports: 'files of administrators with contacts of other platforms',
  uploads: 'files of posts and verses, which are exported',
  track_masters: 'files of the artist',
  csv_links: 'links of administrators',
  broadcasts: 'written by an administrator for the artist',
}

/** Names of the tables with a column that matches, sorted; without search indexes and internal tables. */
async function tablesWith(column: RegExp): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT DISTINCT tables.name AS "table", columns.name AS "column"
     FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.sql NOT LIKE '%VIRTUAL%'
       AND tables.name NOT LIKE 'supporter_search%' AND tables.name NOT GLOB '_cf*'`,
  ).all<{ table: string; column: string }>()
  return [...new Set(results.filter((row) => column.test(row.column)).map(({ table }) => table))].sort()
}
const isWrittenIn = (text: string) => (table: string) => new RegExp(`(UPDATE|FROM) ${table} `).test(text)
const isReadIn = (text: string) => (table: string) => new RegExp(`(FROM|JOIN) ${table}\\b`).test(text)

test('every table that identifies a user is erased or excepted', async () => {
  const tables = await tablesWith(USER_COLUMN)
  expect(tables.length).toBeGreaterThan(20)
  const isErased = isWrittenIn(textOf(await compileErasure(user)))
  expect(tables.filter((table) => !NOT_ERASED[table] && !isErased(table))).toEqual([])
  expect(Object.keys(NOT_ERASED).filter((table) => !tables.includes(table))).toEqual([])
})

test('every table that identifies a user is exported or excepted', async () => {
  const tables = await tablesWith(USER_COLUMN)
  const isExported = isReadIn(textOf(await compileExport(user)))
  expect(tables.filter((table) => !NOT_EXPORTED[table] && !isExported(table))).toEqual([])
  expect(Object.keys(NOT_EXPORTED).filter((table) => !tables.includes(table))).toEqual([])
})

test('every table with an address is erased and exported', async () => {
  const tables = (await tablesWith(ADDRESS_COLUMN)).filter((table) => table !== 'users' && table !== 'mail_tokens')
  expect(tables.length).toBeGreaterThan(5)
  const isErased = isWrittenIn(textOf(await compileErasure(visitor)))
  const isExported = isReadIn(textOf(await compileExport(visitor)))
  expect(tables.filter((table) => !isErased(table) || !isExported(table))).toEqual([])
})

test('every exported part of an address is counted', async () => {
  // Submissions are counted under the name `verses`.
  const parts = (await exportParts(visitor, deps)).map(([part]) => (part === 'submissions' ? 'verses' : part))
  expect(Object.keys(addressCountQueries(visitor))).toEqual(expect.arrayContaining(parts))
})

test('a restore searches every table for erased addresses', async () => {
  const isErased = isWrittenIn(textOf(await compileErasure(visitor)))
  const tables = (await tablesWith(/^(email|email_key|recipient|entry)$/)).filter(isErased)
  expect(tables).toContain('contacts')
  expect(Object.keys(STORED_ADDRESS_QUERIES).sort()).toEqual(tables)
})

test.each([
  ['user', user, 40],
  ['visitor', visitor, 15],
] as const)('erases a %s through indexes', async (_, subject, minSearches) => {
  const statements = await compileErasure(subject)
  const plans = await Promise.all(statements.map(queryPlan))
  const scans = plans.flatMap((plan, index) =>
    plan
      .filter((line) => /^SCAN (?!json_each|CONSTANT|\()/.test(line))
      .map((line) => `${statements[index]?.sql}: ${line}`),
  )
  expect(plans.flat().filter((line) => line.startsWith('SEARCH')).length).toBeGreaterThan(minSearches)
  // The index on the address is more selective than `outbox_of_kind`.
  expect(plans.flat().filter((line) => line.includes('outbox_of_kind'))).toEqual([])
  // `exports` is small enough for a full scan: it has only the rows of the last 30 days.
  expect(scans.filter((line) => !line.startsWith('UPDATE exports'))).toEqual([])
})

test('exports the parts in a fixed order', async () => {
  const partNames = async (subject: DataSubject) => (await exportParts(subject, deps)).map(([name]) => name)
  const byAddress = [
    'newsletter',
    'showAlerts',
    'stockAlerts',
    'submissions',
    'inquiries',
    'orders',
    'mails',
    'contacts',
    'importedSales',
  ]
  expect(await partNames(visitor)).toEqual(byAddress)
  expect(await partNames(user)).toEqual([
    'account',
    'points',
    'votes',
    'polls',
    'likes',
    'posts',
    'postLikes',
    'reports',
    'goingTo',
    'checkIns',
    ...byAddress,
    'cart',
    'addresses',
    'redeemedCodes',
    'versesSent',
    'subscriptions',
    'paymentProvider',
    'cityRequests',
    'logins',
    'passkeys',
    'accessTokens',
    'emailChanges',
    'challengeVotes',
    'teamNotes',
    'savedViews',
    'versesRated',
    'exportSchedules',
  ])
})
