import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../app'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { addPoll, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { beforeBatch } from '../testing/stores'
import { addNamedUser, browserWithSession, logInWithPassword, PASSWORD, uniqueIp } from '../testing/users'
import { registerEmailConfirmedHandler } from './email-confirmed'

const NEW_PASSWORD = 'eleven paper boats'
const INVALID_LINK = [400, 'bad_token', 'That link no longer works. Please ask for a new one.']
const USE_UP_LOGIN_ATTEMPTS = `UPDATE attempts SET count = ${QUOTAS.loginsFromNetworks.max + 1}`

beforeAll(() => seedSite(env.DB, { site: { referralPrefix: 'ANY' } }))

const browserAt = (time: number) => newBrowser({ address: uniqueIp(), at: time })
const forgot = (email: string, time = NOON) => browserAt(time).send('POST', '/api/auth/password/forgot', { email })
const reset = (token: string, password = NEW_PASSWORD, time = NOON) =>
  browserAt(time).send('POST', '/api/auth/password/reset', { token, password })
const verify = (token: string, time = NOON, password: string | undefined = PASSWORD) =>
  browserAt(time).send('POST', '/api/auth/email/verify', { token, password })
const notMe = (token: string) => browserAt(NOON).send('POST', '/api/auth/email/not-me', { token })
const login = (username: string, password: string, time = NOON) =>
  browserAt(time).send('POST', '/api/auth/login', { username, password })
const userRow = (username: string) =>
  env.DB.prepare('SELECT * FROM users WHERE username = ?').bind(username).first<Record<string, unknown>>()

async function signUp(username: string, referralCode?: unknown) {
  const browser = browserAt(NOON)
  await browser.send('POST', '/api/auth/signup', {
    username,
    email: `${username}@fan.example`,
    password: PASSWORD,
    referralCode,
  })
  return browser
}

test('an emailed link confirms the address and may be reused', async () => {
  const browser = await signUp('ana')
  const token = await tokenFromEmail('verify', 'ana@fan.example')
  for (let attempt = 0; attempt < 2; attempt++) expect((await verify(token)).status).toBe(200)
  expect(await (await browser.send('GET', '/api/auth/user')).json()).toMatchObject({ emailVerified: true })
})

test('a link confirms only with a session or the password', async () => {
  const attacker = await signUp('mallory')
  await addNamedUser('other-fan')
  const token = await tokenFromEmail('verify', 'mallory@fan.example')
  const mailboxOwner = browserAt(NOON)
  expect(await statusAndCodeOf(await mailboxOwner.send('POST', '/api/auth/email/verify', { token }))).toEqual([
    401,
    'password_required',
  ])
  const otherUser = await browserWithSession('other-fan', { at: NOON })
  expect((await otherUser.send('POST', '/api/auth/email/verify', { token })).status).toBe(401)
  expect((await errorOf(await verify(token, NOON, 'a wrong password')))[1]).toBe('bad_credentials')
  expect((await userRow('mallory'))?.email_verified_at).toBe(null)
  expect((await attacker.send('POST', '/api/auth/email/verify', { token })).status).toBe(200)
  expect((await userRow('mallory'))?.email_verified_at).toBe(NOON)
})

test('password guesses at a confirmation link are limited', async () => {
  await signUp('guessed')
  const token = await tokenFromEmail('verify', 'guessed@fan.example')
  const browser = newBrowser({ address: '192.0.2.99', at: NOON })
  for (let guess = 0; guess < 10; guess++)
    await browser.send('POST', '/api/auth/email/verify', { token, password: 'a wrong password' })
  const response = await browser.send('POST', '/api/auth/email/verify', { token, password: PASSWORD })
  expect((await errorOf(response))[1]).toBe('rate_limited')
})

test('lets the mailbox owner delete only an unconfirmed account', async () => {
  const attacker = await signUp('squatter')
  const token = await tokenFromEmail('verify', 'squatter@fan.example')
  expect((await notMe(token)).status).toBe(204)
  expect((await attacker.send('GET', '/api/auth/user')).status).toBe(401)
  // No receipt: repeated sign-ups and deletions would send any number of emails to a stranger.
  expect((await emailsTo('squatter@fan.example')).map(({ kind }) => kind)).not.toContain('erased')
  expect(await errorOf(await notMe(token))).toEqual(INVALID_LINK)
  await signUp('holder')
  const holderToken = await tokenFromEmail('verify', 'holder@fan.example')
  await verify(holderToken)
  expect(await errorOf(await notMe(holderToken))).toEqual(INVALID_LINK)
  expect((await userRow('holder'))?.erased_at).toBe(null)
})

