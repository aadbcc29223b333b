import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { queryPlan } from '../testing/fixtures'
import { sources } from '../testing/sources'
import { ERASE_USER_STATEMENTS } from './erase-user-statements'

/** Columns that lead to a person. */
const PERSONAL =
  /^(user_id|author_id|created_by|requested_by|sender_id|actor_id|email|email_key|recipient|requester|listener|holder|owner_id|referred_by|customer_id|entry)$/

/** Tables that an erasure leaves as they are, and why. */
const STAY: Record<string, string> = {
  users: 'erasure.ts empties the row itself',
  poll_votes: 'votes stay counted, under a row without a name (ruling 28)',
  track_likes: 'likes stay counted alike',
  post_likes: 'likes stay counted alike',
  check_ins: 'the ledger’s points rest on them',
  subscriptions: 'subscriptions/forget.ts, once the provider has deleted its customer',
  broadcasts: 'what an administrator wrote for the artist',
  uploads: 'files alone: a recording goes with the verse that names it, the others are the artist’s',
  csv_links: 'gone a day after they were made',
}
/** Tables that one's own data leaves out, and why. */
const NOT_SHOWN: Record<string, string> = {
  audit_log: 'what administrators did, not what is known of a supporter',
  mail_tokens: 'secrets of an hour or a day',
  authenticators: 'secrets',
  recovery_codes: 'secrets',
  stream_reports: 'forgotten after two days; the points are in the history',
  exports: 'files of the desk, for all supporters at once',
  uploads: 'files of the desk, and recordings that a verse names',
  csv_links: 'links of the desk',
  broadcasts: 'letters of the desk',
}

const personalTables = async () => {
  const { results } = await env.DB.prepare(
    `SELECT DISTINCT m.name AS "table", c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.sql NOT LIKE '%VIRTUAL%' AND m.name NOT LIKE 'supporter_search%' AND m.name NOT GLOB '_cf*'`,
  ).all<{ table: string; column: string }>()
  return [...new Set(results.filter(({ column }) => PERSONAL.test(column)).map(({ table }) => table))].sort()
}

test('every table that leads to a person is forgotten by an erasure or says why not', async () => {
  const tables = await personalTables()
  expect(tables.length).toBeGreaterThan(20)
  const words = ERASE_USER_STATEMENTS.join('\n')
  expect(tables.filter((table) => !STAY[table] && !new RegExp(`(UPDATE|FROM) ${table} `).test(words))).toEqual([])
  expect(Object.keys(STAY).filter((table) => !tables.includes(table))).toEqual([])
})

test('every table that leads to a person is in one’s own data or says why not', async () => {
  const tables = await personalTables()
  const words = sources
    .flatMap(({ path, text }) => (/auth\/(own-data|by-address)\.ts$/.test(path) ? text : []))
    .join('\n')
  expect(tables.filter((table) => !NOT_SHOWN[table] && !new RegExp(`(FROM|JOIN) ${table}\\b`).test(words))).toEqual([])
  expect(Object.keys(NOT_SHOWN).filter((table) => !tables.includes(table))).toEqual([])
})

test('what belongs to an address is found through indexes, however much there is', async () => {
  const plans = await Promise.all(
    ERASE_USER_STATEMENTS.map((sql) => queryPlan({ sql, params: [1, 2, '', '[]', '[]'].slice(0, highestOf(sql)) })),
  )
  const scans = plans.flatMap((plan, at) =>
    plan
      .filter((line) => /^SCAN (?!json_each|CONSTANT|\()/.test(line))
      .map((line) => `${ERASE_USER_STATEMENTS[at]?.slice(0, 60)}: ${line}`),
  )
  expect(plans.flat().filter((line) => line.startsWith('SEARCH')).length).toBeGreaterThan(40)
  expect(plans.flat().filter((line) => line.includes('outbox_of_kind'))).toEqual([])
  // Exports are a handful, for a month; nothing else is read from end to end.
  expect(scans.filter((line) => !line.startsWith('UPDATE exports'))).toEqual([])
})

const highestOf = (sql: string) => Math.max(0, ...[...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place)))
