import { createMessageBatch, env } from 'cloudflare:test'
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { IMPORT_CONSENT_VERSION } from '../contract/imports'
import { suppressAddress } from '../email/suppressions'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { limits } from '../limits'
import { upsertSubscriber } from '../newsletter/newsletter'
import { unsubscribeStatements } from '../newsletter/preferences'
import { consumeBatch } from '../queues'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, statusAndCodeOf } from '../testing/client'
import { db } from '../testing/fixtures'
import {
  checkImport,
  csvLines,
  dryRun,
  getAsAdmin,
  getImport,
  importFile,
  importRequest,
  processImport,
  reportedRows,
  setUpImports,
  startImport,
  undoImport,
  uploadFile,
  uploadImport,
} from '../testing/imports'
import { NOON } from '../testing/seed'
import { beforeBatch, withMethods } from '../testing/stores'
import { deleteImportFiles, deleteOldReports, requeueImports } from './cleanup'

beforeAll(setUpImports)

const IMPORTED_TABLES = ['contacts', 'imported_sales', 'subscribers', 'mail_stops'] as const
beforeEach(async () => {
  for (const table of [...IMPORTED_TABLES, 'import_rows', 'suppressions', 'imports', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

/** All rows of the tables that an import can change. */
const importedData = async () =>
  Promise.all(IMPORTED_TABLES.map(async (table) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results))
const NO_ROWS = IMPORTED_TABLES.map(() => [])
const subscriberStates = async () =>
  Object.fromEntries(
    (await env.DB.prepare('SELECT email, state FROM subscribers ORDER BY email').all()).results.map((row) => [
      row.email,
      row.state,
    ]),
  )
/** Counts rows; `source` is a table, also with a WHERE clause. */
const countRows = async (source: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${source}`).first('n')) as number
/** The reason of each reported row, by row number, without what follows a colon. */
const reasonsOf = async (id: string) =>
  Object.fromEntries((await reportedRows(id)).map(({ row, reason }) => [row, reason.split(':')[0]]))
const auditActions = async (id: string) =>
  (
    await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY id').bind(`import:${id}`).all()
  ).results.map(({ action }) => action)

const MAILCHIMP_HEADER = 'Email Address,First Name,Last Name,OPTIN_TIME,CONFIRM_TIME,LEID'
const BANDCAMP_HEADER = 'date,item name,item total,currency,bandcamp transaction id,buyer email'
const MAILCHIMP_FILE = csvLines(
  MAILCHIMP_HEADER,
  'Ada@fan.example,Ada,Lovelace,2021-04-12 17:13:05,2021-04-12 17:20:00,1',
  'bo@fan.example,Bo,,,2021-04-12 17:20:00,2',
  'not an address,Cy,,2021-04-12 17:13:05,2021-04-12 17:20:00,3',
  ',Di,,2021-04-12 17:13:05,2021-04-12 17:20:00,4',
  'ADA@fan.example,Ada again,,2021-04-12 17:13:05,2021-04-12 17:20:00,5',
  'short@fan.example,Row',
)
const unsubscribedFile = (...addresses: string[]) =>
  csvLines(
    'Email Address,OPTIN_TIME,UNSUB_TIME,LEID',
    ...addresses.map((address, i) => `${address},2020-01-01 00:00:00,2024-06-01 00:00:00,${i}`),
  )
/** A copy of a binding whose method `name` fails on its first call. */
function failingOnce<T extends object>(binding: T, name: keyof T): T {
  let hasFailed = false
  const failOnce = async (...args: unknown[]) => {
    if (hasFailed) return (binding[name] as (...args: unknown[]) => unknown).apply(binding, args)
    hasFailed = true
    throw new Error('The worker dies.')
  }
  return withMethods<object>(binding, { [name]: failOnce }) as T
}
const contactsFile = (count: number) =>
  csvLines(
    MAILCHIMP_HEADER,
    ...Array.from(
      { length: count },
      (_, i) => `fan${i}@fan.example,Fan,${i},2021-04-12 17:13:05,2021-04-12 17:20:00,${i}`,
    ),
  )

test('a dry run counts rows, explains exceptions and adds nothing', async () => {
  const { id, counts, state } = await dryRun(MAILCHIMP_FILE)
  expect([state, counts?.subscribed, counts?.contact, counts?.skipped]).toEqual(['checked', 1, 1, 4])
  expect(await reasonsOf(id)).toEqual({
    3: 'Added as a contact without the newsletter',
    4: 'This is not an email address.',
    5: 'There is no email address.',
    6: 'The same entry is in an earlier row of this file.',
    7: 'The row has more or fewer cells than there are columns.',
  })
  expect(await importedData()).toEqual(NO_ROWS)
})

test('subscribes contacts with the consent recorded in the file', async () => {
  const { id, state, counts, undoUntil } = await importFile(MAILCHIMP_FILE)
  expect([state, counts?.subscribed, counts?.contact, counts?.skipped]).toEqual(['imported', 1, 1, 4])
  expect(undoUntil).toBe(new Date(NOON + 30 * DAY_MS).toISOString())
  expect(await env.DB.prepare('SELECT * FROM subscribers').first()).toMatchObject({
    email: 'Ada@fan.example',
    email_key: 'ada@fan.example',
    state: 'confirmed',
    consent_version: 'import-mailchimp',
    consent_at: Date.parse('2021-04-12T17:13:05Z'),
    confirmed_at: Date.parse('2021-04-12T17:20:00Z'),
    created_at: NOON,
  })
  expect(await countRows('contacts')).toBe(2)
  expect(await env.DB.prepare('SELECT consent_version AS v FROM imports').first('v')).toBe(IMPORT_CONSENT_VERSION)
  expect(await auditActions(id)).toEqual(['import.uploaded', 'import.checked', 'import.started'])
  expect(await env.FILES.head(`imports/${id}.csv`)).toBe(null)
})

test('adds subscribers only if an admin confirms their consent', async () => {
  const { counts } = await importFile(MAILCHIMP_FILE, { consentAttested: false })
  expect([counts?.subscribed, counts?.contact, counts?.reasons.not_attested]).toEqual([0, 2, 1])
  expect(await countRows('subscribers')).toBe(0)
})

test('sends no email and creates no account', async () => {
  const before = [await countRows('outbox'), await countRows('users'), await countRows('ledger')]
  await importFile(MAILCHIMP_FILE)
  await importFile(unsubscribedFile('gone@fan.example'))
  expect([await countRows('outbox'), await countRows('users'), await countRows('ledger')]).toEqual(before)
})

test('turns unsubscribed addresses into suppressions', async () => {
  const { counts } = await importFile(unsubscribedFile('gone@fan.example'))
  expect([counts?.suppressed, await countRows('subscribers'), await countRows('contacts')]).toEqual([1, 0, 0])
  const hash = await suppressionHash(env.SIGNING_SECRET, 'gone@fan.example')
  expect(await env.DB.prepare('SELECT hash, reason FROM mail_stops').first()).toEqual({ hash, reason: 'unsubscribed' })
  const later = await importFile(csvLines(MAILCHIMP_HEADER, 'gone@fan.example,G,,2021-04-12,2021-04-12,9'))
  expect([later.counts?.subscribed, later.counts?.reasons]).toEqual([0, { stopped: 1 }])
})

test('unsubscribes subscribers who later unsubscribed on the platform', async () => {
  for (const [email, at] of [
    ['early@fan.example', Date.parse('2023-01-01')],
    ['late@fan.example', Date.parse('2025-01-01')],
  ] as const) {
    await upsertSubscriber(db, { email, at })
    await env.DB.prepare("UPDATE subscribers SET state = 'confirmed' WHERE email = ?").bind(email).run()
  }
  const { id, counts } = await importFile(unsubscribedFile('early@fan.example', 'late@fan.example'))
  expect([counts?.unsubscribed, counts?.reasons]).toEqual([1, { subscribed_later: 1 }])
  expect(await subscriberStates()).toEqual({ 'early@fan.example': 'unsubscribed', 'late@fan.example': 'confirmed' })
  await undoImport(id)
  expect(await subscriberStates()).toEqual({ 'early@fan.example': 'confirmed', 'late@fan.example': 'confirmed' })
  expect(await countRows('mail_stops')).toBe(0)
})

test('unsubscribes imported subscribers whose consent a later file revokes', async () => {
  await importFile(contactsFile(2))
  await upsertSubscriber(db, { email: 'own@fan.example', at: NOON })
  await env.DB.prepare("UPDATE subscribers SET state = 'confirmed' WHERE email_key = 'own@fan.example'").run()
  const { id, counts } = await importFile(
    csvLines(
      'Email Address,Status,OPTIN_TIME,UNSUB_TIME,LEID',
      'fan0@fan.example,unsubscribed,,,1',
      'fan1@fan.example,no,,,2',
      'own@fan.example,unsubscribed,,,3',
    ),
  )
  expect(counts).toMatchObject({ unsubscribed: 2, reasons: { subscribed_later: 1 } })
  expect(await subscriberStates()).toEqual({
    'fan0@fan.example': 'unsubscribed',
    'fan1@fan.example': 'unsubscribed',
    'own@fan.example': 'confirmed',
  })
  expect(await countRows("mail_stops WHERE reason = 'unsubscribed'")).toBe(2)
  expect((await undoImport(id)).counts).toMatchObject({ removed: 2, stays: 0 })
})

test('preserves subscriptions, unsubscribes and complaints made on this site', async () => {
  for (const name of ['waiting', 'left']) await upsertSubscriber(db, { email: `${name}@fan.example`, at: NOON })
  await env.DB.batch(unsubscribeStatements(db, 'newsletter', 'left@fan.example', NOON))
  const complaint = { email: 'spam@fan.example', reason: 'complained', mailId: null, at: NOON } as const
  await env.DB.batch([await suppressAddress({ db, secret: env.SIGNING_SECRET }, complaint)])
  const { counts } = await importFile(
    csvLines(
      MAILCHIMP_HEADER,
      ...['waiting', 'left', 'spam'].map((name) => `${name}@fan.example,N,,2021-04-12,2021-04-12,${name}`),
    ),
  )
  expect(counts).toMatchObject({ subscribed: 0, contact: 3, reasons: { waiting_here: 1, left_here: 1, stopped: 1 } })
  expect(await subscriberStates()).toEqual({ 'waiting@fan.example': 'pending', 'left@fan.example': 'unsubscribed' })
})

test('adds no erased contact', async () => {
  const hash = await suppressionHash(env.SIGNING_SECRET, 'ada@fan.example')
  await env.DB.prepare('INSERT INTO suppressions (hash, created_at) VALUES (?, 0)').bind(hash).run()
  const { counts } = await importFile(MAILCHIMP_FILE)
  expect([counts?.subscribed, counts?.reasons.erased]).toEqual([0, 1])
  expect(await env.DB.prepare('SELECT email FROM contacts').all()).toMatchObject({
    results: [{ email: 'bo@fan.example' }],
  })
})

test('importing the same file again adds nothing', async () => {
  await importFile(MAILCHIMP_FILE)
  const before = await importedData()
  const again = await dryRun(MAILCHIMP_FILE)
  expect(again.importedBeforeAt).toBe(new Date(NOON).toISOString())
  const { counts } = await importFile(MAILCHIMP_FILE)
  expect([counts?.subscribed, counts?.contact, counts?.reasons.known]).toEqual([0, 0, 2])
  expect(await importedData()).toEqual(before)
})

test('concurrent imports of a file add each contact once', async () => {
  const file = contactsFile(1_200)
  const ids = [(await dryRun(file)).id, (await dryRun(file)).id]
  for (const id of ids) await startImport(id)
  // Two workers run the first import, one the second.
  await Promise.all([ids[0], ids[0], ids[1]].map((id) => processImport(id ?? '')))
  const bothImports = await Promise.all(ids.map(getImport))
  expect(bothImports.map(({ state }) => state)).toEqual(['imported', 'imported'])
  expect(bothImports.reduce((sum, { counts }) => sum + (counts?.subscribed ?? 0), 0)).toBe(1_200)
  expect(bothImports.reduce((sum, { counts }) => sum + (counts?.skipped ?? 0), 0)).toBe(1_200)
  expect([await countRows('subscribers'), await countRows('contacts'), await countRows('import_rows')]).toEqual([
    1_200, 1_200, 2_400,
  ])
})

test('repeats the batch of a crashed worker', async () => {
  const rows = limits.importBatchRows * 2 + 10
  const { id } = await dryRun(contactsFile(rows))
  await startImport(id)
  let batches = 0
  const failingDb = beforeBatch(env.DB, async () => {
    batches += 1
    if (batches === 2) throw new Error('The worker dies.')
  })
  expect((await processImport(id, { DB: failingDb })).retryMessages).toHaveLength(1)
  expect([(await getImport(id)).state, await countRows('subscribers')]).toEqual(['importing', limits.importBatchRows])
  await processImport(id)
  expect([(await getImport(id)).counts?.subscribed, await countRows('subscribers')]).toEqual([rows, rows])
})

test('a long import continues with the next message', async () => {
  const { id } = await dryRun(contactsFile(limits.importBatchRows * 3))
  await startImport(id)
  const sent: unknown[] = []
  const queue = { send: async (body: unknown) => void sent.push(body) } as never
  await processImport(id, { clockStepMs: 30_000, EXPORTS: queue })
  expect([(await getImport(id)).done, sent]).toEqual([
    limits.importBatchRows,
    [{ kind: 'import', id, run: (await getImport(id)).run }],
  ])
  await processImport(id)
  expect((await getImport(id)).counts?.subscribed).toBe(limits.importBatchRows * 3)
})

test('limits the size of a batch in bytes', async () => {
  const cell = '漢'.repeat(200)
  const rows = Array.from({ length: 300 }, (_, i) => `fan${i}@fan.example,${cell},${cell},${cell},${cell}`)
  const { id } = await dryRun(csvLines('Email,Name,Patron Status,Tier,Country', ...rows))
  await startImport(id)
  const queue = { send: async () => undefined } as never
  await processImport(id, { clockStepMs: 30_000, EXPORTS: queue })
  const { done } = await getImport(id)
  expect([done > 100, done < 250]).toEqual([true, true])
  await processImport(id)
  expect((await getImport(id)).counts?.contact).toBe(300)
})

test('requeues imports without progress', async () => {
  const { id } = await dryRun(MAILCHIMP_FILE)
  await startImport(id)
  const sent: unknown[] = []
  const queue = { send: async (body: unknown) => void sent.push(body) } as never
  await requeueImports(db, queue, NOON + MINUTE_MS)
  expect(sent).toEqual([])
  await requeueImports(db, queue, NOON + limits.importStepTimeoutMinutes * MINUTE_MS)
  expect(sent).toEqual([{ kind: 'import', id, run: (await getImport(id)).run }])
})

test('a failed import can be undone', async () => {
  const checked = await dryRun(MAILCHIMP_FILE)
  const { id } = checked
  await startImport(id)
  const { run } = await getImport(id)
  const stateAfterFailure = async (failedRun: string) => {
    const body = { kind: 'import', id, run: failedRun }
    const deadMessage = { id: 'm', timestamp: new Date(NOON), attempts: 5, body }
    await consumeBatch(createMessageBatch('artist-house-exports-dead', [deadMessage] as never), env)
    return (await getImport(id)).state
  }
  // The failed message of the dry run does not fail the import.
  expect([await stateAfterFailure(checked.run), await stateAfterFailure(run)]).toEqual(['importing', 'failed'])
  expect((await undoImport(id)).state).toBe('undone')
})

test('an undo removes added rows and reports retained ones', async () => {
  await upsertSubscriber(db, { email: 'own@fan.example', at: NOON })
  const before = await importedData()
  const { id } = await importFile(contactsFile(4))
  await env.DB.batch(unsubscribeStatements(db, 'newsletter', 'fan1@fan.example', NOON + 1))
  await env.DB.prepare(
    "UPDATE subscribers SET city = 'Tampa', city_key = 'tampa' WHERE email_key = 'fan2@fan.example'",
  ).run()
  const { state, counts } = await undoImport(id)
  expect([state, counts?.removed, counts?.stays]).toEqual(['undone', 2, 2])
  expect(await reasonsOf(id)).toEqual({ 3: 'Stays', 4: 'Stays' })
  expect(await subscriberStates()).toEqual({
    'fan1@fan.example': 'unsubscribed',
    'fan2@fan.example': 'confirmed',
    'own@fan.example': 'pending',
  })
  await env.DB.prepare("DELETE FROM subscribers WHERE email LIKE 'fan%'").run()
  expect(await importedData()).toEqual(before)
  expect(await auditActions(id)).toContain('import.undone')
})

test('an undo does not resubscribe contacts who unsubscribed since', async () => {
  await importFile(contactsFile(2))
  const { id, counts } = await importFile(unsubscribedFile('fan0@fan.example', 'fan1@fan.example'), { at: NOON + 1 })
  expect(counts?.unsubscribed).toBe(2)
  await env.DB.batch(unsubscribeStatements(db, 'newsletter', 'fan1@fan.example', NOON + 2))
  expect((await undoImport(id, { at: NOON + 3 })).counts).toMatchObject({ removed: 1, stays: 1 })
  expect(await subscriberStates()).toEqual({ 'fan0@fan.example': 'confirmed', 'fan1@fan.example': 'unsubscribed' })
})

test('an undo does not restore subscriptions of another undone import', async () => {
  const firstImport = await importFile(contactsFile(1))
  const { id } = await importFile(unsubscribedFile('fan0@fan.example'), { at: NOON + 1 })
  await undoImport(firstImport.id, { at: NOON + 2 })
  await undoImport(id, { at: NOON + 3 })
  expect(await subscriberStates()).toEqual({ 'fan0@fan.example': 'unsubscribed' })
})

test.each(['complained', 'suppressed', 'bounced'] as const)(
  '“%s” replaces an imported suppression and survives its undo',
  async (reason) => {
    const { id } = await importFile(unsubscribedFile('gone@fan.example'))
    const event = { email: 'gone@fan.example', reason, mailId: null, at: NOON + 1 }
    await env.DB.batch([await suppressAddress({ db, secret: env.SIGNING_SECRET }, event)])
    await undoImport(id, { at: NOON + 2 })
    expect(await env.DB.prepare('SELECT reason FROM mail_stops').first('reason')).toBe(reason)
  },
)

test('an undo cancels waiting broadcasts to removed subscribers', async () => {
  const { id } = await importFile(contactsFile(1))
  await env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, created_at)
     VALUES ('b', 'b', 'broadcast', 'fan0@fan.example', 's', 't', 'h', ?1)`,
  )
    .bind(NOON)
    .run()
  await undoImport(id)
  expect(await env.DB.prepare("SELECT state FROM outbox WHERE id = 'b'").first('state')).toBe('failed')
  await env.DB.prepare("DELETE FROM outbox WHERE id = 'b'").run()
})

test('continues an interrupted undo', async () => {
  const { id } = await importFile(contactsFile(limits.importBatchRows + 5))
  await importRequest('POST', `/${id}/undo`)
  await processImport(id, { clockStepMs: 30_000, EXPORTS: { send: async () => undefined } as never })
  expect([(await getImport(id)).state, await countRows('contacts')]).toEqual(['undoing', 5])
  await processImport(id)
  expect([(await getImport(id)).state, await importedData()]).toEqual(['undone', NO_ROWS])
})

test('starts a step once, from allowed states only', async () => {
  const file = await uploadImport(MAILCHIMP_FILE)
  expect(await statusAndCodeOf(await startImport(file.id))).toEqual([409, 'conflict'])
  expect(await statusAndCodeOf(await importRequest('POST', `/${file.id}/undo`))).toEqual([409, 'conflict'])
  await checkImport(file)
  await processImport(file.id)
  const starts = await Promise.all([1, 2, 3].map(() => startImport(file.id)))
  expect(starts.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  await processImport(file.id)
  expect((await checkImport(file)).status).toBe(409)
  expect((await importRequest('DELETE', `/${file.id}`)).status).toBe(409)
  await env.DB.prepare('UPDATE imports SET started_at = ?')
    .bind(NOON - 31 * DAY_MS)
    .run()
  expect(await errorOf(await importRequest('POST', `/${file.id}/undo`))).toEqual([
    409,
    'conflict',
    'Only a finished import of the last 30 days can be undone.',
  ])
  expect((await importRequest('POST', '/import_none/undo')).status).toBe(404)
})

test('audits the confirmed consent and the column mapping', async () => {
  const { id } = await importFile(MAILCHIMP_FILE)
  const { results } = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE subject = ? AND action IN ('import.checked', 'import.started') ORDER BY id",
  )
    .bind(`import:${id}`)
    .all<{ detail: string }>()
  const mapping = JSON.stringify({ email: 0, firstName: 1, lastName: 2, consentAt: 3, confirmedAt: 4 })
  const attested = { kind: 'mailchimp-audience', mapping, consentVersion: IMPORT_CONSENT_VERSION }
  expect(results.map(({ detail }) => JSON.parse(detail))).toEqual([attested, attested])
})

test('starts only the latest dry run', async () => {
  const checked = await dryRun(MAILCHIMP_FILE)
  await checkImport(checked, { consentAttested: false })
  await processImport(checked.id)
  const start = (run: string) => importRequest('POST', `/${checked.id}/start`, { run })
  expect(await statusAndCodeOf(await start(checked.run))).toEqual([409, 'conflict'])
  expect((await start((await getImport(checked.id)).run)).status).toBe(202)
})

test('limits uploads per administrator and day', async () => {
  await uploadImport(MAILCHIMP_FILE)
  await env.DB.prepare("UPDATE attempts SET count = ? WHERE key LIKE 'import:%'")
    .bind(QUOTAS.importsPerAccount.max)
    .run()
  expect(await errorOf(await uploadFile(MAILCHIMP_FILE))).toEqual([
    429,
    'rate_limited',
    'You have uploaded many files today. Please continue tomorrow.',
  ])
  expect(await countRows('imports')).toBe(1)
})

test('counts empty lines toward the row limit', async () => {
  const response = await uploadFile(`${MAILCHIMP_FILE}${'\n'.repeat(100_000)}`)
  expect(await errorOf(response)).toEqual([
    400,
    'bad_input',
    'This file has more than 100,000 rows. Split it into several files.',
  ])
})

test('rejects missing and unknown columns', async () => {
  const { id } = await uploadImport(csvLines('Mail,Name', 'a@fan.example,A'))
  const check = (mapping: object, kind = 'patreon-members') =>
    importRequest('POST', `/${id}/check`, { kind, mapping, consentAttested: false })
  expect(await errorOf(await check({}))).toEqual([
    400,
    'bad_input',
    'Patreon: members needs a column for Email. Choose it, then check again.',
  ])
  expect((await check({ email: 2 })).status).toBe(400)
  expect((await check({ email: 0, item: 1 })).status).toBe(400)
  expect((await check({}, 'myspace')).status).toBe(400)
  expect((await check({ email: 0, name: 1 })).status).toBe(202)
  await processImport(id)
  expect((await getImport(id)).counts?.contact).toBe(1)
})

test('imports members and sales', async () => {
  await importFile(
    csvLines(
      'Name,Email,Patron Status,Lifetime Amount,Tier,Patronage Since Date,Currency,Country',
      'Zoë,zoe@fan.example,Active patron,"1,204.50",Gold,2020-02-01 10:00:00.000000,USD,CA',
    ),
  )
  expect(await env.DB.prepare('SELECT * FROM contacts').first()).toMatchObject({
    source: 'patreon',
    name: 'Zoë',
    tier: 'Gold',
    member_status: 'Active patron',
    lifetime_cents: 120_450,
    currency: 'USD',
    country: 'CA',
    since: Date.parse('2020-02-01T10:00:00Z'),
  })
  const sales = csvLines(
    'Name,Email,Financial Status,Paid at,Currency,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name',
    '#1001,zoe@fan.example,paid,2021-04-12 17:13:05 -0400,USD,2,Shirt,24.50,S-M,Zoë Z',
    '#1001,,,,,1,Poster,10,P,',
    '#1002,q@fan.example,refunded,2021-04-12 17:13:05 -0400,USD,1,Shirt,24.50,S-M,Q',
  )
  const { id, counts } = await importFile(sales)
  expect(counts).toMatchObject({ sale: 2, skipped: 1, reasons: { not_paid: 1 } })
  expect((await importFile(sales)).counts).toMatchObject({ sale: 0, reasons: { not_paid: 1, known: 2 } })
  const { results } = await env.DB.prepare('SELECT * FROM imported_sales ORDER BY item').all()
  const buyer = { email: 'zoe@fan.example', buyer: 'Zoë Z', sold_at: Date.parse('2021-04-12T21:13:05Z') }
  expect(results).toMatchObject([
    { item: 'Poster (P)', quantity: 1, amount_cents: 1_000, ...buyer },
    { item: 'Shirt (S-M)', quantity: 2, amount_cents: 4_900, ...buyer },
  ])
  expect(await (await getAsAdmin('/api/admin/imported-sales')).json()).toEqual([
    { year: 2021, source: 'shopify', currency: 'USD', sales: 2, pieces: 3, amountCents: 5_900 },
  ])
  await undoImport(id)
  expect([await countRows('imported_sales'), await countRows('contacts')]).toEqual([0, 1])
})

test('caps sums beyond safe integers', async () => {
  await importFile(csvLines(BANDCAMP_HEADER, '4/12/21,Gold,1,USD,1,', '4/12/21,Gold,1,USD,2,'))
  await env.DB.prepare('UPDATE imported_sales SET amount_cents = 9000000000000000000').run()
  const response = await getAsAdmin('/api/admin/imported-sales')
  expect(await response.json()).toMatchObject([{ sales: 2, amountCents: Number.MAX_SAFE_INTEGER }])
})

test('the report is safe to open in a spreadsheet', async () => {
  const { id } = await dryRun(
    csvLines(BANDCAMP_HEADER, '=HYPERLINK(1),Gold,1,USD,1,a@fan.example', '4/12/21,Gold,1,USD,,'),
  )
  const response = await importRequest('GET', `/${id}/report`)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="fans report.csv"')
  expect(parse(await response.text(), { bom: true })).toEqual([
    ['row', 'imported', 'reason', 'cell'],
    ['2', 'no', 'We cannot read this date.', "'=HYPERLINK(1)"],
    ['3', 'no', 'There is no order or transaction.', ''],
  ])
  expect(await auditActions(id)).toContain('import.report_downloaded')
})

test('lists contacts with masked addresses', async () => {
  await importFile(MAILCHIMP_FILE)
  const page = await (await getAsAdmin('/api/admin/contacts?q=lovelace')).json()
  expect(page).toMatchObject([{ email: 'A…@fan.example', name: 'Ada Lovelace', newsletter: 'confirmed' }])
})

test('deletes files and reports after their retention', async () => {
  const { id } = await dryRun(MAILCHIMP_FILE)
  const countFiles = async () => (await env.FILES.list({ prefix: `imports/${id}` })).objects.length
  const deps = { db, files: env.FILES }
  await deleteImportFiles(deps, NOON + (limits.importFileTtlHours - 1) * HOUR_MS)
  expect([(await getImport(id)).state, await countFiles()]).toEqual(['checked', 2])
  await deleteImportFiles(deps, NOON + limits.importFileTtlHours * HOUR_MS)
  expect([(await getImport(id)).state, await countFiles()]).toEqual(['expired', 0])
  expect((await startImport(id)).status).toBe(409)

  const imported = await importFile(MAILCHIMP_FILE)
  await deleteOldReports(deps, NOON + 30 * DAY_MS)
  expect([await countRows('import_rows'), (await getImport(imported.id)).counts]).toEqual([0, null])
  expect((await importRequest('GET', `/${imported.id}/report`)).status).toBe(404)
  expect(await countRows('contacts')).toBe(2)
})

test('finishes an import whose file deletion failed', async () => {
  const { id } = await dryRun(MAILCHIMP_FILE)
  await startImport(id)
  const failingFiles = failingOnce(env.FILES, 'delete')
  expect((await processImport(id, { FILES: failingFiles })).retryMessages).toHaveLength(1)
  await processImport(id)
  expect((await getImport(id)).state).toBe('imported')
  await deleteImportFiles({ db, files: env.FILES }, NOON)
  expect(await env.FILES.head(`imports/${id}.csv`)).toBe(null)
  expect((await importRequest('GET', `/${id}/report`)).status).toBe(200)
})

test('masks values after the file is deleted', async () => {
  const name = 'Ada Lovelace'
  const { id } = await dryRun(csvLines(`${BANDCAMP_HEADER},${name}`, `${name},Gold,1,USD,1,a@fan.example,`))
  expect((await reportedRows(id))[0]?.value).toBe(name)
  await startImport(id)
  await processImport(id)
  const report = await (await importRequest('GET', `/${id}/report`)).text()
  const stored = JSON.stringify([await getImport(id), await reportedRows(id), report])
  expect([stored.includes('Ada'), stored.includes('A…')]).toEqual([false, true])
  const checkedImport = await dryRun(csvLines(`${BANDCAMP_HEADER},${name}`, `${name},Gold,1,USD,1,a@fan.example,`))
  await deleteImportFiles({ db, files: env.FILES }, NOON + limits.importFileTtlHours * HOUR_MS)
  expect(JSON.stringify([await getImport(checkedImport.id), await reportedRows(checkedImport.id)])).not.toContain('Ada')
  expect(await reasonsOf((await dryRun(MAILCHIMP_FILE)).id)).toMatchObject({ 4: 'This is not an email address.' })
  expect(await countRows("import_rows WHERE value LIKE '%not an address%'")).toBe(0)
})

test('an undone failed import has a report and no file', async () => {
  const { id } = await dryRun(contactsFile(2))
  await startImport(id)
  await env.DB.prepare("UPDATE imports SET state = 'failed' WHERE id = ?").bind(id).run()
  await undoImport(id)
  expect(await env.FILES.head(`imports/${id}.csv`)).toBe(null)
  await deleteImportFiles({ db, files: env.FILES }, NOON + limits.importFileTtlHours * HOUR_MS)
  expect((await importRequest('GET', `/${id}/report`)).status).toBe(200)
})

test('deletes all data of a discarded file', async () => {
  const { id } = await dryRun(MAILCHIMP_FILE)
  expect((await importRequest('DELETE', `/${id}`)).status).toBe(204)
  expect((await importRequest('GET', `/${id}`)).status).toBe(404)
  expect([await countRows('import_rows'), (await env.FILES.list({ prefix: `imports/${id}` })).objects]).toEqual([0, []])
})
