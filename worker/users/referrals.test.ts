import { env } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { eraseUser } from '../gdpr/erase-user'
import { type Browser, newBrowser } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { db } from '../testing/fixtures'
import { fakeOidcProvider, GOOGLE_ENV, logInWithGoogle } from '../testing/oidc-provider'
import { NOON, seedSite } from '../testing/seed'
import { beforeBatch } from '../testing/stores'
import { addNamedUser, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'

let issuer: Awaited<ReturnType<typeof fakeOidcProvider>>

beforeAll(() => seedSite(env.DB, { site: { name: 'Coral Kingsley', referralPrefix: 'CORAL' } }))
beforeEach(async () => {
  issuer ??= await fakeOidcProvider(NOON)
  vi.spyOn(globalThis, 'fetch').mockImplementation(issuer.fetch)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const findUser = (column: string, value: unknown) =>
  env.DB.prepare(`SELECT * FROM users WHERE ${column} = ?`).bind(value).first<Record<string, unknown>>()
const getStatus = async (browser: Browser) =>
  (await browser.send('GET', '/api/auth/status')).json<Record<string, unknown> | null>()

test('Google sign-up rewards no self-referrals by session or mailbox', async () => {
  const { id } = await addNamedUser('selfish', { referralCode: 'CORAL78XYZ', mailboxKey: 'selfish@mail.example' })
  const browser = await logInWithPassword('selfish', { at: NOON, env: GOOGLE_ENV })
  await logInWithGoogle(issuer, browser, { sub: 'self', email: 'other@mail.example' }, '?referralCode=CORAL78XYZ')
  const alias = newBrowser({ address: uniqueIp(), at: NOON, env: GOOGLE_ENV })
  await logInWithGoogle(issuer, alias, { sub: 'alias', email: 'selfish+2@mail.example' }, '?referralCode=CORAL78XYZ')
  for (const selfReferral of [browser, alias]) {
    const newcomer = await getStatus(selfReferral)
    expect(newcomer).toMatchObject({ points: 0 })
    expect(newcomer?.id).not.toBe(id)
  }
  expect((await findUser('id', id))?.points).toBe(0)
})

test('Google sign-up rewards no referrer banned meanwhile', async () => {
  const { id } = await addNamedUser('gone', { referralCode: 'CORAL79XYZ' })
  const ban = () => env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?').bind(id).run()
  const DB = beforeBatch(env.DB, ban)
  const browser = newBrowser({ address: uniqueIp(), at: NOON, env: { ...GOOGLE_ENV, DB } })
  await logInWithGoogle(issuer, browser, { sub: 'guest', email: 'guest@mail.example' }, '?referralCode=CORAL79XYZ')
  expect(await getStatus(browser)).toMatchObject({ points: 0 })
  expect((await findUser('email', 'guest@mail.example'))?.referred_by).toBe(null)
  const ledgerEntries = env.DB.prepare('SELECT count(*) AS n FROM ledger WHERE user_id = ?').bind(id)
  expect(await ledgerEntries.first('n')).toBe(0)
})

test('Google sign-up rewards no second referral of an erased mailbox', async () => {
  await addNamedUser('host-g', { referralCode: 'CORAL80XYZ' })
  const first = newBrowser({ address: uniqueIp(), at: NOON, env: GOOGLE_ENV })
  await logInWithGoogle(issuer, first, { sub: 'circle', email: 'circle@mail.example' }, '?referralCode=CORAL80XYZ')
  const firstUser = await getStatus(first)
  expect(firstUser).toMatchObject({ points: 50 })
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: Number(firstUser?.id), byUserRequest: true }, NOON)
  const again = newBrowser({ address: uniqueIp(), at: NOON, env: GOOGLE_ENV })
  await logInWithGoogle(issuer, again, { sub: 'circle-2', email: 'Circle+2@mail.example' }, '?referralCode=CORAL80XYZ')
  const secondUser = await getStatus(again)
  expect(secondUser).toMatchObject({ points: 0 })
  expect(secondUser?.id).not.toBe(firstUser?.id)
})

test('rewards no second referral of an erased mailbox or phone', async () => {
  const referralCode = 'CORAL81XYZ'
  await addNamedUser('host-c', { referralCode })
  let count = 0
  const signUp = (fields: Record<string, unknown>) => {
    const form = { username: `back${++count}`, email: `back${count}@fan.example`, password: PASSWORD, ...fields }
    return newBrowser({ address: uniqueIp(), at: NOON }).send('POST', '/api/auth/signup', form)
  }
  const response = await signUp({ email: 'circle@fan.example', phoneNumber: '813-555-0144', referralCode })
  const erasedUser = await response.json<{ id: number; points: number }>()
  expect(erasedUser.points).toBe(50)
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: erasedUser.id, byUserRequest: true }, NOON)
  for (const fields of [{ email: 'Circle+2@fan.example' }, { phoneNumber: '8135550144' }]) {
    const again = await signUp({ ...fields, referralCode })
    expect([again.status, await again.json()]).toMatchObject([201, { points: 0 }])
  }
})

