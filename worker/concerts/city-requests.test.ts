import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { emailConfirmedStatements } from '../auth/email-confirmed'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS } from '../lib/clock'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { hashPhone } from '../users/phone'
import { cityDemandQuery, requestCity, requesterHash } from './city-requests'
import { cityRequests, showAlerts } from './concerts.table'

const SECRET = 'x'.repeat(40)

beforeEach(async () => {
  await db.delete(showAlerts)
  await db.delete(cityRequests)
})

const postEntry = (path: string, json: unknown, ip: string = crypto.randomUUID(), at = NOON) =>
  send('POST', path, json, { at, headers: { 'cf-connecting-ip': ip } })
const requestAlert = (entry: unknown) => postEntry('/api/shows/alerts', { entry })
const requestShow = (entry: unknown, ip?: string, at?: number) =>
  postEntry('/api/shows/city-requests', { entry }, ip, at)

test('stores each alert request once', async () => {
  for (const entry of ['Fan@Example.com', ' fan@example.com ', 'text me at the bar', '<b>&"'])
    expect([(await requestAlert(entry)).status, await (await requestAlert(entry)).text()]).toEqual([202, ''])
  const rows = await db.select().from(showAlerts)
  expect(rows.map(({ entry, entryKey, emailKey }) => [entry, entryKey, emailKey])).toEqual([
    ['Fan@Example.com', 'fan@example.com', 'fan@example.com'],
    ['text me at the bar', 'text me at the bar', null],
    ['<b>&"', '<b>&"', null],
  ])
  expect(rows.every(({ confirmedAt }) => confirmedAt === null)).toBe(true)
})

test('stores a phone number as an erasable hash', async () => {
  for (const entry of ['(813) 555-0199', '+1 813 555 0199']) expect((await requestAlert(entry)).status).toBe(202)
  const storedAlerts = () => db.select().from(showAlerts)
  expect((await storedAlerts()).map(({ entry }) => entry)).toEqual(['A phone number that ends in 99'])
  expect(JSON.stringify(await storedAlerts())).not.toMatch(/555|0199/)
  const { hash } = await hashPhone(env.SIGNING_SECRET, '813-555-0199')
  const { id } = await addUser({ phoneHash: hash })
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: id, byUserRequest: true }, NOON)
  expect(await storedAlerts()).toEqual([])
})

test.each(['/api/shows/alerts', '/api/shows/city-requests'])('%s rejects invalid entries', async (path) => {
  const bad = [{}, { entry: '' }, { entry: ' \u0000 ' }, { entry: 'x'.repeat(10_000) }, { entry: 7 }, { entry: ['a'] }]
  for (const json of [...bad, { entry: '\ud800' }, { entry: 'Tampa', to: 'all' }, [], null, undefined])
    expect(await statusAndCodeOf(await postEntry(path, json))).toEqual([400, 'bad_input'])
  expect(await errorOf(await postEntry(path, { entry: '' }))).toEqual([
    400,
    'bad_input',
    'What you entered is required.',
  ])
})

const listDemand = () => cityDemandQuery(db)
/** Adds a user; `request` sends a city request as that user. */
async function addRequester(row: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(row)
  const { headers } = await sessionFor(user, NOON)
  const request = (entry: string) =>
    send(
      'POST',
      '/api/shows/city-requests',
      { entry },
      {
        at: NOON,
        headers: { ...headers, 'cf-connecting-ip': crypto.randomUUID() },
      },
    )
  return { user, request }
}

test('counts one city request per requester', async () => {
  const { request } = await addRequester()
  for (const entry of ['Tampa', 'tampa', ' TAMPA ', 'Ｔａｍｐａ']) expect((await request(entry)).status).toBe(202)
  expect(await listDemand()).toEqual([{ city: 'Tampa', people: 1 }])
})

test('ranks cities by requesters', async () => {
  const requesters = [await addRequester(), await addRequester(), await addRequester()]
  await requesters[0]!.request('Savannah')
  for (const { request } of requesters.slice(1)) await request('savannah')
  for (const name of ['Tampa', 'Ocala']) await requesters[0]!.request(name)
  expect(await listDemand()).toEqual([
    { city: 'Savannah', people: 3 },
    { city: 'Ocala', people: 1 },
    { city: 'Tampa', people: 1 },
  ])
})

test('counts an account’s city requests after its email is confirmed', async () => {
  for (const address of ['a', 'b']) expect((await requestShow('Tampa', address)).status).toBe(202)
  const email = 'someone@mail.example'
  const { user, request } = await addRequester({ email, emailKey: email, mailboxKey: email, emailVerifiedAt: null })
  for (const name of ['Tampa', 'Ocala']) await request(name)
  expect(await listDemand()).toEqual([])
  const confirmedUser = { userId: user.id, email, mailboxKey: email }
  await env.DB.batch([
    env.DB.prepare('UPDATE users SET email_verified_at = 1 WHERE id = ?1').bind(user.id),
    ...(await emailConfirmedStatements({ db, secret: env.SIGNING_SECRET }, confirmedUser, NOON)),
  ])
  expect(await listDemand()).toEqual([
    { city: 'Ocala', people: 1 },
    { city: 'Tampa', people: 1 },
  ])
  // A deleted request is no longer counted.
  await request('Miami')
  await db.delete(cityRequests)
  expect(await listDemand()).toEqual([])
})

test('a mailbox owner’s takeover deletes the unconfirmed account’s city requests', async () => {
  const email = 'taken-over@mail.example'
  const { user, request } = await addRequester({ email, emailKey: email, mailboxKey: email, emailVerifiedAt: null })
  await request('You won at evil.example')
  await env.DB.batch([
    env.DB.prepare('UPDATE users SET email_verified_at = 1 WHERE id = ?1').bind(user.id),
    ...(await emailConfirmedStatements(
      { db, secret: env.SIGNING_SECRET },
      { userId: user.id, email, mailboxKey: email, isTakeover: true },
      NOON,
    )),
  ])
  expect([await listDemand(), await db.select().from(cityRequests)]).toEqual([[], []])
})

test('hashes requesters by month for addresses, permanently for accounts', async () => {
  const july = { userId: null, address: '198.51.100.1', at: NOON }
  const august = { ...july, at: NOON + 31 * DAY_MS }
  const hash = (requester: Parameters<typeof requesterHash>[1]) => requesterHash(SECRET, requester)
  expect(await hash(july)).toBe(await hash({ ...july, at: NOON + 29 * DAY_MS }))
  expect(await hash(july)).not.toBe(await hash(august))
  expect(await hash({ ...july, userId: 7 })).toBe(await hash({ ...august, userId: 7, address: 'other' }))
  expect(await hash(july)).not.toBe(await requesterHash(`${SECRET}y`, july))
  expect(await hash(july)).toMatch(/^[\w-]{43}$/)
})

test('stores one row for a hundred concurrent requests', async () => {
  await Promise.all(
    Array.from({ length: 100 }, () => requestCity(db, { city: 'Tampa', requester: 'r', isConfirmed: true, at: NOON })),
  )
  expect(await listDemand()).toEqual([{ city: 'Tampa', people: 1 }])
})

test('rate-limits the sixth entry in a minute', async () => {
  for (const path of ['/api/shows/alerts', '/api/shows/city-requests']) {
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await postEntry(path, { entry: `City ${n}` }, '203.0.113.99')).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  }
})