test('a link confirms nothing if its account is erased concurrently', async () => {
  const browser = await signUp('vanished')
  const id = Number((await userRow('vanished'))?.id)
  const DB = beforeBatch(env.DB, () =>
    eraseUser({ db, secret: env.SIGNING_SECRET }, { userId: id, byUserRequest: false }, NOON),
  )
  const racer = newBrowser({ address: uniqueIp(), at: NOON, env: { DB } })
  racer.cookies.set('__Host-session', browser.cookies.get('__Host-session')!)
  const token = await tokenFromEmail('verify', 'vanished@fan.example')
  expect(await errorOf(await racer.send('POST', '/api/auth/email/verify', { token }))).toEqual(INVALID_LINK)
})

test('opening a confirmation link without posting confirms nothing', async () => {
  await signUp('bob')
  const token = await tokenFromEmail('verify', 'bob@fan.example')
  for (const method of ['GET', 'HEAD']) await browserAt(NOON).send(method, `/verify-email?token=${token}`)
  expect((await userRow('bob'))?.email_verified_at).toBe(null)
})

test.each([
  ['for another purpose', async () => tokenFromEmail('reset', 'cyd@fan.example')],
  ['never issued', async () => 'A'.repeat(43)],
])('a token %s confirms nothing', async (_, token) => {
  await signUp('cyd')
  await forgot('cyd@fan.example')
  expect(await errorOf(await verify(await token()))).toEqual(INVALID_LINK)
})

test('a confirmation link expires after three days', async () => {
  await signUp('dia')
  const token = await tokenFromEmail('verify', 'dia@fan.example')
  expect(await errorOf(await verify(token, NOON + 3 * DAY_MS))).toEqual(INVALID_LINK)
  expect((await verify(token, NOON + 3 * DAY_MS - 1)).status).toBe(200)
})

test('a link to a former address confirms nothing', async () => {
  await signUp('edd')
  const token = await tokenFromEmail('verify', 'edd@fan.example')
  await env.DB.prepare("UPDATE users SET email_key = 'new@fan.example' WHERE username = 'edd'").run()
  expect(await errorOf(await verify(token))).toEqual(INVALID_LINK)
})

test('sends at most six confirmation emails a day on request', async () => {
  const browser = await signUp('flo')
  for (let i = 0; i < 8; i++)
    expect(
      (
        await browser.send('POST', '/api/auth/email/resend', undefined, {
          headers: { 'cf-connecting-ip': uniqueIp() },
        })
      ).status,
    ).toBe(202)
  expect((await emailsTo('flo@fan.example')).length).toBe(1 + QUOTAS.ownEmailsPerAddress.max)
})

test('only three referred users earn the referrer 200 points each', async () => {
  await signUp('hoster')
  const code = (await userRow('hoster'))?.referral_code
  const guests = ['guest1', 'guest2', 'guest3', 'guest4', 'guest5']
  for (const guest of guests) await signUp(guest, code)
  expect((await userRow('hoster'))?.points).toBe(0)
  const tokens = await Promise.all(guests.map((guest) => tokenFromEmail('verify', `${guest}@fan.example`)))
  const responses = await Promise.all([...tokens, ...tokens].map((token) => verify(token)))
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await userRow('hoster'))?.points).toBe(600)
  const host = await browserWithSession('hoster', { at: NOON })
  expect(await (await host.send('GET', '/api/auth/status')).json()).toMatchObject({
    points: 600,
    referralsUsed: 3,
    referralLimit: 3,
  })
}, 20_000)

test('confirms a referred user without points for the banned referrer', async () => {
  await signUp('hoster2')
  await signUp('guest-of-2', (await userRow('hoster2'))?.referral_code)
  await env.DB.prepare("UPDATE users SET banned_at = 1 WHERE username = 'hoster2'").run()
  expect((await verify(await tokenFromEmail('verify', 'guest-of-2@fan.example'))).status).toBe(200)
  expect((await userRow('hoster2'))?.points).toBe(0)
})

test('password reset does not reveal whether an address is known', async () => {
  await addNamedUser('gus')
  const [known, unknown] = [await forgot('GUS@fan.example'), await forgot('nobody@fan.example')]
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()])
  expect([(await emailsTo('gus@fan.example')).length, (await emailsTo('nobody@fan.example')).length]).toEqual([1, 0])
})

test('a password reset ends sessions, confirms and notifies the address', async () => {
  await addNamedUser('hal', { emailVerifiedAt: null })
  const [first, second] = [await browserWithSession('hal', { at: NOON }), await browserWithSession('hal', { at: NOON })]
  await forgot('hal@fan.example')
  expect((await reset(await tokenFromEmail('reset', 'hal@fan.example'))).status).toBe(204)
  for (const browser of [first, second]) expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  expect([(await login('hal', PASSWORD)).status, (await login('hal', NEW_PASSWORD)).status]).toEqual([401, 200])
  expect((await userRow('hal'))?.email_verified_at).toBe(NOON)
  expect((await emailsTo('hal@fan.example'))[0]?.kind).toBe('password_changed')
})

