import { env } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { consumeQuotas, QUOTAS, quotaUse } from '../quotas/quotas'
import { newBrowser } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { reportUsedUpTotal } from './email-quotas'

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'attempts']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

let userCount = 0
/** A rate limit that is never reached. */
const UNLIMITED = { limit: async () => ({ success: true }) }
const stranger = (address = uniqueIp()) => newBrowser({ address, at: NOON, env: { LIMIT_MAIL: UNLIMITED } })
/** Signs up a new user in a new browser. Expects the response to contain `emailSent` if it is given. */
async function signUp(email: string, { emailSent = undefined as boolean | undefined } = {}) {
  const browser = stranger()
  const body = { username: `stranger${++userCount}`, email, password: PASSWORD }
  const response = await browser.send('POST', '/api/auth/signup', body)
  expect(response.status).toBe(201)
  if (emailSent !== undefined) expect(await response.json()).toMatchObject({ emailSent })
  return browser
}
/** Number of emails to the mailbox and its aliases, of one kind or all. */
const countEmails = (mailbox: string, kind = '%') =>
  env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE recipient_key = ?1 AND kind LIKE ?2')
    .bind(mailbox, kind)
    .first('n')

test('re-creating an account sends at most six emails', async () => {
  for (let n = 0; n < 8; n++) {
    const browser = await signUp('victim@mail.example')
    expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  }
  // Deleting an account deletes its emails from the outbox, not from the count.
  const sent = await env.DB.prepare("SELECT count FROM attempts WHERE key GLOB 'mail-stranger:*'").first('count')
  expect([sent, await countEmails('victim@mail.example', 'erased')]).toEqual([6, 0])
})

test('one quota covers all forms and aliases of a mailbox', async () => {
  const actions = [
    (email: string) => stranger().send('POST', '/api/newsletter/subscribe', { email }),
    (email: string) => stranger().send('POST', '/api/shows/alerts', { entry: email }),
    (email: string) => stranger().send('POST', '/api/privacy/inquiries', { email, kind: 'access', message: 'What?' }),
    (email: string) => signUp(email),
  ]
  for (let n = 0; n < 3; n++) for (const action of actions) await action(`victim+${n}@mail.example`)
  expect(await countEmails('victim@mail.example')).toBe(QUOTAS.strangerEmailsPerMailbox.max)
})

test('strangers’ sign-ups do not use up the owner’s quota', async () => {
  for (let n = 0; n < 8; n++) await signUp(`owner+${n}@mail.example`, { emailSent: n < 6 })
  expect(await countEmails('owner@mail.example')).toBe(6)
  const owner = await signUp('owner@mail.example', { emailSent: false })
  expect(await countEmails('owner@mail.example')).toBe(6)
  for (let n = 0; n < 9; n++) await owner.send('POST', '/api/auth/email/resend', undefined, { at: NOON })
  const { max } = QUOTAS.ownEmailsPerAddress
  expect(await countEmails('owner@mail.example')).toBe(6 + max)
})

test('unconfirmed accounts of one mailbox’s aliases share a quota', async () => {
  for (let n = 0; n < 6; n++) {
    const browser = await signUp(`many+${n}@mail.example`)
    for (let attempt = 0; attempt < 6; attempt++) await browser.send('POST', '/api/auth/email/resend')
  }
  const aliasEmailCount = 6 + QUOTAS.unconfirmedAliasEmailsPerMailbox.max
  expect(await countEmails('many@mail.example')).toBe(aliasEmailCount)
  // The mailbox's main address, which only one account can have, has its own quota.
  const owner = await signUp('many@mail.example')
  for (let attempt = 0; attempt < 8; attempt++) await owner.send('POST', '/api/auth/email/resend')
  expect(await countEmails('many@mail.example')).toBe(aliasEmailCount + QUOTAS.ownEmailsPerAddress.max)
})

test('a mailbox gets three reset links, known devices three more', async () => {
  await addNamedUser('resetter')
  const email = 'resetter@fan.example'
  const requestReset = (browser: ReturnType<typeof stranger>) =>
    browser.send('POST', '/api/auth/password/forgot', { email })
  const knownDevice = await logInWithPassword('resetter', { at: NOON })
  for (let n = 0; n < 5; n++) await requestReset(stranger())
  expect(await countEmails(email)).toBe(3)
  for (let n = 0; n < 5; n++) await requestReset(knownDevice)
  await requestReset(await logInWithPassword('resetter', { at: NOON }))
  expect(await countEmails(email)).toBe(6)
  // Other emails that strangers cause do not count towards reset links. Newsletter requests less than ten minutes
  // apart would cause a single email.
  await env.DB.prepare('DELETE FROM attempts').run()
  for (let n = 0; n < 8; n++)
    await newBrowser({ address: uniqueIp(), at: NOON + n * 1_000_000 }).send('POST', '/api/newsletter/subscribe', {
      email,
    })
  await requestReset(stranger())
  expect(await countEmails(email, 'reset')).toBe(7)
})

