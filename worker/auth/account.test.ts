import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { openDb } from '../db/client'
import { deleteErasureReceipts } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, newBrowser, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { NOON } from '../testing/seed'
import { beforeBatch, staleKV } from '../testing/stores'
import { addNamedUser, browserWithSession, CHEAP_HASH, PASSWORD, uniqueIp } from '../testing/users'

const NEW_PASSWORD = 'eleven paper boats'
const login = (username: string, password: string) =>
  newBrowser({ address: uniqueIp(), at: NOON }).send('POST', '/api/auth/login', { username, password })
const userRow = (id: number) =>
  env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(id).first<Record<string, unknown>>()

test('a password change logs out all other browsers', async () => {
  await addNamedUser('ana')
  const SESSIONS = staleKV(env.SESSIONS)
  const [browser, otherBrowser] = [
    await browserWithSession('ana', { at: NOON, env: { SESSIONS } }),
    await browserWithSession('ana', { at: NOON, env: { SESSIONS } }),
  ]
  await otherBrowser.send('GET', '/api/auth/user')
  const before = browser.cookies.get('__Host-session')
  expect(
    (await browser.send('POST', '/api/auth/password/change', { current: PASSWORD, password: NEW_PASSWORD })).status,
  ).toBe(204)
  expect(browser.cookies.get('__Host-session')).not.toBe(before)
  expect([
    (await browser.send('GET', '/api/auth/user')).status,
    (await otherBrowser.send('GET', '/api/auth/user')).status,
  ]).toEqual([200, 401])
  expect([(await login('ana', PASSWORD)).status, (await login('ana', NEW_PASSWORD)).status]).toEqual([401, 200])
})

test('password changes send one notice, to confirmed addresses only', async () => {
  for (const [username, emailVerifiedAt, noticeCount] of [
    ['noticed', 0, 1],
    ['unnoticed', null, 0],
  ] as const) {
    await addNamedUser(username, { emailVerifiedAt })
    const browser = await browserWithSession(username, { at: NOON })
    let current = PASSWORD
    for (let i = 0; i < 3; i++) {
      const body = { current, password: `${NEW_PASSWORD} ${i}` }
      const options = { headers: { 'cf-connecting-ip': uniqueIp() } }
      expect((await browser.send('POST', '/api/auth/password/change', body, options)).status).toBe(204)
      current = body.password
    }
    expect((await emailsTo(`${username}@fan.example`)).length).toBe(noticeCount)
  }
})

test('sends at most one password notice per rolling hour', async () => {
  await addNamedUser('hourly')
  let current = PASSWORD
  const change = async (at: number) => {
    const browser = await browserWithSession('hourly', { at })
    const body = { current, password: `${NEW_PASSWORD} ${at}` }
    const options = { headers: { 'cf-connecting-ip': uniqueIp() } }
    expect((await browser.send('POST', '/api/auth/password/change', body, options)).status).toBe(204)
    current = body.password
    return (await emailsTo('hourly@fan.example')).length
  }
  const beforeHour = Math.floor(NOON / HOUR_MS) * HOUR_MS + HOUR_MS - 1
  expect(await change(beforeHour)).toBe(1)
  expect(await change(beforeHour + HOUR_MS - 1)).toBe(1)
  expect(await change(beforeHour + HOUR_MS)).toBe(2)
})

