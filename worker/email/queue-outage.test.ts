import { env } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import { resumeBroadcasts } from '../broadcasts/send'
import type { Env } from '../env'
import { HOUR_MS } from '../lib/clock'
import { allEmails } from '../testing/all-emails'
import { type Browser, newBrowser } from '../testing/client'
import { CONCERT_DRAFT } from '../testing/drafts'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { addChallenge, DAYS_JULY_2026, db, sendVerse } from '../testing/fixtures'
import { addProduct, DEMO_ENV, newBuyer, variantOf } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { newAuthenticator } from '../testing/software-authenticator'
import { addNamedUser, browserWithSession, PASSWORD, uniqueIp } from '../testing/users'
import { emailHandler, requeueOverdueEmails } from './queue'

// While the email queue fails, requests still succeed and their emails wait in the outbox.

const failingQueue = {
  send: () => Promise.reject(new Error('down')),
  sendBatch: () => Promise.reject(new Error('down')),
} as never
const QUEUES_DOWN: Partial<Env> = { MAIL: failingQueue, BROADCASTS: failingQueue }

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'subscribers', 'show_alerts', 'broadcasts', 'mail_stops', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const visitor = (bindings: Partial<Env> = {}) =>
  newBrowser({ address: uniqueIp(), at: NOON, env: { ...QUEUES_DOWN, ...bindings } })
let userCount = 0
async function newUser(row: Parameters<typeof addNamedUser>[1] = {}) {
  const name = `user${++userCount}`
  const { id } = await addNamedUser(name, row)
  const as = row?.role ?? 'supporter'
  return { id, to: `${name}@fan.example`, browser: await browserWithSession(name, { at: NOON, env: QUEUES_DOWN, as }) }
}
const adminBrowser = async () => (await newUser({ role: 'administrator' })).browser
const RECIPIENT = 'fan@mail.example'
const subscribe = () => visitor().send('POST', '/api/newsletter/subscribe', { email: RECIPIENT })
const confirm = async () =>
  visitor().send('POST', '/api/newsletter/confirm', { token: await tokenFromEmail('newsletter_confirm', RECIPIENT) })
const inquire = () =>
  visitor().send('POST', '/api/privacy/inquiries', { email: RECIPIENT, kind: 'access', message: 'What?' })
const requestStockAlert = (productId: string) =>
  visitor().send('POST', '/api/stock-alerts', { variantId: variantOf(productId), email: RECIPIENT })
async function addPasskey(browser: Browser, authenticator: Awaited<ReturnType<typeof newAuthenticator>>) {
  const options = await browser.send('POST', '/api/account/passkey-options')
  const passkey = await authenticator.create(await options.json())
  return browser.send('POST', '/api/account/passkeys', { name: 'Phone', passkey })
}
/** Sends an administrator's action on the latest inquiry. */
async function actOnInquiry(action: string, body?: unknown): Promise<Response> {
  const id = await env.DB.prepare('SELECT id FROM privacy_inquiries ORDER BY rowid DESC').first<string>('id')
  return (await adminBrowser()).send('POST', `/api/admin/privacy/inquiries/${id}/${action}`, body)
}

