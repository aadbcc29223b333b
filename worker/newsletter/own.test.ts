import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import type { OwnNewsletter } from '../contract/lists'
import { newBrowser } from '../testing/browser'
import { refusal } from '../testing/client'
import { furnish } from '../testing/furnish'
import { tokenOf } from '../testing/mails'
import { addPerson, entered, freshAddress } from '../testing/people'

const NOW = Date.parse('2026-07-01T16:00:00Z')
let FAN = ''
let people = 0

beforeEach(async () => {
  await furnish(env.DB)
  FAN = `Judy${++people}@mail.example`
  for (const table of ['subscribers', 'outbox']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const stranger = () => newBrowser({ address: freshAddress(), at: NOW })
const row = () => env.DB.prepare('SELECT state, city FROM subscribers').first<{ state: string; city: string | null }>()

/** A supporter of this address, and what the account page asks and says. */
async function supporter(emailVerifiedAt: number | null = 1) {
  await addPerson(`judy${people}`, { email: FAN, emailKey: FAN.toLowerCase(), emailVerifiedAt })
  const browser = await entered(`judy${people}`, { at: NOW })
  const own = async () => (await browser.send('GET', '/api/account/newsletter')).json<OwnNewsletter>()
  const subscribe = async () =>
    (await (await browser.send('POST', '/api/newsletter/subscribe', { email: FAN })).json<{ pointsEarned: number }>())
      .pointsEarned
  const leave = () => browser.send('DELETE', '/api/account/newsletter')
  return { browser, own, subscribe, leave }
}

test('a supporter sees where their own address stands, joins for points once, confirms, leaves and comes back', async () => {
  const { own, subscribe, leave } = await supporter()
  expect(await own()).toEqual({ state: 'off', city: null, preferences: null })
  expect(await subscribe()).toBe(50)
  expect((await own()).state).toBe('asked')
  const token = await tokenOf('newsletter_confirm', FAN)
  expect((await stranger().send('POST', '/api/newsletter/confirm', { token })).status).toBe(200)
  expect((await own()).state).toBe('on')
  for (let n = 0; n < 2; n++) expect((await leave()).status).toBe(204)
  expect([(await own()).state, await row()]).toMatchObject(['off', { state: 'unsubscribed' }])
  expect(await subscribe()).toBe(0)
  expect((await own()).state).toBe('asked')
})

test('the page of preferences that an account is led to is its own address’s', async () => {
  const { own, subscribe } = await supporter()
  await subscribe()
  await stranger().send('POST', '/api/newsletter/confirm', { token: await tokenOf('newsletter_confirm', FAN) })
  const { preferences } = await own()
  const token = /^\/newsletter\/unsubscribe\?token=([\w.-]+)$/.exec(preferences ?? '')?.[1]
  await stranger().send('PATCH', '/api/newsletter/preferences', { token, city: 'Tampa' })
  expect([(await own()).city, await row()]).toEqual(['Tampa', { state: 'confirmed', city: 'Tampa' }])
})

test('of an address that its account has not confirmed nothing is said, and nothing is ended', async () => {
  await stranger().send('POST', '/api/newsletter/subscribe', { email: FAN })
  await stranger().send('POST', '/api/newsletter/confirm', { token: await tokenOf('newsletter_confirm', FAN) })
  const { own, leave } = await supporter(null)
  expect(await own()).toEqual({ state: 'unconfirmed', city: null, preferences: null })
  const said = 'Please confirm your address first: we mailed you a link.'
  expect(await refusal(await leave())).toEqual([403, 'forbidden', said])
  expect((await row())?.state).toBe('confirmed')
})

test('leaving ends nobody else’s newsletter', async () => {
  const { leave, subscribe } = await supporter()
  await subscribe()
  await stranger().send('POST', '/api/newsletter/subscribe', { email: 'other@mail.example' })
  await leave()
  const states = await env.DB.prepare('SELECT email_key, state FROM subscribers ORDER BY email_key').all()
  expect(states.results.map((one) => Object.values(one))).toEqual([
    [FAN.toLowerCase(), 'unsubscribed'],
    ['other@mail.example', 'pending'],
  ])
})
