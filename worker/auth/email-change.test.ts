import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../lib/clock'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { NOON } from '../testing/seed'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'

const INVALID_LINK = [400, 'bad_token', 'That link no longer works. Please ask for a new one.']

const userRow = (id: number) =>
  env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(id).first<Record<string, unknown>>()
const stranger = (at = NOON) => newBrowser({ address: uniqueIp(), at })
const change = (browser: ReturnType<typeof newBrowser>, email: string, at = NOON) =>
  browser.send('POST', '/api/account/email', { email }, { at, headers: { 'cf-connecting-ip': uniqueIp() } })
const verify = (browser: ReturnType<typeof newBrowser>, token: string, password?: string) =>
  browser.send('POST', '/api/auth/email/verify', { token, password })
const undo = (token: string, at = NOON) => stranger(at).send('POST', '/api/auth/email/undo', { token })

/** A user whose change of address is confirmed, with the browser that confirmed it. */
async function addUserWithChangedEmail(name: string) {
  const { id } = await addNamedUser(name, { mailboxKey: `${name}@fan.example` })
  const browser = await browserWithSession(name, { at: NOON })
  expect((await change(browser, `${name}@new.example`)).status).toBe(202)
  expect((await verify(browser, await tokenFromEmail('email_change', `${name}@new.example`))).status).toBe(200)
  return { id, browser }
}

test('a new address takes effect when its link is confirmed', async () => {
  const { id } = await addNamedUser('ana')
  const [browser, other] = [
    await browserWithSession('ana', { at: NOON }),
    await browserWithSession('ana', { at: NOON }),
  ]
  expect((await change(browser, 'Ana@new.example')).status).toBe(202)
  expect(await userRow(id)).toMatchObject({ email: 'ana@fan.example' })
  expect(await (await browser.send('GET', '/api/account')).json()).toMatchObject({ pendingEmail: 'Ana@new.example' })
  const token = await tokenFromEmail('email_change', 'Ana@new.example')
  expect(await statusAndCodeOf(await verify(stranger(), token))).toEqual([401, 'password_required'])
  expect((await verify(browser, token)).status).toBe(200)
  expect(await userRow(id)).toMatchObject({
    email: 'Ana@new.example',
    email_key: 'ana@new.example',
    mailbox_key: 'ana@new.example',
    email_verified_at: NOON,
  })
  // The confirming browser got a new session, every other is logged out.
  expect([
    (await browser.send('GET', '/api/auth/user')).status,
    (await other.send('GET', '/api/auth/user')).status,
  ]).toEqual([200, 401])
  const login = { username: 'ana@new.example', password: PASSWORD }
  expect((await stranger().send('POST', '/api/auth/login', login)).status).toBe(200)
  expect(await errorOf(await verify(browser, token))).toEqual(INVALID_LINK)
})

test.each(['change', 'reset'])('a password %s cancels a pending change of address', async (kind) => {
  await addNamedUser(`pending-${kind}`)
  const browser = await logInWithPassword(`pending-${kind}`, { at: NOON })
  await change(browser, `${kind}@thief.example`)
  const password = 'eleven paper boats'
  if (kind === 'change') await browser.send('POST', '/api/auth/password/change', { current: PASSWORD, password })
  else {
    await browser.send('POST', '/api/auth/password/forgot', { email: `pending-${kind}@fan.example` })
    const token = await tokenFromEmail('reset', `pending-${kind}@fan.example`)
    await browser.send('POST', '/api/auth/password/reset', { token, password })
  }
  const token = await tokenFromEmail('email_change', `${kind}@thief.example`)
  expect(await errorOf(await verify(stranger(), token, password))).toEqual(INVALID_LINK)
})

test('another device confirms the new address with the password', async () => {
  const { id } = await addNamedUser('bo')
  const browser = await browserWithSession('bo', { at: NOON })
  await change(browser, 'bo@new.example')
  const phone = stranger()
  expect((await verify(phone, await tokenFromEmail('email_change', 'bo@new.example'), PASSWORD)).status).toBe(200)
  expect((await userRow(id))?.email).toBe('bo@new.example')
  expect(phone.cookies.has('__Host-session')).toBe(false)
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
})

test('requires recent authentication and a free address', async () => {
  await addNamedUser('cy')
  const browser = await browserWithSession('cy', { at: NOON })
  expect((await errorOf(await change(browser, 'cy@new.example', NOON + 16 * MINUTE_MS)))[1]).toBe(
    'recent_auth_required',
  )
  await addNamedUser('taken')
  expect(await errorOf(await change(browser, 'TAKEN@fan.example'))).toEqual([
    409,
    'email_taken',
    'Another account has that address.',
  ])
  expect((await errorOf(await change(browser, 'cy@fan.example')))[1]).toBe('conflict')
})

