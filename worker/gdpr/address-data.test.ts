import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AddressErasure, AddressExport, AddressLookup, InquiryRecord } from '../contract/privacy'
import { openDb } from '../db/client'
import worker from '../index'
import { DAY_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { errorOf, ORIGIN, send } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { NOON, seedSite } from '../testing/seed'
import { beforeBatch, dumpStores, withMethods } from '../testing/stores'
import { addNamedUser, cookieHeaderFor, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { emailAddressFile } from './address-data'
import { eraseAddress } from './erase-address'

const EMAIL = 'Juniper@Guest.example'
const PERSONAL_DATA = /juniper|555-?0177|5550177|4 hedge row/i

let cookie: string
const adminRequest = (method: string, path: string, json?: unknown) =>
  send(method, `/api/admin/privacy/inquiries/${path}`, json, { at: NOON, headers: { cookie } })
const visitorRequest = (path: string, json: unknown) =>
  send('POST', path, json, { at: NOON, headers: { 'cf-connecting-ip': uniqueIp() } })
const findInquiryId = (email = EMAIL) =>
  env.DB.prepare('SELECT id FROM privacy_inquiries WHERE email = ? ORDER BY rowid').bind(email).first<string>('id')
const countRows = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>('n')
const auditEntries = async () =>
  (
    await env.DB.prepare(
      "SELECT action, subject, detail FROM audit_log WHERE action LIKE 'address.%' ORDER BY id",
    ).all()
  ).results

const insertVisitorOrder = (id: string, status: string, fulfilment: string) =>
  env.DB.prepare(
    `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, fulfilment, email, shipping_address, holder)
     SELECT ?1, id, 1, 1999, 1999, ?2, ?3, ?3, ?4, ?5, '{"name":"Juniper","line1":"4 Hedge Row"}', 'h' FROM products LIMIT 1`,
  ).bind(id, status, NOON, fulfilment, EMAIL)

beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
  await env.DB.prepare(
    `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on)
     VALUES ('c', 'A challenge', 'A prize', '2026-05-01', '2026-05-10', '2026-05-11', '2026-05-11', '2026-05-14', '2026-05-14', '2026-05-20')`,
  ).run()
})

beforeEach(async () => {
  for (const table of [
    'privacy_inquiries',
    'outbox',
    'attempts',
    'subscribers',
    'show_alerts',
    'stock_alerts',
    'order_lines',
    'orders',
  ])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  await env.DB.batch([
    env.DB.prepare('DELETE FROM verse_submissions'),
    env.DB.prepare(
      `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at)
       VALUES ('v', 'c', 'Juniper B.', ?1, '+1 813-555-0177', 0)`,
    ).bind(EMAIL.toUpperCase()),
    env.DB.prepare(
      `INSERT INTO stock_alerts (id, variant_id, email, email_key, created_at)
       SELECT 's', id, ?1, lower(?1), ?2 FROM product_variants LIMIT 1`,
    ).bind(EMAIL, NOON),
    insertVisitorOrder('arrived', 'paid', 'delivered'),
    insertVisitorOrder('on-its-way', 'paid', 'packed'),
  ])
  for (const [path, body] of [
    ['/api/newsletter/subscribe', { email: EMAIL }],
    ['/api/shows/alerts', { entry: EMAIL }],
    ['/api/shows/alerts', { entry: '813 555 0177' }],
    ['/api/privacy/inquiries', { email: EMAIL, kind: 'deletion', message: 'Juniper wants to go.' }],
    ['/api/privacy/inquiries', { email: 'JUNIPER@guest.example', kind: 'access', message: 'And what is there?' }],
  ] as const)
    expect((await visitorRequest(path, body)).ok).toBe(true)
})

