import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../app'
import { unsubscribeLinks } from '../email/link-tokens'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { QUOTAS, quotaUse } from '../quotas/quotas'
import { errorOf, newBrowser, ORIGIN, send, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { snapshotRows } from '../testing/stores'
import { addNamedUser, browserWithSession, PASSWORD, sessionFor, uniqueIp } from '../testing/users'
import { subscribeToNewsletter as addSubscriber, upsertSubscriber } from './newsletter'
import { CONSENT_VERSION, subscribers } from './newsletter.table'

const DEPS = { db, secret: env.SIGNING_SECRET, origin: ORIGIN }
const INVALID_LINK = [400, 'bad_token', 'That link no longer works. Please ask for a new one.']
/** Another address for each test, because `beforeEach` does not delete users. */
let visitorEmail = ''
let userCount = 0

beforeEach(async () => {
  await seedSite(env.DB)
  visitorEmail = `fan${++userCount}@mail.example`
  for (const table of ['subscribers', 'suppressions', 'show_alerts', 'outbox', 'mail_stops', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const SUBSCRIBE = '/api/newsletter/subscribe'
const browserAt = (time = NOON) => newBrowser({ address: uniqueIp(), at: time })
const post = (path: string, json: unknown, time = NOON) => browserAt(time).send('POST', path, json)
const subscribe = (email = visitorEmail, time = NOON) => post(SUBSCRIBE, { email }, time)
const confirm = (token: string, time = NOON) => post('/api/newsletter/confirm', { token }, time)
const unsubscribeWith = (token: string, time = NOON) => post('/api/newsletter/unsubscribe', { token }, time)
const changePreferences = (json: object, time = NOON) =>
  browserAt(time).send('PATCH', '/api/newsletter/preferences', json)
const unsubscribeByOneClick = (token: string, time = NOON) =>
  createApp(() => time).fetch(
    new Request(`${ORIGIN}/api/newsletter/unsubscribe?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
    env,
    { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext,
  )
const readSubscribers = () => db.select().from(subscribers)
const readSubscriber = async () => (await readSubscribers())[0]
const readSubscriberState = async () => (await readSubscriber())?.state
const emailKinds = async (to = visitorEmail) => (await emailsTo(to)).map(({ kind }) => kind)
/** The token of the unsubscribe link in the visitor's email of this kind. */
const unsubscribeToken = async (kind = 'newsletter_welcome') =>
  /token=([\w.-]+)/.exec(String((await emailsTo(visitorEmail)).find((mail) => mail.kind === kind)?.headers))?.[1] ?? ''

/** Subscribes and confirms; returns the token of the unsubscribe link. */
async function subscribeAndConfirm(time = NOON): Promise<string> {
  await subscribe(visitorEmail, time)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', visitorEmail), time)).status).toBe(200)
  return unsubscribeToken()
}

test('stores a pending subscription with its consent', async () => {
  const response = await subscribe(' Fan@Example.com ')
  expect([response.status, await response.json()]).toEqual([200, { pointsEarned: 0 }])
  expect(await readSubscribers()).toMatchObject([
    {
      email: 'Fan@Example.com',
      emailKey: 'fan@example.com',
      state: 'pending',
      consentVersion: CONSENT_VERSION,
      consentAt: NOON,
      confirmedAt: null,
    },
  ])
})

test('responds alike to known and new addresses', async () => {
  const respond = async (email: string) => {
    const response = await subscribe(email)
    return [response.status, [...response.headers.keys()], await response.text()]
  }
  const first = await respond('fan@example.com')
  for (const state of ['pending', 'confirmed', 'unsubscribed'] as const) {
    await db.update(subscribers).set({ state })
    expect(await respond('FAN@example.com')).toEqual(first)
  }
  expect((await readSubscribers()).length).toBe(1)
})

test('stores one row and one email for fifty concurrent requests', async () => {
  const spellings = Array.from({ length: 50 }, (_, n) => (n % 2 ? 'fan@example.com' : 'FAN@EXAMPLE.COM'))
  await Promise.all(
    spellings.map((email) => addSubscriber(DEPS, { email, at: NOON, session: null, network: '192.0.2.0/24' })),
  )
  expect([
    (await readSubscribers()).length,
    (await emailsTo('fan@example.com')).length + (await emailsTo('FAN@EXAMPLE.COM')).length,
  ]).toEqual([1, 1])
})

test('leaves pending and confirmed subscriptions unchanged', async () => {
  await addSubscriber(DEPS, { email: 'fan@example.com', at: NOON, session: null, network: '192.0.2.0/24' })
  await db.update(subscribers).set({ state: 'confirmed', confirmedAt: NOON + 1 })
  const [before] = await readSubscribers()
  expect(await upsertSubscriber(db, { email: 'FAN@example.com', at: NOON + HOUR_MS })).toEqual([])
  expect(await readSubscribers()).toEqual([before])
})

test('makes an unsubscribed address pending with the current consent', async () => {
  await addSubscriber(DEPS, { email: 'fan@example.com', at: NOON, session: null, network: '192.0.2.0/24' })
  const unsubscribed = {
    state: 'unsubscribed',
    consentVersion: 'older',
    confirmedAt: NOON,
    unsubscribedAt: NOON + 1,
  } as const
  await db.update(subscribers).set(unsubscribed).where(eq(subscribers.emailKey, 'fan@example.com'))
  expect((await upsertSubscriber(db, { email: 'Fan@example.com', at: NOON + HOUR_MS })).length).toBe(1)
  expect(await readSubscribers()).toMatchObject([
    {
      email: 'Fan@example.com',
      state: 'pending',
      consentVersion: CONSENT_VERSION,
      consentAt: NOON + HOUR_MS,
      confirmedAt: null,
      unsubscribedAt: null,
      createdAt: NOON,
    },
  ])
})

const INVALID_ADDRESSES = [
  '',
  'fan',
  'a@b',
  'a@b.c',
  'a@b.co\r\nBcc: x@y.zz',
  'a@b.co\n',
  'a@b.co, c@d.co',
  'a@b.co;c@d.co',
  '<a@b.co>',
  'a b@c.co',
  `${'a'.repeat(320)}@b.co`,
  'a@b.co\u0000',
  7,
  null,
  ['a@b.co'],
  { $ne: null },
]

test.each(INVALID_ADDRESSES)('rejects %j as an address', async (email) => {
  expect(await errorOf(await post(SUBSCRIBE, { email }))).toEqual([
    400,
    'bad_input',
    'Please enter a valid email address.',
  ])
  expect(await readSubscribers()).toEqual([])
  expect((await env.DB.prepare('SELECT recipient FROM outbox').all()).results).toEqual([])
})

test.each(['=1+1@sums.example', 'jürgen@bücher.example', "o'brien+tag@fan.example"])(
  'accepts %s as an address',
  async (email) => {
    expect((await subscribe(email)).status).toBe(200)
    expect((await readSubscribers())[0]?.email).toBe(email)
  },
)

test('rejects unknown fields and empty bodies', async () => {
  for (const json of [{ email: 'a@b.co', state: 'confirmed' }, { email: '\ud800@b.co' }, {}, [], null, undefined])
    expect(await statusAndCodeOf(await post(SUBSCRIBE, json))).toEqual([400, 'bad_input'])
  expect(await readSubscribers()).toEqual([])
})

test('rate-limits the sixth address in a minute', async () => {
  const browser = browserAt()
  const statuses: number[] = []
  for (let n = 0; n < 6; n++)
    statuses.push((await browser.send('POST', SUBSCRIBE, { email: `fan${n}@example.com` })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('awards points once, for the account’s own address only', async () => {
  const supporter = await addUser({ email: 'Mine@Example.com' })
  const { headers } = await sessionFor(supporter, NOON)
  const pointsFor = async (email: string, session = headers) => {
    const response = await send(
      'POST',
      SUBSCRIBE,
      { email },
      { at: NOON, headers: { ...session, 'cf-connecting-ip': uniqueIp() } },
    )
    return (await response.json<{ pointsEarned: number }>()).pointsEarned
  }
  expect(await pointsFor('other@example.com')).toBe(0)
  expect(await pointsFor('mine@example.com', { cookie: '' })).toBe(0)
  expect(await pointsFor('MINE@example.com')).toBe(50)
  expect(await pointsFor('mine@example.com')).toBe(0)
  await db.delete(subscribers)
  expect(await pointsFor('mine@example.com')).toBe(0)
})

test('sends only the confirmation email until confirmed', async () => {
  await subscribe()
  expect(await emailKinds()).toEqual(['newsletter_confirm'])
  const token = await tokenFromEmail('newsletter_confirm', visitorEmail)
  for (const method of ['GET', 'HEAD']) await browserAt(NOON).send(method, `/newsletter/confirm?token=${token}`)
  expect(await readSubscriberState()).toBe('pending')
  for (let attempt = 0; attempt < 2; attempt++) expect((await confirm(token, NOON + HOUR_MS)).status).toBe(200)
  expect(await readSubscriber()).toMatchObject({
    state: 'confirmed',
    confirmedAt: NOON + HOUR_MS,
    consentVersion: CONSENT_VERSION,
    consentAt: NOON,
  })
  expect(await emailKinds()).toEqual(['newsletter_welcome', 'newsletter_confirm'])
})

test('sends unsubscribe headers and an encrypted link', async () => {
  await subscribeAndConfirm()
  const headers = JSON.parse(String((await emailsTo(visitorEmail))[0]?.headers))
  expect(headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(
      /^<https:\/\/fan\.example\/api\/newsletter\/unsubscribe\?token=[\w.-]+>$/,
    ),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(atob((await unsubscribeToken()).replace(/[._-]/g, '').slice(0, 40))).not.toContain('fan')
})

test('unsubscribes by one-click POST without Origin or cookie, repeatedly', async () => {
  const token = await subscribeAndConfirm()
  for (let n = 0; n < 2; n++)
    expect([(await unsubscribeByOneClick(token, NOON + 1)).status, await readSubscriberState()]).toEqual([
      200,
      'unsubscribed',
    ])
  expect((await readSubscriber())?.unsubscribedAt).toBe(NOON + 1)
})

test('redirects GET of the unsubscribe link without changes', async () => {
  const token = await subscribeAndConfirm()
  const before = await snapshotRows(env.DB)
  const response = await browserAt(NOON).send('GET', `/api/newsletter/unsubscribe?token=${token}`)
  expect([response.status, response.headers.get('location')]).toEqual([303, `/newsletter/unsubscribe?token=${token}`])
  expect(await snapshotRows(env.DB)).toEqual(before)
})

test('rejects modified links and links for another purpose', async () => {
  await subscribeAndConfirm()
  const confirmToken = await tokenFromEmail('newsletter_confirm', visitorEmail)
  const leaveToken = await unsubscribeToken()
  const altered = `${leaveToken.slice(0, -2)}${leaveToken.at(-2) === 'A' ? 'B' : 'A'}${leaveToken.at(-1)}`
  for (const token of [confirmToken, altered, `${leaveToken}x`, 'A.B', '.', 'x'.repeat(1000)])
    expect(await errorOf(await unsubscribeWith(token))).toEqual(INVALID_LINK)
  for (const path of ['/api/newsletter/confirm', '/api/shows/alerts/confirm'])
    expect(await errorOf(await post(path, { token: leaveToken }))).toEqual(INVALID_LINK)
  expect(await errorOf(await post('/api/shows/alerts/confirm', { token: confirmToken }))).toEqual(INVALID_LINK)
  expect(await readSubscriberState()).toBe('confirmed')
})

test('expires confirmation links after a week or an unsubscribe', async () => {
  await subscribe()
  const token = await tokenFromEmail('newsletter_confirm', visitorEmail)
  expect(await errorOf(await confirm(token, NOON + 7 * DAY_MS))).toEqual(INVALID_LINK)
  expect((await confirm(token, NOON + 7 * DAY_MS - 1)).status).toBe(200)
  await unsubscribeWith(await unsubscribeToken())
  expect(await errorOf(await confirm(token, NOON + HOUR_MS))).toEqual(INVALID_LINK)
  await subscribe(visitorEmail, NOON + 2 * DAY_MS)
  expect(await errorOf(await confirm(token, NOON + 3 * DAY_MS))).toEqual(INVALID_LINK)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', visitorEmail), NOON + 3 * DAY_MS)).status).toBe(200)
  expect(await readSubscriber()).toMatchObject({
    state: 'confirmed',
    consentAt: NOON + 2 * DAY_MS,
    unsubscribedAt: null,
  })
})

test('answers a repeated subscription by email only', async () => {
  const first = await (await subscribe()).text()
  await confirm(await tokenFromEmail('newsletter_confirm', visitorEmail))
  expect(await (await subscribe(visitorEmail, NOON + HOUR_MS)).text()).toBe(first)
  expect(await emailKinds()).toEqual(['newsletter_already', 'newsletter_welcome', 'newsletter_confirm'])
})

test('caps emails per mailbox at six a day across aliases', async () => {
  for (let n = 0; n < 60; n++)
    await subscribe(n % 2 ? `f.a.n+${n}@gmail.com` : 'FAN@gmail.com', NOON + n * 20 * MINUTE_MS)
  const count = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE recipient LIKE '%gmail.com'").first<{ n: number }>())
      ?.n
  expect(await count()).toBe(QUOTAS.strangerEmailsPerMailbox.max)
  await subscribe('fan@gmail.com', NOON + 59 * 20 * MINUTE_MS + DAY_MS)
  expect(await count()).toBe(QUOTAS.strangerEmailsPerMailbox.max + 1)
})

test('caps all form emails per day with identical responses', async () => {
  const quota = QUOTAS.strangerEmailsInTotal
  await env.DB.prepare('INSERT INTO attempts (key, count, expires_at) VALUES (?1, ?2, ?3)')
    .bind((await quotaUse(env.SIGNING_SECRET, quota)).key, quota.max, NOON + HOUR_MS)
    .run()
  expect([(await subscribe()).status, await emailKinds()]).toEqual([200, []])
  expect([(await subscribe(visitorEmail, NOON + DAY_MS)).status, await emailKinds()]).toEqual([
    200,
    ['newsletter_confirm'],
  ])
})

test('changes city and subscription through an unsubscribe link', async () => {
  const token = await subscribeAndConfirm()
  const changeLater = (json: object) => changePreferences({ token, ...json }, NOON + 9)
  expect(await (await post('/api/newsletter/preferences', { token })).json()).toEqual({
    list: 'newsletter',
    email: 'f…@mail.example',
    subscribed: true,
    city: null,
  })
  expect(await (await changeLater({ city: ' Tampa ' })).json()).toMatchObject({ city: 'Tampa', subscribed: true })
  expect(await (await changeLater({ subscribed: false })).json()).toMatchObject({ subscribed: false })
  expect(await (await changeLater({ subscribed: true })).json()).toMatchObject({ subscribed: true })
  expect(await readSubscriber()).toMatchObject({ state: 'confirmed', consentAt: NOON + 9, cityKey: 'tampa' })
  expect(await (await changeLater({ city: '' })).json()).toMatchObject({ city: null })
})

test('retains only the address’s hash after erasure', async () => {
  await addNamedUser('judy', { email: visitorEmail, emailKey: visitorEmail })
  const token = await subscribeAndConfirm()
  const browser = await browserWithSession('judy', { at: NOON })
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  // The table `suppressions` lists erased addresses; suppressions are in `mail_stops`.
  const remaining = await env.DB.prepare('SELECT * FROM suppressions').all()
  expect(remaining.results).toHaveLength(1)
  await env.DB.prepare("DELETE FROM outbox WHERE kind = 'erased'").run()
  expect(JSON.stringify(await snapshotRows(env.DB))).not.toContain(visitorEmail)
  // The old unsubscribe link still works.
  expect((await unsubscribeWith(token)).status).toBe(200)
  await subscribeAndConfirm(NOON + DAY_MS)
  expect((await env.DB.prepare('SELECT * FROM suppressions').all()).results).toEqual([])
})

test('sends show alerts only after confirmation', async () => {
  await post('/api/shows/alerts', { entry: visitorEmail })
  await post('/api/shows/alerts', { entry: 'text me' })
  expect(await emailKinds()).toEqual(['alert_confirm'])
  const token = await tokenFromEmail('alert_confirm', visitorEmail)
  const readAlert = () => env.DB.prepare('SELECT * FROM show_alerts WHERE email_key = ?').bind(visitorEmail).first()
  expect(await readAlert()).toMatchObject({ confirmed_at: null, city: null })
  for (let attempt = 0; attempt < 2; attempt++)
    expect((await post('/api/shows/alerts/confirm', { token }, NOON + attempt)).status).toBe(200)
  expect(await readAlert()).toMatchObject({ confirmed_at: NOON })
})

test('answers a repeated alert request by email only', async () => {
  const requestAlert = (time: number) => post('/api/shows/alerts', { entry: visitorEmail }, time)
  const first = await requestAlert(NOON)
  await post('/api/shows/alerts/confirm', { token: await tokenFromEmail('alert_confirm', visitorEmail) })
  const again = await requestAlert(NOON + HOUR_MS)
  expect([again.status, await again.text()]).toEqual([first.status, await first.text()])
  expect(await emailKinds()).toEqual(['alert_already', 'alert_confirm'])
  const email = (await emailsTo(visitorEmail))[0]
  expect(email?.subject).toBe('Your show alert is already on')
  // The link in the email's unsubscribe header ends the alerts.
  const leaveToken = /api\/newsletter\/unsubscribe\?token=([\w.-]+)/.exec(String(email?.headers))?.[1] ?? ''
  expect((await unsubscribeWith(leaveToken)).status).toBe(200)
  expect((await env.DB.prepare('SELECT 1 FROM show_alerts').all()).results).toEqual([])
})

test('offers city alerts to supporters, not to visitors', async () => {
  await addNamedUser('kim', { email: visitorEmail, emailKey: visitorEmail })
  const browser = await browserWithSession('kim', { at: NOON })
  await browser.send('POST', '/api/shows/city-requests', { entry: 'New Orleans' })
  await post('/api/shows/city-requests', { entry: 'New Orleans' })
  const sent = await emailsTo(visitorEmail)
  expect(sent.map(({ subject }) => subject)).toEqual(['Confirm your show alert'])
  expect(sent[0]?.text).toContain('a new show in New Orleans is announced')
  expect(
    (await post('/api/shows/alerts/confirm', { token: await tokenFromEmail('alert_confirm', visitorEmail) })).status,
  ).toBe(200)
  const row = await env.DB.prepare('SELECT city, city_key, confirmed_at FROM show_alerts').first()
  expect(row).toEqual({ city: 'New Orleans', city_key: 'new orleans', confirmed_at: NOON })
})

/** Statement that adds a waiting email; `claimed` means that a sender is working on it. */
const waitingEmail = (id: string, kind: string, { to = visitorEmail, claimed = false, inDoubt = false } = {}) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, claimed_at, in_doubt, created_at)
     VALUES (?1, ?1, ?2, ?3, 's', 't', 'h', ?4, ?5, ?6)`,
  ).bind(id, kind, to, claimed ? NOON : null, Number(inDoubt), NOON)

const STOPPED_EMAIL = ['failed', 'Unsubscribed meanwhile.']
const STILL_WAITING = ['waiting', null]
const emailStates = async () => {
  const { results } = await env.DB.prepare('SELECT id, state, last_error FROM outbox').all<Record<string, string>>()
  return Object.fromEntries(results.map(({ id, state, last_error }) => [id, [state, last_error]]))
}

async function unsubscribeOnAccountPage(): Promise<Response> {
  await addNamedUser(`leaver${userCount}`, { email: visitorEmail, emailKey: visitorEmail, emailVerifiedAt: 1 })
  return (await browserWithSession(`leaver${userCount}`, { at: NOON })).send('DELETE', '/api/account/newsletter')
}

test.each<[string, (token: string) => Promise<Response>]>([
  ['by one click in an email client', (token) => Promise.resolve(unsubscribeByOneClick(token))],
  ['by the button of the page', (token) => unsubscribeWith(token)],
  ['by the switch of the page', (token) => changePreferences({ token, subscribed: false })],
  ['on the account page', unsubscribeOnAccountPage],
])('marks unclaimed list emails as failed after unsubscribing %s', async (_, unsubscribe) => {
  const token = await subscribeAndConfirm()
  await env.DB.batch([
    env.DB.prepare("UPDATE outbox SET id = kind, claimed_at = NULL, state = 'waiting'"),
    waitingEmail('copy', 'broadcast'),
    waitingEmail('in doubt', 'broadcast', { inDoubt: true }),
    waitingEmail('claimed', 'broadcast', { claimed: true }),
    waitingEmail('other recipient', 'broadcast', { to: 'other@mail.example' }),
    waitingEmail('other list', 'show_alert'),
    waitingEmail('requested', 'reset'),
  ])
  expect((await unsubscribe(token)).ok).toBe(true)
  expect(await readSubscriberState()).toBe('unsubscribed')
  expect(await emailStates()).toMatchObject({
    newsletter_welcome: STOPPED_EMAIL,
    copy: STOPPED_EMAIL,
    'in doubt': STOPPED_EMAIL,
    claimed: STILL_WAITING,
    'other recipient': STILL_WAITING,
    'other list': STILL_WAITING,
    requested: STILL_WAITING,
  })
})

test('unsubscribing from alerts cancels unsent alerts, not newsletter emails', async () => {
  await subscribeAndConfirm()
  await browserAt().send('POST', '/api/shows/alerts', { entry: visitorEmail })
  await browserAt().send('POST', '/api/shows/alerts/confirm', {
    token: await tokenFromEmail('alert_confirm', visitorEmail),
  })
  const { pageUrl } = await unsubscribeLinks({ secret: env.SIGNING_SECRET, origin: ORIGIN }, 'alerts', visitorEmail)
  await env.DB.batch([
    waitingEmail('alert', 'show_alert'),
    waitingEmail('in doubt', 'show_alert', { inDoubt: true }),
    waitingEmail('claimed', 'show_alert', { claimed: true }),
    waitingEmail('copy', 'broadcast'),
  ])
  expect((await unsubscribeWith(pageUrl.split('token=')[1] ?? '')).status).toBe(200)
  expect(await emailStates()).toMatchObject({
    alert: STOPPED_EMAIL,
    'in doubt': STOPPED_EMAIL,
    claimed: STILL_WAITING,
    copy: STILL_WAITING,
  })
  expect([await readSubscriberState(), (await env.DB.prepare('SELECT 1 FROM show_alerts').all()).results]).toEqual([
    'confirmed',
    [],
  ])
})

test('sends one valid link after a quick resubscription', async () => {
  const leaveToken = await subscribeAndConfirm()
  const firstConfirmation = await tokenFromEmail('newsletter_confirm', visitorEmail)
  await unsubscribeWith(leaveToken, NOON + MINUTE_MS)
  for (let attempt = 0; attempt < 3; attempt++) await subscribe(visitorEmail, NOON + 2 * MINUTE_MS + attempt)
  const confirmations = (await emailsTo(visitorEmail)).filter(({ kind }) => kind === 'newsletter_confirm')
  expect(confirmations).toHaveLength(2)
  expect((await confirm(firstConfirmation, NOON + 3 * MINUTE_MS)).status).toBe(400)
  expect((await confirm(await tokenFromEmail('newsletter_confirm', visitorEmail), NOON + 3 * MINUTE_MS)).status).toBe(
    200,
  )
})

const suppress = async (reason: string) =>
  env.DB.prepare('INSERT INTO mail_stops (hash, reason, created_at) VALUES (?1, ?2, ?3)')
    .bind(await suppressionHash(env.SIGNING_SECRET, visitorEmail), reason, NOON)
    .run()
const suppressions = async () => (await env.DB.prepare('SELECT reason FROM mail_stops').all()).results

/** Adds `visitorEmail` as an import does: confirmed, with the consent of the other platform. */
const addImported = () =>
  env.DB.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
     VALUES ('sub_import_x_2', ?1, ?1, 'confirmed', 'import-mailchimp', 1, 1, 1)`,
  )
    .bind(visitorEmail)
    .run()

test('the emailed link replaces an imported consent', async () => {
  await addImported()
  await subscribe()
  expect(await readSubscriber()).toMatchObject({ consentVersion: 'import-mailchimp', consentAt: 1 })
  const token = await tokenFromEmail('newsletter_confirm', visitorEmail)
  for (const time of [NOON + 1, NOON + 2]) expect((await confirm(token, time)).status).toBe(200)
  expect(await readSubscribers()).toMatchObject([
    { state: 'confirmed', consentVersion: CONSENT_VERSION, consentAt: NOON, confirmedAt: NOON + 1 },
  ])
})

test('subscribing in a session replaces an imported consent', async () => {
  await addNamedUser(`mover${userCount}`, { email: visitorEmail, emailKey: visitorEmail })
  await addImported()
  const browser = await browserWithSession(`mover${userCount}`, { at: NOON })
  await browser.send('POST', SUBSCRIBE, { email: visitorEmail })
  expect(await readSubscribers()).toMatchObject([
    { consentVersion: CONSENT_VERSION, consentAt: NOON, confirmedAt: NOON },
  ])
  expect(await emailKinds()).toEqual(['newsletter_already'])
})

test.each(['complained', 'suppressed'])('resubscribing through the link lifts the suppression “%s”', async (reason) => {
  const token = await subscribeAndConfirm()
  await unsubscribeWith(token)
  await suppress(reason)
  await changePreferences({ token, city: 'Tampa' })
  expect(await suppressions()).toEqual([{ reason }])
  expect(await (await changePreferences({ token, subscribed: true })).json()).toMatchObject({ subscribed: true })
  expect(await suppressions()).toEqual([])
})

test('a bounced address cannot be resubscribed', async () => {
  const token = await subscribeAndConfirm()
  await unsubscribeWith(token)
  await suppress('bounced')
  const message = 'Email to this address bounced, so it cannot be subscribed.'
  expect(await errorOf(await changePreferences({ token, subscribed: true }))).toEqual([409, 'conflict', message])
  expect([await readSubscriberState(), await suppressions()]).toEqual(['unsubscribed', [{ reason: 'bounced' }]])
})

test('lifts no suppression through an erased subscriber’s link', async () => {
  const token = await subscribeAndConfirm()
  await suppress('complained')
  await env.DB.prepare('DELETE FROM subscribers').run()
  expect((await changePreferences({ token, subscribed: true })).status).toBe(400)
  expect(await suppressions()).toEqual([{ reason: 'complained' }])
})