const addReferredUser = async (browser: Browser, username: string, referralCode: string) => {
  const form = { username, email: `${username}@fan.example`, password: PASSWORD, referralCode }
  const response = await browser.send('POST', '/api/auth/signup', form)
  const { points } = await response.json<{ points: number }>()
  const token = await tokenFromEmail('verify', form.email)
  const confirm = () => browser.send('POST', '/api/auth/email/verify', { token, password: PASSWORD })
  return { points, confirm }
}

test('rewards no self-referral after a log-out', async () => {
  const { id } = await addNamedUser('selfie', { referralCode: 'CORAL82XYZ' })
  const browser = await logInWithPassword('selfie', { at: NOON })
  await browser.send('POST', '/api/auth/logout')
  const { points, confirm } = await addReferredUser(browser, 'selfie2', 'CORAL82XYZ')
  expect(points).toBe(0)
  expect((await confirm()).status).toBe(200)
  expect((await findUser('id', id))?.points).toBe(0)
})

test.each([
  ['mailbox', "mailbox_key = 'own@fan.example'"],
  ['phone', "phone_hash = 'own-phone'"],
])('rewards no referrer for a later switch to their %s', async (field, ownValue) => {
  const referralCode = `OWN${field.toUpperCase()}`
  const { id } = await addNamedUser(`own-${field}`, { referralCode })
  await env.DB.prepare(`UPDATE users SET ${ownValue} WHERE id = ?`).bind(id).run()
  const { points, confirm } = await addReferredUser(
    newBrowser({ address: uniqueIp(), at: NOON }),
    `${field}2`,
    referralCode,
  )
  expect(points).toBe(50)
  await env.DB.prepare(`UPDATE users SET ${ownValue} WHERE username = ?`).bind(`${field}2`).run()
  expect((await confirm()).status).toBe(200)
  expect((await findUser('id', id))?.points).toBe(0)
})

test('rewards no referrer for switching to an erased mailbox', async () => {
  const { id } = await addNamedUser('host-e', { referralCode: 'CORAL84XYZ' })
  const newBrowserElsewhere = () => newBrowser({ address: uniqueIp(), at: NOON })
  await addReferredUser(newBrowserElsewhere(), 'spent', 'CORAL84XYZ')
  const spent = await findUser('username', 'spent')
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: Number(spent?.id), byUserRequest: false }, NOON)
  const browser = newBrowserElsewhere()
  await addReferredUser(browser, 'renewed', 'CORAL84XYZ')
  await browser.send('POST', '/api/account/email', { email: 'spent+2@fan.example' })
  const token = await tokenFromEmail('email_change', 'spent+2@fan.example')
  expect((await browser.send('POST', '/api/auth/email/verify', { token })).status).toBe(200)
  expect((await findUser('id', id))?.points).toBe(0)
})

test('rewards no referrer who shares a browser', async () => {
  const { id } = await addNamedUser('pair', { referralCode: 'CORAL83XYZ' })
  const browser = newBrowser({ address: uniqueIp(), at: NOON })
  const { points, confirm } = await addReferredUser(browser, 'pair2', 'CORAL83XYZ')
  expect(points).toBe(50)
  await browser.send('POST', '/api/auth/login', { username: 'pair', password: PASSWORD })
  expect((await confirm()).status).toBe(200)
  expect((await findUser('id', id))?.points).toBe(0)
})