test('a password reset deletes an unconfirmed account’s other credentials', async () => {
  for (const [username, emailVerifiedAt] of [
    ['unconfirmed', null],
    ['confirmed', NOON],
  ] as const) {
    const { id } = await addNamedUser(username, { emailVerifiedAt })
    await env.DB.batch(
      [
        "INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', 'g' || ?1, ?1, 0)",
        "INSERT INTO authenticators (user_id, sealed_secret, confirmed_at) VALUES (?1, 'x', NULL)",
        "INSERT INTO recovery_codes (user_id, hash) VALUES (?1, 'x')",
        `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
         VALUES ('p' || ?1, ?1, 'x', 0, '[]', 'Phone', 0)`,
        "INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at) VALUES ('t' || ?1, ?1, 'verify', 'x', 9e12)",
      ].map((sql) => env.DB.prepare(sql).bind(id)),
    )
    await forgot(`${username}@fan.example`)
    await reset(await tokenFromEmail('reset', `${username}@fan.example`))
    const count = (table: string, condition = 'true') =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE user_id = ? AND ${condition}`).bind(id).first('n')
    const counts = await Promise.all([
      ...['identities', 'authenticators', 'recovery_codes', 'passkeys'].map((table) => count(table)),
      count('mail_tokens', "purpose = 'verify'"),
    ])
    expect([username, counts]).toEqual([username, emailVerifiedAt === null ? [0, 0, 0, 0, 0] : [1, 1, 1, 1, 1]])
  }
})

test('a password reset of an unconfirmed account rewards no referrer', async () => {
  await signUp('hoster3')
  await signUp('taken-over', (await userRow('hoster3'))?.referral_code)
  const { id } = (await userRow('taken-over'))!
  const poll = await addPoll()
  await env.DB.prepare("INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at) VALUES (?2, ?1, ?2 || '-a', 0)")
    .bind(id, poll)
    .run()
  await forgot('taken-over@fan.example')
  expect((await reset(await tokenFromEmail('reset', 'taken-over@fan.example'))).status).toBe(204)
  expect((await userRow('hoster3'))?.points).toBe(0)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM poll_votes WHERE user_id = ?').bind(id).first('n')).toBe(0)
})

test('a reset link works once, for an hour, invalidating others', async () => {
  await addNamedUser('ida')
  await forgot('ida@fan.example')
  const older = await tokenFromEmail('reset', 'ida@fan.example')
  await forgot('ida@fan.example', NOON + 1)
  const newer = await tokenFromEmail('reset', 'ida@fan.example')
  expect(await errorOf(await reset(newer, NEW_PASSWORD, NOON + 1 + HOUR_MS))).toEqual(INVALID_LINK)
  expect((await reset(newer, 'password123')).status).toBe(400)
  expect((await reset(newer)).status).toBe(204)
  expect(await errorOf(await reset(newer))).toEqual(INVALID_LINK)
  expect(await errorOf(await reset(older))).toEqual(INVALID_LINK)
})

test('a reset link changes its account, not the logged-in one', async () => {
  await addNamedUser('pam')
  await addNamedUser('quy')
  await forgot('pam@fan.example')
  const other = await browserWithSession('quy', { at: NOON })
  const token = await tokenFromEmail('reset', 'pam@fan.example')
  expect((await other.send('POST', '/api/auth/password/reset', { token, password: NEW_PASSWORD })).status).toBe(204)
  expect([(await login('pam', NEW_PASSWORD)).status, (await login('quy', NEW_PASSWORD)).status]).toEqual([200, 401])
  expect((await login('quy', PASSWORD)).status).toBe(200)
})

test('one of two concurrent resets succeeds', async () => {
  await addNamedUser('jo')
  await forgot('jo@fan.example')
  const token = await tokenFromEmail('reset', 'jo@fan.example')
  const responses = await Promise.all([reset(token, 'first paper boat'), reset(token, 'second paper boat')])
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 400])
})

test('a reset with a token used concurrently changes nothing', async () => {
  const { id } = await addNamedUser('jill')
  await forgot('jill@fan.example')
  const token = await tokenFromEmail('reset', 'jill@fan.example')
  const emailCount = (await emailsTo('jill@fan.example')).length
  const DB = beforeBatch(env.DB, () =>
    env.DB.batch([
      env.DB.prepare("UPDATE mail_tokens SET used_at = ?2 WHERE user_id = ?1 AND hash <> 'later'").bind(id, NOON),
      // A link that was requested afterwards.
      env.DB.prepare(
        "INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at) VALUES ('later', ?1, 'reset', 'x', 9e12) ON CONFLICT DO NOTHING",
      ).bind(id),
      env.DB.prepare(USE_UP_LOGIN_ATTEMPTS),
    ]),
  )
  const browser = newBrowser({ address: '192.0.2.210', at: NOON, env: { DB } })
  await newBrowser({ address: '192.0.2.210', at: NOON }).send('POST', '/api/auth/login', {
    username: 'jill',
    password: 'a wrong password',
  })
  const response = await browser.send('POST', '/api/auth/password/reset', { token, password: NEW_PASSWORD })
  expect(await errorOf(response)).toEqual(INVALID_LINK)
  expect((await login('jill', PASSWORD)).status).toBe(429)
  expect(await emailsTo('jill@fan.example')).toHaveLength(emailCount)
  const later = await env.DB.prepare("SELECT used_at FROM mail_tokens WHERE hash = 'later'").first('used_at')
  expect(later).toBe(null)
  await env.DB.prepare('DELETE FROM attempts').run()
})

test('a password reset clears the owner’s attempt limits', async () => {
  await addNamedUser('rae')
  const owner = newBrowser({ address: '192.0.2.200', at: NOON })
  const logIn = (browser = owner, password = NEW_PASSWORD) =>
    browser.send('POST', '/api/auth/login', { username: 'rae', password })
  for (let i = 0; i < 11; i++) await logIn(owner, 'a wrong password')
  await env.DB.prepare(USE_UP_LOGIN_ATTEMPTS).run()
  expect((await logIn(owner, PASSWORD)).status).toBe(429)
  await forgot('rae@fan.example')
  const token = await tokenFromEmail('reset', 'rae@fan.example')
  expect((await owner.send('POST', '/api/auth/password/reset', { token, password: NEW_PASSWORD })).status).toBe(204)
  // This device and another on its network may log in, a stranger's network may not.
  expect((await logIn()).status).toBe(200)
  expect((await logIn(newBrowser({ address: '192.0.2.200', at: NOON }))).status).toBe(200)
  await env.DB.prepare(USE_UP_LOGIN_ATTEMPTS).run()
  expect((await logIn(newBrowser({ address: '192.0.2.201', at: NOON }))).status).toBe(429)
  await env.DB.prepare('DELETE FROM attempts').run()
})

test('reset requests by strangers do not limit a known device', async () => {
  await addNamedUser('sol')
  const ownerBrowser = await logInWithPassword('sol', { at: NOON })
  for (let i = 0; i < 8; i++) await forgot('sol@fan.example')
  expect((await emailsTo('sol@fan.example')).length).toBe(3)
  await ownerBrowser.send('POST', '/api/auth/password/forgot', { email: 'sol@fan.example' })
  expect((await emailsTo('sol@fan.example')).length).toBe(4)
})

test('email links use the configured origin, not the request’s host', async () => {
  await addNamedUser('kim')
  const evilOrigin = 'https://evil.example'
  const context = createExecutionContext()
  const request = new Request(`${evilOrigin}/api/auth/password/forgot`, {
    method: 'POST',
    headers: { origin: evilOrigin, 'content-type': 'application/json', 'cf-connecting-ip': uniqueIp() },
    body: JSON.stringify({ email: 'kim@fan.example' }),
  })
  expect((await createApp(() => NOON).fetch(request, env, context)).status).toBe(202)
  await waitOnExecutionContext(context)
  const [email] = await emailsTo('kim@fan.example')
  expect(email?.text).toContain('https://fan.example/reset-password?token=')
  expect(JSON.stringify(email)).not.toContain('evil.example')
})

test('escapes user input in emails', async () => {
  await seedSite(env.DB, { site: { name: '<b>Bold</b> & Co' } })
  await addNamedUser('lou')
  await forgot('lou@fan.example')
  const [email] = await emailsTo('lou@fan.example')
  expect(email?.html).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; Co')
  expect(email?.html).not.toContain('<b>Bold')
})

test('confirming by link or reset runs registered handlers', async () => {
  let calls = 0
  registerEmailConfirmedHandler(async ({ db }, { userId, mailboxKey }, at) => [
    db.$client
      .prepare(
        'INSERT INTO revoked_sessions (sid, expires_at) SELECT ?1, ?2 FROM users WHERE id = ?3 AND email_verified_at = ?2',
      )
      .bind(`${++calls} ${mailboxKey}`, at, userId),
  ])
  await signUp('handled')
  await verify(await tokenFromEmail('verify', 'handled@fan.example'))
  await addNamedUser('handled2', { emailVerifiedAt: null })
  await forgot('handled2@fan.example')
  await reset(await tokenFromEmail('reset', 'handled2@fan.example'))
  const { results } = await env.DB.prepare("SELECT sid FROM revoked_sessions WHERE sid LIKE '%handled%'").all()
  expect(results).toEqual([{ sid: '1 handled@fan.example' }, { sid: '2 handled2@fan.example' }])
})
