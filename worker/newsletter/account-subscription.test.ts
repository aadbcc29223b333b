import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import type { MyNewsletter } from '../contract/newsletter'
import { DAY_MS } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, newBrowser } from '../testing/client'
import { tokenFromEmail } from '../testing/emails'
import { addUser } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { browserWithSession, uniqueIp } from '../testing/users'

let supporterEmail = ''
let userCount = 0

beforeEach(async () => {
  await seedSite(env.DB)
  supporterEmail = `Judy${++userCount}@mail.example`
  for (const table of ['subscribers', 'outbox', 'mail_stops', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const newVisitorBrowser = () => newBrowser({ address: uniqueIp(), at: NOON })
const readStoredSubscription = () =>
  env.DB.prepare('SELECT state, city FROM subscribers').first<{ state: string; city: string | null }>()

/** Adds a supporter with the address `supporterEmail`; the returned functions send requests in a session. */
async function addSupporter({ emailVerified = true } = {}) {
  await addUser({ username: `judy${userCount}`, email: supporterEmail, emailVerified })
  const browser = await browserWithSession(`judy${userCount}`, { at: NOON })
  const getSubscription = async () => (await browser.send('GET', '/api/account/newsletter')).json<MyNewsletter>()
  const subscribe = async () =>
    (
      await (
        await browser.send(
          'POST',
          '/api/newsletter/subscribe',
          { email: supporterEmail },
          { headers: { 'cf-connecting-ip': uniqueIp() } },
        )
      ).json<{ pointsEarned: number }>()
    ).pointsEarned
  const leave = () => browser.send('DELETE', '/api/account/newsletter')
  return { browser, getSubscription, subscribe, leave }
}

test('subscribes, confirms, unsubscribes and resubscribes the account’s address', async () => {
  const { getSubscription, subscribe, leave } = await addSupporter()
  expect(await getSubscription()).toEqual({ state: 'off', canAsk: true, city: null, preferences: null })
  expect(await subscribe()).toBe(50)
  expect((await getSubscription()).state).toBe('asked')
  const token = await tokenFromEmail('newsletter_confirm', supporterEmail)
  expect((await newVisitorBrowser().send('POST', '/api/newsletter/confirm', { token })).status).toBe(200)
  expect((await getSubscription()).state).toBe('on')
  for (let n = 0; n < 2; n++) expect((await leave()).status).toBe(204)
  expect([(await getSubscription()).state, await readStoredSubscription()]).toMatchObject([
    'off',
    { state: 'unsubscribed' },
  ])
  expect(await subscribe()).toBe(0)
  expect((await getSubscription()).state).toBe('asked')
})

test('links to the newsletter preferences of the account’s address', async () => {
  const { getSubscription, subscribe } = await addSupporter()
  await subscribe()
  await newVisitorBrowser().send('POST', '/api/newsletter/confirm', {
    token: await tokenFromEmail('newsletter_confirm', supporterEmail),
  })
  const { preferences } = await getSubscription()
  const token = /^\/newsletter\/unsubscribe\?token=([\w.-]+)$/.exec(preferences ?? '')?.[1]
  await newVisitorBrowser().send('PATCH', '/api/newsletter/preferences', { token, city: 'Tampa' })
  expect([(await getSubscription()).city, await readStoredSubscription()]).toEqual([
    'Tampa',
    { state: 'confirmed', city: 'Tampa' },
  ])
})

test('reveals and changes nothing for an unconfirmed address', async () => {
  await newVisitorBrowser().send('POST', '/api/newsletter/subscribe', { email: supporterEmail })
  await newVisitorBrowser().send('POST', '/api/newsletter/confirm', {
    token: await tokenFromEmail('newsletter_confirm', supporterEmail),
  })
  const { getSubscription, leave } = await addSupporter({ emailVerified: false })
  expect(await getSubscription()).toEqual({ state: 'unconfirmed', canAsk: false, city: null, preferences: null })
  const message = 'Please confirm your email first. We emailed you a link.'
  expect(await errorOf(await leave())).toEqual([403, 'forbidden', message])
  expect((await readStoredSubscription())?.state).toBe('confirmed')
})

test('unsubscribes no other address', async () => {
  const { leave, subscribe } = await addSupporter()
  await subscribe()
  await newVisitorBrowser().send('POST', '/api/newsletter/subscribe', { email: 'other@mail.example' })
  await leave()
  const states = await env.DB.prepare('SELECT email_key, state FROM subscribers ORDER BY email_key').all()
  expect(states.results.map((state) => Object.values(state))).toEqual([
    [supporterEmail.toLowerCase(), 'unsubscribed'],
    ['other@mail.example', 'pending'],
  ])
})

test('reports the daily cap and a pending confirmation', async () => {
  const { getSubscription, subscribe, leave } = await addSupporter()
  const getState = async () => {
    const { state, canAsk } = await getSubscription()
    return [state, canAsk]
  }
  for (let n = 0; n < QUOTAS.ownEmailsPerAddress.max; n++) {
    // Without these changes, the next request would send no further email.
    await env.DB.prepare("UPDATE subscribers SET state = 'unsubscribed', consent_at = consent_at - 1").run()
    await env.DB.prepare('UPDATE outbox SET dedupe_key = dedupe_key || ?1').bind(`:${n}`).run()
    await subscribe()
  }
  expect(await getState()).toEqual(['asked', false])
  // The next request exceeds the cap: it sends no email, so there is nothing to confirm.
  await leave()
  await env.DB.prepare('UPDATE outbox SET created_at = created_at - 1').run()
  await subscribe()
  expect([(await readStoredSubscription())?.state, await getState()]).toEqual(['pending', ['off', false]])
})

test.each([
  ['failed', "UPDATE outbox SET state = 'failed'"],
  ['is a week old', `UPDATE outbox SET created_at = created_at - ${7 * DAY_MS}`],
  ['went to an alias', "UPDATE outbox SET recipient = 'x+' || recipient"],
])('reports no pending confirmation when the email %s', async (_, sql) => {
  const { getSubscription, subscribe } = await addSupporter()
  await subscribe()
  expect(await getSubscription()).toMatchObject({ state: 'asked', canAsk: true })
  await env.DB.batch([env.DB.prepare(sql), env.DB.prepare('UPDATE subscribers SET consent_at = 0')])
  expect(await getSubscription()).toMatchObject({ state: 'off', canAsk: true })
})

test('reports a bounced address, subscribed or not', async () => {
  const { getSubscription, subscribe } = await addSupporter()
  await env.DB.prepare("INSERT INTO mail_stops (hash, reason, created_at) VALUES (?1, 'bounced', 0)")
    .bind(await suppressionHash(env.SIGNING_SECRET, supporterEmail.toLowerCase()))
    .run()
  const bounced = { state: 'bounced', canAsk: false, city: null, preferences: null }
  expect(await getSubscription()).toEqual(bounced)
  await subscribe()
  await env.DB.prepare("UPDATE subscribers SET state = 'confirmed'").run()
  expect(await getSubscription()).toEqual(bounced)
})

test('erasing an unconfirmed account deletes only its own pending subscriptions', async () => {
  const rowsAfterErasure = async (isConfirmed: boolean) => {
    const { browser, subscribe } = await addSupporter({ emailVerified: false })
    await browser.send('POST', '/api/shows/city-requests', { entry: 'Tampa' })
    await subscribe()
    if (isConfirmed)
      for (const [path, kind] of [
        ['/api/newsletter/confirm', 'newsletter_confirm'],
        ['/api/shows/alerts/confirm', 'alert_confirm'],
      ] as const)
        expect(
          (await newVisitorBrowser().send('POST', path, { token: await tokenFromEmail(kind, supporterEmail) })).ok,
        ).toBe(true)
    expect((await browser.send('DELETE', '/api/account', {})).status).toBe(204)
    const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')
    return [await count('subscribers'), await count('show_alerts')]
  }
  await env.DB.prepare('DELETE FROM show_alerts').run()
  expect(await rowsAfterErasure(false)).toEqual([0, 0])
  // A visitor subscribed the address earlier, so the row is not the account's.
  supporterEmail = `Judy${++userCount}@mail.example`
  await newBrowser({ address: uniqueIp(), at: NOON - DAY_MS }).send('POST', '/api/newsletter/subscribe', {
    email: supporterEmail,
  })
  expect(await rowsAfterErasure(false)).toEqual([1, 0])
  await env.DB.prepare('DELETE FROM subscribers').run()
  supporterEmail = `Judy${++userCount}@mail.example`
  expect(await rowsAfterErasure(true)).toEqual([1, 1])
})