/** By email kind: the expected status and a request that causes it, with its recipient. */
const REQUESTS: Record<string, [status: number, request: () => Promise<[Response, string]>]> = {
  newsletter_confirm: [200, async () => [await subscribe(), RECIPIENT]],
  newsletter_welcome: [
    200,
    async () => {
      await subscribe()
      return [await confirm(), RECIPIENT]
    },
  ],
  newsletter_already: [
    200,
    async () => {
      await subscribe()
      await confirm()
      return [await subscribe(), RECIPIENT]
    },
  ],
  alert_confirm: [
    202,
    async () => [await visitor().send('POST', '/api/shows/alerts', { entry: RECIPIENT }), RECIPIENT],
  ],
  alert_already: [
    202,
    async () => {
      const requestAlert = () => visitor().send('POST', '/api/shows/alerts', { entry: RECIPIENT })
      await requestAlert()
      await visitor().send('POST', '/api/shows/alerts/confirm', {
        token: await tokenFromEmail('alert_confirm', RECIPIENT),
      })
      return [await requestAlert(), RECIPIENT]
    },
  ],
  stock_alert_confirm: [202, async () => [await requestStockAlert(await addProduct(0)), RECIPIENT]],
  stock_alert_already: [
    202,
    async () => {
      const productId = await addProduct(0)
      await requestStockAlert(productId)
      const token = await tokenFromEmail('stock_alert_confirm', RECIPIENT)
      await visitor().send('POST', '/api/stock-alerts/confirm', { token })
      return [await requestStockAlert(productId), RECIPIENT]
    },
  ],
  verify: [
    201,
    async () => {
      const body = { username: `new${++userCount}`, email: `new${userCount}@fan.example`, password: PASSWORD }
      return [await visitor().send('POST', '/api/auth/signup', body), body.email]
    },
  ],
  reset: [
    202,
    async () => {
      const { to } = await newUser()
      return [await visitor().send('POST', '/api/auth/password/forgot', { email: to }), to]
    },
  ],
  password_changed: [
    204,
    async () => {
      const { browser, to } = await newUser()
      const body = { current: PASSWORD, password: 'eleven paper boats' }
      return [await browser.send('POST', '/api/auth/password/change', body), to]
    },
  ],
  confirm: [
    202,
    async () => {
      const { browser, to } = await newUser({ passwordHash: null })
      return [await browser.send('POST', '/api/auth/confirm/code'), to]
    },
  ],
  passkey_added: [
    201,
    async () => {
      const { browser, to } = await newUser()
      return [await addPasskey(browser, await newAuthenticator()), to]
    },
  ],
  passkey_removed: [
    204,
    async () => {
      const { browser, to } = await newUser()
      const authenticator = await newAuthenticator()
      await addPasskey(browser, authenticator)
      return [await browser.send('DELETE', `/api/account/passkeys/${authenticator.id}`), to]
    },
  ],
  email_change: [
    202,
    async () => {
      const { browser, to } = await newUser()
      return [await browser.send('POST', '/api/account/email', { email: `new-${to}` }), `new-${to}`]
    },
  ],
  // The notice to the old address.
  email_changed: [
    200,
    async () => {
      const { browser, to } = await newUser()
      await browser.send('POST', '/api/account/email', { email: `new-${to}` })
      const token = await tokenFromEmail('email_change', `new-${to}`)
      return [await browser.send('POST', '/api/auth/email/verify', { token }), to]
    },
  ],
  erased: [
    204,
    async () => {
      const { browser, to } = await newUser()
      return [await browser.send('DELETE', '/api/account', { password: PASSWORD }), to]
    },
  ],
  appointed: [
    204,
    async () => {
      const { to } = await newUser()
      return [
        await (await adminBrowser()).send('POST', '/api/admin/administrators', { account: to, teamRole: 'manager' }),
        to,
      ]
    },
  ],
  csv_link: [
    200,
    async () => [
      await (await adminBrowser()).send('POST', '/api/email/golden-verse-csv', { email: RECIPIENT }),
      RECIPIENT,
    ],
  ],
  broadcast_test: [
    202,
    async () => {
      const browser = await adminBrowser()
      const draft = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }
      const { id } = await (await browser.send('POST', '/api/admin/broadcasts', draft)).json<{ id: string }>()
      return [await browser.send('POST', `/api/admin/broadcasts/${id}/test`, { to: RECIPIENT }), RECIPIENT]
    },
  ],
  verse_received: [
    201,
    async () => {
      await addChallenge('verses', DAYS_JULY_2026)
      return [(await sendVerse(visitor(), 'verses', { email: RECIPIENT })).response, RECIPIENT]
    },
  ],
  inquiry_received: [202, async () => [await inquire(), RECIPIENT]],
  inquiry_answer: [
    200,
    async () => {
      await inquire()
      return [await actOnInquiry('answer', { answer: 'This.' }), RECIPIENT]
    },
  ],
  inquiry_file: [
    202,
    async () => {
      await inquire()
      const token = await tokenFromEmail('inquiry_received', RECIPIENT)
      await visitor().send('POST', '/api/privacy/inquiries/confirm', { token })
      return [await actOnInquiry('mail-file'), RECIPIENT]
    },
  ],
  receipt: [
    200,
    async () => {
      const buyer = newBuyer(visitor(DEMO_ENV))
      const intent = await buyer.buy(await addProduct(1), { email: RECIPIENT })
      return [await buyer.confirmCard(intent), RECIPIENT]
    },
  ],
  shipped: [
    200,
    async () => {
      const buyer = newBuyer(visitor(DEMO_ENV))
      const intent = await buyer.buy(await addProduct(1), { email: RECIPIENT })
      await buyer.confirmCard(intent)
      const orders = [{ id: intent.orderId, tracking: '1Z' }]
      return [await (await adminBrowser()).send('POST', '/api/admin/shipments', { orders }), RECIPIENT]
    },
  ],
}