test('gives an address to one of two concurrent changes', async () => {
  await addNamedUser('di')
  await addNamedUser('ed')
  const browsers = [await browserWithSession('di', { at: NOON }), await browserWithSession('ed', { at: NOON })]
  const tokens: string[] = []
  for (const [i, browser] of browsers.entries()) {
    expect((await change(browser, 'same@new.example', NOON + i)).status).toBe(202)
    tokens.push(await tokenFromEmail('email_change', 'same@new.example'))
  }
  const responses = await Promise.all(browsers.map((browser, i) => verify(browser, tokens[i] ?? '')))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  const { n } = (await env.DB.prepare("SELECT count(*) AS n FROM users WHERE email_key = 'same@new.example'").first<{
    n: number
  }>())!
  expect(n).toBe(1)
})

test('the owner of the new mailbox cancels a change', async () => {
  const { id } = await addNamedUser('flo')
  const browser = await browserWithSession('flo', { at: NOON })
  await change(browser, 'flo@new.example')
  const token = await tokenFromEmail('email_change', 'flo@new.example')
  expect((await stranger().send('POST', '/api/auth/email/not-me', { token })).status).toBe(204)
  expect(await errorOf(await verify(browser, token))).toEqual(INVALID_LINK)
  expect(await userRow(id)).toMatchObject({ email: 'flo@fan.example', erased_at: null })
})

test('the old address undoes a change within seven days', async () => {
  const { id, browser } = await addUserWithChangedEmail('gus')
  const token = await tokenFromEmail('email_changed', 'gus@fan.example')
  expect(await errorOf(await undo(token, NOON + 7 * DAY_MS))).toEqual(INVALID_LINK)
  expect((await undo(token, NOON + 7 * DAY_MS - 1)).status).toBe(204)
  expect(await userRow(id)).toMatchObject({
    email: 'gus@fan.example',
    mailbox_key: 'gus@fan.example',
    password_hash: null,
  })
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  const login = { username: 'gus', password: PASSWORD }
  expect((await stranger().send('POST', '/api/auth/login', login)).status).toBe(401)
  expect(await errorOf(await undo(token))).toEqual(INVALID_LINK)
})

test('the first undo link works after a second change', async () => {
  const { id, browser } = await addUserWithChangedEmail('hal')
  await change(browser, 'hal@third.example', NOON + 1)
  await verify(browser, await tokenFromEmail('email_change', 'hal@third.example'))
  expect((await undo(await tokenFromEmail('email_changed', 'hal@fan.example'))).status).toBe(204)
  expect((await userRow(id))?.email).toBe('hal@fan.example')
  // The link in the second mailbox is invalid now.
  expect(await errorOf(await undo(await tokenFromEmail('email_changed', 'hal@new.example')))).toEqual(INVALID_LINK)
})

test('rejects sign-up with an address that can be restored', async () => {
  await addUserWithChangedEmail('ida')
  const form = { username: 'ida2', email: 'ida@fan.example', password: 'seven golden lanterns' }
  expect((await errorOf(await stranger().send('POST', '/api/auth/signup', form)))[1]).toBe('email_taken')
  expect((await stranger(NOON + 8 * DAY_MS).send('POST', '/api/auth/signup', form)).status).toBe(201)
})

test('an unconfirmed old address gets no notice', async () => {
  await addNamedUser('jo', { emailVerifiedAt: null })
  const browser = await logInWithPassword('jo', { at: NOON })
  await change(browser, 'jo@new.example')
  await verify(browser, await tokenFromEmail('email_change', 'jo@new.example'))
  expect(await emailsTo('jo@fan.example')).toEqual([])
})

test('limits changes of address per account and day', async () => {
  await addNamedUser('kim')
  const browser = await browserWithSession('kim', { at: NOON })
  for (let i = 0; i < 5; i++) expect((await change(browser, `kim${i}@new.example`, NOON + i)).status).toBe(202)
  expect((await errorOf(await change(browser, 'kim6@new.example')))[1]).toBe('rate_limited')
})

test('puts no user input into the notices', async () => {
  await addUserWithChangedEmail('Marker-Name')
  for (const address of ['Marker-Name@new.example', 'Marker-Name@fan.example']) {
    const [email] = await emailsTo(address)
    expect(`${email?.subject} ${email?.text}`).not.toContain('Marker-Name')
  }
})
