import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { INACTIVITY_WARNING_DAYS, RETENTION } from '../contract/retention'
import { openDb } from '../db/client'
import { warnInactiveUsers } from '../gdpr/inactivity'
import { answerInquiry } from '../gdpr/inquiries'
import { addMonths, DAY_MS } from '../lib/clock'
import { onSubscriptionEvent } from '../subscriptions/subscription-events'
import { newBrowser } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { addChallenge, DAYS_JULY_2026, sendVerse } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, PASSWORD, uniqueIp } from '../testing/users'

const VICTIM = 'victim@mail.example'
const MARKER = 'Marker.example'
const deps = { db: openDb(env.DB), secret: 'x'.repeat(32), origin: 'https://fan.example' }

/** Triggers an email of every kind that an unconfirmed address can get, with a marker in each user input. */
async function emailVictim() {
  await seedSite(env.DB)
  await addChallenge('july', DAYS_JULY_2026)
  const { id: actorId } = await addNamedUser('admin', { role: 'administrator' })
  const stranger = newBrowser({ address: uniqueIp(), at: NOON })
  const post = async (path: string, body?: unknown) =>
    expect([path, (await stranger.send('POST', path, body)).ok]).toEqual([path, true])
  await post('/api/auth/signup', { username: MARKER, email: VICTIM, password: PASSWORD })
  await env.DB.prepare('DELETE FROM attempts').run()
  await post('/api/auth/email/resend')
  await post('/api/auth/password/change', { current: PASSWORD, password: `${PASSWORD} and longer` })
  await post('/api/auth/password/forgot', { email: VICTIM })
  await post('/api/shows/city-requests', { entry: MARKER })
  await post('/api/newsletter/subscribe', { email: VICTIM })
  await post('/api/privacy/inquiries', { email: VICTIM, kind: 'access', message: MARKER })
  // A confirmed account and a visitor enter someone else's address.
  await addNamedUser('sender')
  const sender = await browserWithSession('sender', { at: NOON })
  expect((await sendVerse(sender, 'july', { email: VICTIM, name: MARKER })).response.status).toBe(201)
  expect(
    (await sendVerse(newBrowser({ address: uniqueIp(), at: NOON }), 'july', { email: VICTIM, name: MARKER })).response
      .status,
  ).toBe(201)
  const inquiry = await env.DB.prepare('SELECT id FROM privacy_inquiries').first<string>('id')
  await answerInquiry(deps, { id: inquiry!, answer: 'This is it.', actorId, at: NOON })
  const userId = (await env.DB.prepare('SELECT id FROM users WHERE email_key = ?').bind(VICTIM).first<number>('id'))!
  const goldTrial = {
    id: 'sub_1',
    customerId: 'cus_1',
    userId,
    tier: 'gold',
    priceCents: 1500,
    status: 'trialing',
  } as const
  for (const cancels of [false, true]) {
    const subscription = { ...goldTrial, trialEndsAt: NOON + DAY_MS, periodEndsAt: NOON + DAY_MS, cancels }
    const billing = { readSubscription: async () => subscription } as never
    const type = 'customer.subscription.trial_will_end'
    expect(await onSubscriptionEvent({ ...deps, billing }, { subscriptionId: 'sub_1', type }, NOON)).toBe('saved')
  }
  await env.DB.batch([env.DB.prepare('DELETE FROM subscriptions'), env.DB.prepare("UPDATE users SET tier = 'bronze'")])
  const ends = addMonths(NOON, RETENTION.inactiveAccountMonths)
  await warnInactiveUsers(deps, ends - (INACTIVITY_WARNING_DAYS - 2) * DAY_MS)
  await post('/api/auth/password/reset', {
    token: await tokenFromEmail('reset', VICTIM),
    password: 'eleven paper boats',
  })
}

test('repeats no user input to an unconfirmed address', async () => {
  await emailVictim()
  const emails = await emailsTo(VICTIM)
  const texts = emails.map(({ kind, subject, text, html, headers }) => [kind, subject, text, html, headers].join('\n'))
  expect(texts.filter((email) => /marker/i.test(email))).toEqual([])
  // Resetting the password sends a notice; changing it above, with the address unconfirmed, did not.
  expect(emails.filter(({ kind }) => kind === 'password_changed')).toHaveLength(1)
  expect([...new Set(emails.map(({ kind }) => kind))].sort()).toEqual([
    'alert_confirm',
    'inactive',
    'inquiry_answer',
    'inquiry_received',
    'membership_cancelled',
    'newsletter_confirm',
    'password_changed',
    'reset',
    'trial_ending',
    'verify',
    'verse_received',
  ])
})

test('greets a confirmed address by its username', async () => {
  await addNamedUser('greeted')
  await newBrowser({ address: uniqueIp(), at: NOON }).send('POST', '/api/auth/password/forgot', {
    email: 'greeted@fan.example',
  })
  expect((await emailsTo('greeted@fan.example'))[0]?.text).toMatch(/^Hi greeted,/)
})
