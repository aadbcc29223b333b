import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { inquirySubject } from '../gdpr/address-data'
import { exportParts, toStatement } from '../gdpr/personal-data-registry'
import { addMonths } from '../lib/clock'
import { personalData as newsletter } from '../newsletter/personal-data'
import { unsubscribeStatements } from '../newsletter/preferences'
import { db } from '../testing/fixtures'
import { csvLines, getImport, importFile, setUpImports, uploadImport } from '../testing/imports'
import { NOON } from '../testing/seed'
import { deleteImportFiles } from './cleanup'
import { personalData } from './personal-data'

beforeAll(setUpImports)

const MEMBERS = csvLines(
  'Name,Email,Patron Status',
  'Zoë,zoe@fan.example,Active patron',
  'Bo,bo@fan.example,Former patron',
)
const SALES = csvLines(
  'date,item name,item total,currency,bandcamp transaction id,buyer name,buyer email',
  '4/12/21 5:13pm,Gold,12.00,USD,77,Zoë Z,zoe@fan.example',
)
const queryRows = async (sql: string) => (await env.DB.prepare(sql).all()).results

test('erases an imported contact and retains the sale', async () => {
  await importFile(MEMBERS)
  await importFile(SALES)
  const uploadedImport = await uploadImport(MEMBERS)
  await env.DB.prepare(
    `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at)
     VALUES ('i', 'deletion', 'Zoe@fan.example', 'zoe@fan.example', 'm', 0, 0)`,
  ).run()
  const subject = inquirySubject('i', NOON)
  const parts = Object.fromEntries(await exportParts(subject, { db, secret: env.SIGNING_SECRET }))
  expect(await db.all(parts.contacts as never)).toMatchObject([{ source: 'patreon', name: 'Zoë' }])
  expect(await db.all(parts.importedSales as never)).toMatchObject([
    { source: 'bandcamp', item: 'Gold', buyer: 'Zoë Z' },
  ])

  const counts = Object.entries(personalData.byAddress?.counts?.(subject) ?? {})
  expect(
    await Promise.all(
      counts.map(async ([name, query]) => [name, Object.values((await db.all<object>(query))[0] ?? {})]),
    ),
  ).toEqual([
    ['contacts', [1]],
    ['importedSales', [1]],
  ])

  await env.DB.batch((personalData.byAddress?.erase(subject) ?? []).map((statement) => toStatement(db, statement)))
  expect(await queryRows('SELECT email FROM contacts')).toEqual([{ email: 'bo@fan.example' }])
  expect(await queryRows('SELECT email, email_key, buyer, amount_cents AS cents FROM imported_sales')).toEqual([
    { email: null, email_key: null, buyer: null, cents: 1_200 },
  ])
  // The cleanup job deletes files that may contain the contact.
  await deleteImportFiles({ db, files: env.FILES }, NOON)
  expect((await getImport(uploadedImport.id)).state).toBe('expired')
  expect(await env.FILES.head(`imports/${uploadedImport.id}.csv`)).toBe(null)
})

test('deletes contacts after three years, buyers after seven', async () => {
  await env.DB.batch(['contacts', 'imported_sales'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  await importFile(MEMBERS)
  await importFile(SALES)
  const countsAfterRetention = async (at: number) => {
    for (const { step } of personalData.retention ?? []) await step({ db, files: env.FILES } as never, at)
    const [counts] = await queryRows(
      'SELECT (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*) FROM imported_sales WHERE buyer IS NOT NULL) AS buyers',
    )
    return counts
  }
  const soldAt = Date.parse('2021-04-12T17:13:00Z')
  expect(await countsAfterRetention(addMonths(soldAt, 84) - 1)).toEqual({ contacts: 2, buyers: 1 })
  expect(await countsAfterRetention(addMonths(soldAt, 84))).toEqual({ contacts: 2, buyers: 0 })
  expect(await countsAfterRetention(addMonths(NOON, 36) - 1)).toEqual({ contacts: 2, buyers: 0 })
  expect(await countsAfterRetention(addMonths(NOON, 36))).toEqual({ contacts: 0, buyers: 0 })
  expect(await queryRows('SELECT item FROM imported_sales')).toEqual([{ item: 'Gold' }])
})

test('an import resubscribes no unsubscribed address', async () => {
  const file = csvLines(
    'Email Address,OPTIN_TIME,CONFIRM_TIME,LEID',
    'left@fan.example,2021-04-12 17:13:05,2021-04-12 17:20:00,1',
  )
  expect((await importFile(file)).counts?.subscribed).toBe(1)
  await env.DB.batch(unsubscribeStatements(db, 'newsletter', 'left@fan.example', NOON))
  for (const { step } of newsletter.retention ?? [])
    await step({ db, secret: env.SIGNING_SECRET } as never, addMonths(NOON, 12))
  expect(await queryRows('SELECT id FROM subscribers')).toEqual([])
  expect((await importFile(file)).counts).toMatchObject({ subscribed: 0 })
  expect(await queryRows('SELECT reason FROM mail_stops')).toEqual([{ reason: 'unsubscribed' }])
})