/** Kinds without an entry above: of jobs, payment events and show alerts, and notices to owners. */
const OTHER_KINDS = [
  'inactive',
  'inquiry_due',
  'refund',
  'trial_ending',
  'membership_cancelled',
  'show_alert',
  'stock_alert',
  'finalist',
  'challenge_won',
  'challenge_result',
  'system_notice',
  'token_created',
  'webhook_disabled',
  'export_ready',
]

test('covers every kind of composed email', () => {
  const kinds = allEmails('Any Artist').map(({ kind }) => kind)
  expect([...new Set([...kinds, 'broadcast_test'])].sort()).toEqual([...Object.keys(REQUESTS), ...OTHER_KINDS].sort())
})

/** Requeues overdue emails and delivers them; returns the recipients. */
async function requeueAndDeliver(at: number): Promise<string[]> {
  const bodies: unknown[] = []
  const MAIL = {
    sendBatch: async (messages: { body: unknown }[]) => void bodies.push(...messages.map(({ body }) => body)),
  } as unknown as Env['MAIL']
  await requeueOverdueEmails(db, MAIL, at)
  const recipients: string[] = []
  const EMAIL = {
    send: async ({ to }: { to: string }) => {
      recipients.push(to)
      return { messageId: 'm' }
    },
  } as unknown as SendEmail
  const messages = bodies.map((body) => ({ body, ack() {}, retry() {} }))
  await emailHandler.consume({ messages } as never, { ...env, EMAIL } as Env, () => at)
  return recipients
}

test.each(Object.entries(REQUESTS))('delivers %s later when the queue is down', async (kind, [status, request]) => {
  vi.spyOn(console, 'error').mockReturnValue()
  const [response, to] = await request()
  expect([kind, response.status, response.ok || (await response.text())]).toEqual([kind, status, true])
  const emails = async () => (await emailsTo(to)).filter((email) => email.kind === kind)
  expect(await emails()).toMatchObject([{ state: 'waiting' }])
  expect(await requeueAndDeliver(NOON + HOUR_MS)).toContain(to)
  expect(await emails()).toMatchObject([{ state: 'sent' }])
  expect(await requeueAndDeliver(NOON + 2 * HOUR_MS)).toEqual([])
})

test('resumes broadcasts and show alerts after the queue was down', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  await subscribe()
  await confirm()
  const browser = await adminBrowser()
  const draft = { subject: 'New drop', markdown: 'Here.', audience: { kind: 'all' } }
  const { id } = await (await browser.send('POST', '/api/admin/broadcasts', draft)).json<{ id: string }>()
  expect((await browser.send('POST', `/api/admin/broadcasts/${id}/send`, {})).status).toBe(202)
  const added = await browser.send('POST', '/api/admin/concerts', CONCERT_DRAFT)
  const show = await added.json<{ id: string }>()
  const resumed: string[] = []
  const BROADCASTS = { send: async (job: { id: string }) => void resumed.push(job.id) } as never
  await resumeBroadcasts({ DB: env.DB, BROADCASTS }, NOON + HOUR_MS)
  expect([added.status, resumed.toSorted()]).toEqual([201, [id, `show:${show.id}`].toSorted()])
})