test('a password change changes nothing if the session has ended', async () => {
  const { id } = await addNamedUser('late', { role: 'administrator', teamRole: 'editor' })
  const browser = await browserWithSession('late', { at: NOON })
  const link = env.DB.prepare(
    "INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', 'late', ?, 0)",
  )
  await link.bind(id).run()
  await browser.send('POST', '/api/account/email', { email: 'late.new@fan.example' })
  const emailCountBefore = (await emailsTo('late@fan.example')).length
  const DB = beforeBatch(env.DB, () => env.DB.prepare('UPDATE users SET session_epoch = session_epoch + 1').run())
  const body = { current: PASSWORD, password: NEW_PASSWORD }
  expect(await statusAndCodeOf(await browser.send('POST', '/api/auth/password/change', body, { env: { DB } }))).toEqual(
    [401, 'signed_out'],
  )
  const { results } = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM identities WHERE user_id = ?1) AS links,
      (SELECT count(*) FROM email_changes WHERE user_id = ?1) AS changes`,
  )
    .bind(id)
    .all()
  expect([results, (await emailsTo('late@fan.example')).length]).toEqual([[{ links: 1, changes: 1 }], emailCountBefore])
})

test('a password change requires the current password', async () => {
  await addNamedUser('bo')
  const browser = await browserWithSession('bo', { at: NOON })
  for (const current of ['wrong password', undefined])
    expect(
      (await errorOf(await browser.send('POST', '/api/auth/password/change', { current, password: NEW_PASSWORD })))[1],
    ).toBe('bad_credentials')
  expect((await login('bo', PASSWORD)).status).toBe(200)
})

test('sets a first password only right after login', async () => {
  const { id } = await addNamedUser('cy')
  const browser = await browserWithSession('cy', { at: NOON })
  await env.DB.prepare('UPDATE users SET password_hash = NULL WHERE id = ?').bind(id).run()
  const lateResponse = await browser.send(
    'POST',
    '/api/auth/password/change',
    { password: NEW_PASSWORD },
    { at: NOON + 16 * MINUTE_MS },
  )
  expect((await errorOf(lateResponse))[1]).toBe('recent_auth_required')
  expect((await browser.send('POST', '/api/auth/password/change', { password: NEW_PASSWORD })).status).toBe(204)
})

test('logging out everywhere ends every session despite stale KV', async () => {
  await addNamedUser('di')
  const SESSIONS = staleKV(env.SESSIONS)
  const browsers = [
    await browserWithSession('di', { at: NOON, env: { SESSIONS } }),
    await browserWithSession('di', { at: NOON, env: { SESSIONS } }),
  ]
  for (const browser of browsers) await browser.send('GET', '/api/auth/user')
  expect((await browsers[0]!.send('POST', '/api/auth/logout-everywhere')).status).toBe(204)
  for (const browser of browsers) expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
})

test('a supporter changes username and leaderboard visibility', async () => {
  await addNamedUser('ed')
  await addNamedUser('taken')
  const browser = await browserWithSession('ed', { at: NOON })
  const response = await browser.send('PATCH', '/api/account', { username: 'Eddie', leaderboardOptOut: true })
  expect(await response.json()).toMatchObject({
    username: 'Eddie',
    leaderboardOptOut: true,
    email: 'ed@fan.example',
    hasPassword: true,
    google: false,
  })
  for (const username of ['TAKEN', 'admin'])
    expect((await errorOf(await browser.send('PATCH', '/api/account', { username })))[1]).toBe('name_taken')
  expect(await statusAndCodeOf(await browser.send('PATCH', '/api/account', { role: 'administrator' }))).toEqual([
    400,
    'bad_input',
  ])
  expect((await login('eddie', PASSWORD)).status).toBe(200)
})

test('adding a phone number completes the profile, showing two digits', async () => {
  const { id } = await addNamedUser('ned')
  const browser = await browserWithSession('ned', { at: NOON })
  const wrong = await browser.send('PATCH', '/api/account', { phoneNumber: '123' })
  expect(await errorOf(wrong)).toEqual([400, 'bad_input', 'Please enter a valid phone number.'])
  const response = await browser.send('PATCH', '/api/account', { phoneNumber: '(813) 555-0123' })
  expect(await response.json()).toMatchObject({ username: 'ned', phoneEnds: '23' })
  const entryCount = await env.DB.prepare(
    "SELECT count(*) AS n FROM ledger WHERE user_id = ? AND action = 'profile_complete'",
  )
    .bind(id)
    .first('n')
  expect(entryCount).toBe(1)
})

test('the data export requires re-authentication and excludes other users’ data', async () => {
  const { id } = await addNamedUser('flo')
  const other = await addNamedUser('other-person')
  for (const user of [id, other.id])
    await env.DB.prepare(
      "INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?, 'x', 'x', '<b>Bold', 5, 0)",
    )
      .bind(user)
      .run()
  const browser = await browserWithSession('flo', { at: NOON })
  const lateResponse = await browser.send('GET', '/api/account/export', undefined, { at: NOON + 16 * MINUTE_MS })
  expect(await statusAndCodeOf(lateResponse)).toEqual([403, 'recent_auth_required'])
  const response = await browser.send('GET', '/api/account/export')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ account: [{ username: 'flo' }], points: [{ action: 'x', points: 5 }] })
  expect(text).not.toMatch(/other-person|scrypt|password_hash|phone_hash/)
  const page = await browser.send('GET', '/api/account/export?format=html')
  expect(page.headers.get('content-disposition')).toBe('attachment; filename="my-data.html"')
  const html = await page.text()
  expect([html.includes('<td>flo</td>'), html.includes('&lt;b&gt;Bold'), html.includes('<b>')]).toEqual([
    true,
    true,
    false,
  ])
})

test('a password re-authenticates for 15 minutes', async () => {
  await addNamedUser('gus')
  const browser = await browserWithSession('gus', { at: NOON })
  const later = { at: NOON + 20 * MINUTE_MS }
  const exportStatus = async () => (await browser.send('GET', '/api/account/export', undefined, later)).status
  expect(await exportStatus()).toBe(403)
  expect(
    await statusAndCodeOf(await browser.send('POST', '/api/auth/confirm', { password: 'wrong password' }, later)),
  ).toEqual([401, 'bad_credentials'])
  expect((await browser.send('POST', '/api/auth/confirm', { password: PASSWORD }, later)).status).toBe(204)
  expect(await exportStatus()).toBe(200)
})

test('an emailed code re-authenticates an account without other credentials', async () => {
  await addNamedUser('gil', { passwordHash: null })
  const browser = await browserWithSession('gil', { at: NOON })
  const later = { at: NOON + 20 * MINUTE_MS }
  const confirm = async (code: string) => (await browser.send('POST', '/api/auth/confirm', { code }, later)).status
  expect(await (await browser.send('GET', '/api/account', undefined, later)).json()).toMatchObject({
    emailedCode: true,
  })
  expect((await browser.send('POST', '/api/auth/confirm/code', undefined, later)).status).toBe(202)
  const code = await tokenFromEmail('confirm', 'gil@fan.example')
  expect(await confirm(code === '000000' ? '000001' : '000000')).toBe(401)
  expect([await confirm(code), await confirm(code)]).toEqual([204, 401])
})

test('an emailed code expires after ten minutes; guesses are limited', async () => {
  await addNamedUser('hal', { passwordHash: null })
  await addNamedUser('ida', { passwordHash: null })
  const [hal, ida] = [await browserWithSession('hal', { at: NOON }), await browserWithSession('ida', { at: NOON })]
  await hal.send('POST', '/api/auth/confirm/code')
  const code = await tokenFromEmail('confirm', 'hal@fan.example')
  expect((await ida.send('POST', '/api/auth/confirm', { code })).status).toBe(401)
  expect((await hal.send('POST', '/api/auth/confirm', { code }, { at: NOON + 10 * MINUTE_MS })).status).toBe(401)
  for (let guess = 0; guess < 10; guess++) await hal.send('POST', '/api/auth/confirm', { code: '123456' })
  expect((await hal.send('POST', '/api/auth/confirm', { code })).status).toBe(429)
})

test('erasure removes the name everywhere and keeps ledger entries', async () => {
  const { id } = await addNamedUser('judith', {
    phoneHash: 'h',
    phoneLast2: '23',
    referralCode: 'ANYJUDITH',
    mailboxKey: 'judith@fan.example',
  })
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?, 'x', 'x', 'Voted', 5, 0)",
    ).bind(id),
    env.DB.prepare(
      "INSERT INTO subscribers (id, email, email_key, consent_version, consent_at, created_at) VALUES ('s', 'judith@fan.example', 'judith@fan.example', '1', 0, 0)",
    ),
  ])
  const browser = await browserWithSession('judith', { at: NOON })
  expect((await browser.send('DELETE', '/api/account', { password: 'wrong password' })).status).toBe(401)
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  expect(await userRow(id)).toMatchObject({ username: `deleted-${id}`, email: null, points: 5, erased_at: NOON })
  expect((await login('judith', PASSWORD)).status).toBe(401)
  const [receipt] = await emailsTo('judith@fan.example')
  expect([receipt?.kind, receipt?.text]).toEqual(['erased', expect.stringContaining('As you asked')])
  await env.DB.prepare("UPDATE outbox SET state = 'sent' WHERE kind = 'erased'").run()
  expect(await deleteErasureReceipts({ db: openDb(env.DB) }, NOON)).toEqual({ affected: 1, more: false })
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>()
  const dump = await Promise.all(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()))
  const { keys } = await env.SESSIONS.list()
  const values = await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name)))
  expect(JSON.stringify([dump.map(({ results }) => results), values])).not.toMatch(/judith/i)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM ledger WHERE user_id = ?').bind(id).first('n')).toBe(1)
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  await addNamedUser('judith')
})

test('the last owner cannot delete their account', async () => {
  await addNamedUser('root-a', { role: 'administrator' })
  const first = await browserWithSession('root-a', { at: NOON })
  expect(await statusAndCodeOf(await first.send('DELETE', '/api/account', { password: PASSWORD }))).toEqual([
    409,
    'conflict',
  ])
  await addNamedUser('root-b', { role: 'administrator' })
  const second = await browserWithSession('root-b', { at: NOON })
  const responses = await Promise.all(
    [first, second].map((browser) => browser.send('DELETE', '/api/account', { password: PASSWORD })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
  const entries = await env.DB.prepare(
    "SELECT count(*) AS n FROM audit_log WHERE action = 'administrator.left'",
  ).first()
  expect(entries).toEqual({ n: 1 })
})

test('erasure works although its placeholder username is taken', async () => {
  const { id } = await addNamedUser('leaver')
  const squatterSignup = await newBrowser({ address: '198.51.99.1' }).send('POST', '/api/auth/signup', {
    username: `deleted-${id}`,
    email: 'squatter@fan.example',
    password: PASSWORD,
  })
  expect(await statusAndCodeOf(squatterSignup)).toEqual([409, 'name_taken'])
  await addNamedUser(`deleted-${id}`)
  const browser = await browserWithSession('leaver', { at: NOON })
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
})

test('limits re-authentication codes per account and day', async () => {
  await addNamedUser('coder', { passwordHash: null })
  const browser = await browserWithSession('coder', { at: NOON })
  const requestCode = (at = NOON) =>
    browser.send('POST', '/api/auth/confirm/code', undefined, { at, headers: { 'cf-connecting-ip': uniqueIp() } })
  const { max } = QUOTAS.ownEmailsPerAddress
  for (let i = 0; i < max; i++) expect((await requestCode(NOON + i)).status).toBe(202)
  const response = await requestCode(NOON + max)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '86400'])
  expect((await requestCode(NOON + DAY_MS)).status).toBe(202)
})

test('rejects a correct password after too many re-authentication attempts', async () => {
  await addNamedUser('prover')
  const browser = await browserWithSession('prover', { at: NOON })
  const confirm = (password: string) =>
    browser.send('POST', '/api/auth/confirm', { password }, { headers: { 'cf-connecting-ip': uniqueIp() } })
  for (let i = 0; i < 10; i++) expect((await confirm('a wrong password')).status).toBe(401)
  const response = await confirm(PASSWORD)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '900'])
})

/** Statements that add a credential to a user (?1); ?2 is its hash, subject, id or secret. */
const OTHER_CREDENTIALS = {
  password: 'UPDATE users SET password_hash = ?2 WHERE id = ?1',
  'Google link': "INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', ?2, ?1, 0)",
  passkey: `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
    VALUES (?2, ?1, 'key', 0, '[]', 'Phone', 0)`,
  'second factor': 'INSERT INTO authenticators (user_id, sealed_secret, confirmed_at) VALUES (?1, ?2, 0)',
}

test.each(Object.entries(OTHER_CREDENTIALS))('an account with a %s gets no emailed code', async (credential, sql) => {
  for (const role of ['supporter', 'administrator'] as const) {
    const name = `${role}-${credential.replace(' ', '-')}`
    const { id } = await addNamedUser(name, { role, passwordHash: null })
    const browser = await browserWithSession(name, { as: role, at: NOON })
    const [codePath, confirmPath] =
      role === 'administrator'
        ? (['/api/admin/confirm/code', '/api/admin/confirm'] as const)
        : (['/api/auth/confirm/code', '/api/auth/confirm'] as const)
    expect((await browser.send('POST', codePath)).status).toBe(202)
    const code = await tokenFromEmail('confirm', `${name}@fan.example`)
    await env.DB.prepare(sql)
      .bind(id, credential === 'password' ? CHEAP_HASH : name)
      .run()
    const body = role === 'administrator' ? { emailedCode: code } : { code }
    for (const response of [await browser.send('POST', codePath), await browser.send('POST', confirmPath, body)])
      expect(await statusAndCodeOf(response)).toEqual([409, 'conflict'])
  }
})