test('erases a visitor from D1, KV and R2; sends receipt', async () => {
  const id = await findInquiryId()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO uploads (id, kind, created_at, stored_at, content_type, size_bytes)
       VALUES ('up_j', 'audio', ?1, ?1, 'audio/mpeg', 9)`,
    ).bind(NOON),
    env.DB.prepare("UPDATE verse_submissions SET audio_key = 'uploads/up_j'"),
  ])
  await env.FILES.put('uploads/up_j', 'Juniper sings')
  expect(
    (await visitorRequest('/api/privacy/inquiries/confirm', { token: await tokenFromEmail('inquiry_received', EMAIL) }))
      .status,
  ).toBe(200)
  const counts = {
    newsletter: 1,
    showAlerts: 1,
    verses: 1,
    orders: 2,
    ordersUnderWay: 1,
    stockAlerts: 1,
    mails: 4,
    inquiries: 2,
    contacts: 0,
    importedSales: 0,
  }
  const lookup = await (await adminRequest('GET', `${id}/held`)).json<AddressLookup>()
  expect(lookup).toEqual({ found: counts, account: null })
  await env.DB.prepare("UPDATE orders SET fulfilment = 'delivered'").run()

  const responses = await Promise.all([0, 1].map(() => adminRequest('POST', `${id}/erase`, { shownOtherwise: false })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  const receipt = await responses.find(({ status }) => status === 200)?.json<AddressErasure>()
  expect(receipt).toEqual({
    erasedAt: new Date(NOON).toISOString(),
    found: { ...counts, ordersUnderWay: 0 },
    letterSent: true,
  })
  // Only the receipt is left, until it is sent.
  const [email, ...otherEmails] = await emailsTo(EMAIL)
  expect([email?.kind, email?.text.includes('This email is your receipt'), otherEmails]).toEqual(['erased', true, []])
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = ?").bind(NOON).run()
  await worker.scheduled({ scheduledTime: NOON, cron: '*/5 * * * *' } as ScheduledController, env as never)
  await worker.scheduled({ scheduledTime: NOON + DAY_MS } as ScheduledController, env as never)
  expect(await dumpStores()).not.toMatch(PERSONAL_DATA)

  expect([await countRows('orders WHERE amount_cents = 1999'), await countRows('verse_submissions')]).toEqual([2, 1])
  expect([await countRows("show_alerts WHERE entry_key LIKE 'phone:%'"), await countRows('suppressions')]).toEqual([
    0, 1,
  ])
  expect(await auditEntries()).toEqual([
    {
      action: 'address.erased',
      subject: `inquiry:${id}`,
      detail: JSON.stringify({ ...counts, ordersUnderWay: 0, shown: 'mailbox' }),
    },
  ])
  // The inquiry stays, closed and anonymous.
  const inquiries = await (
    await send('GET', '/api/admin/privacy/inquiries', undefined, { at: NOON, headers: { cookie } })
  ).json()
  expect(inquiries).toMatchObject([{ id, email: '', message: '', answeredAt: new Date(NOON).toISOString() }])
  expect((await adminRequest('GET', `${id}/held`)).status).toBe(409)
})

test('an erased visitor’s order keeps its address until delivery', async () => {
  const id = await findInquiryId()
  expect((await adminRequest('POST', `${id}/erase`, { shownOtherwise: true })).status).toBe(200)
  const ordersWithAddress = "orders WHERE email IS NOT NULL AND shipping_address LIKE '%Hedge Row%'"
  expect([await countRows(ordersWithAddress), await countRows(`${ordersWithAddress} AND id = 'on-its-way'`)]).toEqual([
    1, 1,
  ])
  await env.DB.prepare("UPDATE orders SET fulfilment = 'delivered'").run()
  await worker.scheduled({ scheduledTime: NOON + DAY_MS } as ScheduledController, env as never)
  expect(await countRows(ordersWithAddress)).toBe(0)
})

test('requires confirmation to erase an address, and rejects accounts', async () => {
  const id = await findInquiryId()
  expect(await errorOf(await adminRequest('POST', `${id}/erase`, { shownOtherwise: false }))).toEqual([
    409,
    'conflict',
    'This inquiry has not been confirmed from that mailbox.',
  ])
  const { id: accountId } = await addNamedUser('juniper', { email: EMAIL.toLowerCase(), emailVerifiedAt: null })
  expect(await errorOf(await adminRequest('POST', `${id}/erase`, { shownOtherwise: true }))).toEqual([
    409,
    'conflict',
    expect.stringContaining('under Supporters'),
  ])
  expect([await countRows('subscribers'), await countRows("outbox WHERE kind = 'erased'")]).toEqual([1, 0])
  // Frees the address for the tests below.
  await env.DB.prepare("UPDATE users SET email = NULL, email_key = NULL, username = 'x' || id WHERE id = ?")
    .bind(accountId)
    .run()
})

test('an inquiry names only an account with a confirmed address', async () => {
  const { id: accountId } = await addNamedUser('early-squatter', {
    email: EMAIL.toLowerCase(),
    emailVerifiedAt: null,
  })
  const id = await findInquiryId()
  // The account that the inquiry names, then the account that the search for stored data finds.
  const readUsernames = async () => [
    (await (await adminRequest('GET', `${id}`)).json<InquiryRecord>()).username,
    (await (await adminRequest('GET', `${id}/held`)).json<AddressLookup>()).account,
  ]
  expect(await readUsernames()).toEqual([null, 'early-squatter'])
  await env.DB.prepare('UPDATE users SET email_verified_at = ? WHERE id = ?').bind(NOON, accountId).run()
  expect(await readUsernames()).toEqual(['early-squatter', 'early-squatter'])
  // Frees the address for the tests below.
  await env.DB.prepare(
    "UPDATE users SET email = NULL, email_key = NULL, email_verified_at = NULL, username = 'x' || id WHERE id = ?",
  )
    .bind(accountId)
    .run()
})

test('the emailed link confirms only its own inquiry', async () => {
  const token = await tokenFromEmail('inquiry_received', EMAIL)
  expect((await visitorRequest('/api/privacy/inquiries/confirm', { token })).status).toBe(200)
  const confirmed = "privacy_inquiries WHERE confirmed_at IS NOT NULL AND kind = 'deletion'"
  expect([await countRows('privacy_inquiries WHERE confirmed_at IS NOT NULL'), await countRows(confirmed)]).toEqual([
    1, 1,
  ])
  // The second inquiry has its own email, addressed as typed.
  expect(await tokenFromEmail('inquiry_received', 'JUNIPER@guest.example')).not.toBe(token)
  expect((await visitorRequest('/api/privacy/inquiries/confirm', { token: `${token}x` })).status).toBe(400)
  expect((await adminRequest('POST', `${await findInquiryId()}/erase`, { shownOtherwise: false })).status).toBe(200)
  expect((await visitorRequest('/api/privacy/inquiries/confirm', { token })).status).toBe(400)
})

test('sends no receipt to a bounced mailbox', async () => {
  const id = await findInquiryId()
  await env.DB.prepare("UPDATE outbox SET state = 'sent', provider_id = 'p'").run()
  const hash = await suppressionHash(env.SIGNING_SECRET, EMAIL.toLowerCase())
  await env.DB.prepare("INSERT INTO mail_stops (hash, reason, created_at) VALUES (?, 'bounced', 0)").bind(hash).run()
  expect((await adminRequest('POST', `${id}/mail-file`)).status).toBe(409)
  const receipt = await (await adminRequest('POST', `${id}/erase`, { shownOtherwise: true })).json<AddressErasure>()
  expect([receipt.letterSent, await countRows('outbox')]).toEqual([false, 0])
  await env.DB.prepare('DELETE FROM mail_stops').run()
})

test('exports address data as JSON, page or email, audited', async () => {
  const id = await findInquiryId()
  const before = (await auditEntries()).length
  for (const path of ['file', 'mail-file']) expect((await adminRequest('POST', `${id}/${path}`)).status).toBe(409)
  await env.DB.prepare('UPDATE privacy_inquiries SET confirmed_at = 0 WHERE id = ?').bind(id).run()
  const { data, page } = await (await adminRequest('POST', `${id}/file`)).json<AddressExport>()
  expect(
    Object.fromEntries(Object.entries(data).map(([part, rows]) => [part, Array.isArray(rows) && rows.length])),
  ).toEqual({
    writtenAt: false,
    newsletter: 1,
    showAlerts: 1,
    stockAlerts: 1,
    submissions: 1,
    inquiries: 2,
    orders: 2,
    mails: 4,
    contacts: 0,
    importedSales: 0,
  })
  expect(page).toMatch(/Juniper B\.[\s\S]*4 Hedge Row/)
  expect((await adminRequest('POST', `${id}/mail-file`)).status).toBe(202)
  const [email] = await emailsTo(EMAIL)
  expect([email?.kind, email?.html.includes('4 Hedge Row')]).toEqual(['inquiry_file', true])
  expect(await errorOf(await adminRequest('POST', `${id}/mail-file`))).toEqual([
    409,
    'conflict',
    'The data was already emailed today. Send the answer without the file, or email the data again tomorrow.',
  ])
  expect((await auditEntries()).slice(before)).toEqual([
    { action: 'address.read', subject: `inquiry:${id}`, detail: '{}' },
    { action: 'address.mailed', subject: `inquiry:${id}`, detail: '{}' },
  ])
})

test('sends no answer to an address erased concurrently', async () => {
  for (let round = 0; round < 4; round++) {
    const email = `round${round}@guest.example`
    await visitorRequest('/api/privacy/inquiries', { email, kind: 'other', message: 'Well?' })
    const id = await findInquiryId(email)
    await Promise.all([
      adminRequest('POST', `${id}/answer`, { answer: 'Yes.' }),
      adminRequest('POST', `${id}/erase`, { shownOtherwise: true }),
    ])
    const kinds = (await emailsTo(email)).map(({ kind }) => kind)
    expect(kinds).toEqual(['erased'])
  }
})

test('names an account created while its address is erased', async () => {
  const id = (await findInquiryId())!
  const actorId = (await env.DB.prepare("SELECT id FROM users WHERE role = 'administrator'").first<number>('id'))!
  let accountId = 0
  const d1 = beforeBatch(env.DB, async () => {
    accountId ||= (await addNamedUser('latecomer', { email: EMAIL.toLowerCase() })).id
  })
  const deps = { db: openDb(d1), secret: env.SIGNING_SECRET, origin: ORIGIN }
  await expect(eraseAddress(deps, { id, actorId, at: NOON, shownOtherwise: true })).rejects.toThrow(
    'latecomer has an account with that address.',
  )
  expect(await countRows('subscribers')).toBe(1)
  // Frees the address for the tests below.
  await env.DB.prepare('UPDATE users SET email = NULL, email_key = NULL WHERE id = ?').bind(accountId).run()
})

test('emails no data to an address erased meanwhile', async () => {
  const id = (await findInquiryId())!
  await env.DB.prepare('UPDATE privacy_inquiries SET confirmed_at = 0 WHERE id = ?').bind(id).run()
  const actorId = (await env.DB.prepare("SELECT id FROM users WHERE role = 'administrator'").first<number>('id'))!
  let isErased = false
  // Erases the address as soon as its data was read.
  const d1 = withMethods(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements)
      if (!isErased) isErased = (await adminRequest('POST', `${id}/erase`, { shownOtherwise: false })).ok
      return results
    },
  })
  const before = (await auditEntries()).length
  const deps = { db: openDb(d1), secret: env.SIGNING_SECRET, origin: ORIGIN }
  await expect(emailAddressFile(deps, { id, actorId, at: NOON })).rejects.toThrow('has already been erased')
  expect(isErased).toBe(true)
  expect((await emailsTo(EMAIL)).map(({ kind }) => kind)).toEqual(['erased'])
  expect((await auditEntries()).slice(before).map(({ action }) => action)).toEqual(['address.erased'])
})

test('an administrator deletes a child’s account and address data', async () => {
  const email = 'parent@guest.example'
  await addNamedUser('bluebell', { email: 'bluebell@guest.example', phoneHash: 'bluebell-phone' })
  const childId = await env.DB.prepare("SELECT id FROM users WHERE username = 'bluebell'").first<number>('id')
  await env.DB.prepare(
    `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at)
     VALUES ('child', 'c', 'Bluebell, 11', ?1, '', 0)`,
  )
    .bind(email)
    .run()
  await visitorRequest('/api/privacy/inquiries', { email, kind: 'deletion', message: 'Bluebell is eleven.' })
  expect((await adminRequest('POST', `${await findInquiryId(email)}/erase`, { shownOtherwise: true })).status).toBe(200)
  const deletion = await send('DELETE', `/api/admin/supporters/${childId}`, undefined, {
    at: NOON,
    headers: { cookie },
  })
  expect(deletion.status).toBe(204)
  await env.DB.prepare("UPDATE outbox SET state = 'sent', sent_at = ?").bind(NOON).run()
  await worker.scheduled({ scheduledTime: NOON + DAY_MS } as ScheduledController, env as never)
  expect(await dumpStores()).not.toMatch(/bluebell|parent@guest/i)
})

test('an unconfirmed account cannot read or erase the address’s data', async () => {
  const address = 'victim@mail.example'
  const countSuppressions = () => env.DB.prepare('SELECT count(*) AS n FROM suppressions').first<number>('n')
  const before = await countSuppressions()
  await send('POST', '/api/privacy/inquiries', { email: address, kind: 'access', message: 'Mine.' }, { at: NOON })
  await send('POST', '/api/newsletter/subscribe', { email: address }, { at: NOON })
  await env.DB.prepare(
    `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, email, shipping_address)
     SELECT 'order_2', id, 1, 1999, 1999, 'paid', ?1, ?1, ?2, '{"line1":"2 Quay"}' FROM products LIMIT 1`,
  )
    .bind(NOON, address)
    .run()
  await addNamedUser('squatter', { email: address, emailVerifiedAt: null })
  const browser = await logInWithPassword('squatter', { at: NOON })
  const file = await (await browser.send('GET', '/api/account/export')).json<Record<string, unknown[]>>()
  expect([file.inquiries, file.newsletter, file.mails]).toEqual([[], [], []])
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  const countOfAddress = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).bind(address).first('n')
  expect(await countOfAddress('privacy_inquiries WHERE email_key = ?')).toBe(1)
  expect(await countOfAddress('subscribers WHERE email_key = ?')).toBe(1)
  expect(await countOfAddress('orders WHERE email = ? AND shipping_address IS NOT NULL')).toBe(1)
  expect(await countSuppressions()).toBe(before)
})