test('a stranger’s inquiries do not use up the owner’s quota', async () => {
  const email = 'asked@fan.example'
  await addNamedUser('asked')
  const inquire = (browser: ReturnType<typeof stranger>) =>
    browser.send('POST', '/api/privacy/inquiries', { email, kind: 'access', message: 'What do you keep?' })
  const sender = stranger()
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await inquire(sender)).status)
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  // The owner, on another network, gets a separate email, whose link confirms the owner's inquiry.
  expect((await inquire(stranger())).status).toBe(202)
  expect(await countEmails(email)).toBe(2)
  const token = await tokenFromEmail('inquiry_received', email)
  expect((await stranger().send('POST', '/api/privacy/inquiries/confirm', { token })).status).toBe(200)
  // An inquiry sent by the logged-in owner needs no emailed link.
  for (let n = 0; n < QUOTAS.strangerEmailsPerMailbox.max; n++) await inquire(stranger())
  const ownBrowser = await browserWithSession('asked', { at: NOON })
  expect((await inquire(ownBrowser)).status).toBe(202)
  const rows = await env.DB.prepare('SELECT count(confirmed_at) AS confirmed FROM privacy_inquiries').first()
  expect([rows, await countEmails(email)]).toEqual([{ confirmed: 2 }, QUOTAS.strangerEmailsPerMailbox.max + 1])
})

test('treats a caller with an ended session as a stranger', async () => {
  const email = 'ended@fan.example'
  await addNamedUser('ended')
  const browser = await browserWithSession('ended', { at: NOON })
  const thief = newBrowser({ address: uniqueIp(), at: NOON })
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  await browser.send('POST', '/api/auth/logout-everywhere')
  const inquiry = { email, kind: 'access', message: 'Send me everything.' }
  expect((await thief.send('POST', '/api/privacy/inquiries', inquiry)).status).toBe(202)
  expect((await thief.send('POST', '/api/newsletter/subscribe', { email })).status).toBe(200)
  const stored = await env.DB.prepare('SELECT confirmed_at FROM privacy_inquiries WHERE email_key = ?')
    .bind(email)
    .all()
  const own = await env.DB.prepare("SELECT count(*) AS n FROM attempts WHERE key GLOB 'mail-own:*'").first('n')
  expect([stored.results, own]).toEqual([[{ confirmed_at: null }], 0])
})

test('one network cannot use up the site’s total email quota', async () => {
  const { max } = QUOTAS.strangerEmailsPerNetwork
  const limitBindings = { LIMIT_MAIL: UNLIMITED, LIMIT_AUTH: UNLIMITED }
  const subscribe = (n: number, address: string) =>
    newBrowser({ address, at: NOON, env: limitBindings }).send('POST', '/api/newsletter/subscribe', {
      email: `invented${n}@mail.example`,
    })
  for (let n = 0; n < max + 5; n++) await subscribe(n, `2001:db8:9:${n}::1`)
  const selectTotal = "SELECT count FROM attempts WHERE key GLOB 'mail-strangers:*'"
  expect(await env.DB.prepare(selectTotal).first('count')).toBe(max)
  await subscribe(max + 5, '2001:db8:10::1')
  expect(await env.DB.prepare(selectTotal).first('count')).toBe(max + 1)
})

test('resets the quotas after a day', async () => {
  for (let n = 0; n < 7; n++) await signUp(`daily+${n}@mail.example`)
  await newBrowser({ address: uniqueIp(), at: NOON + DAY_MS }).send('POST', '/api/newsletter/subscribe', {
    email: 'daily@mail.example',
  })
  expect(await countEmails('daily@mail.example')).toBe(7)
})

test('logs that the daily total is used up', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const deps = { db, secret: env.SIGNING_SECRET }
  const { strangerEmailsInTotal: quota } = QUOTAS
  const use = await quotaUse(env.SIGNING_SECRET, quota)
  await consumeQuotas(deps, [{ ...use, amount: quota.max - 1 }], NOON)
  await reportUsedUpTotal(deps, NOON)
  expect(consoleError).not.toHaveBeenCalled()
  await consumeQuotas(deps, [use], NOON)
  await reportUsedUpTotal(deps, NOON + DAY_MS - 1)
  await reportUsedUpTotal(deps, NOON + DAY_MS)
  expect(consoleError.mock.calls).toEqual([
    [JSON.stringify({ at: 'email-quota', quota: 'mail-strangers', max: quota.max })],
  ])
  consoleError.mockRestore()
})
