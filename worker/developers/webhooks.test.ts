import { createMessageBatch, env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Webhook, WebhookDelivery, WebhookEventType } from '../contract/developers'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { getJson, send, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addRelease, addTrack, addUser, db } from '../testing/fixtures'
import { addStripeOrder, sendEvent, setUpPayments } from '../testing/payments'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { users } from '../users/users.table'
import {
  deleteOldDeliveries,
  enqueueDueDeliveries,
  RETRY_DELAYS_MS,
  reportReleases,
  type WebhookClient,
  webhookHandler,
} from './deliver-webhooks'
import { parseWebhookUrl } from './webhooks'

const RECEIVER_URL = 'https://hooks.partner.example/in'
let headers: Record<string, string>
let queued: string[] = []
beforeAll(async () => {
  await setUpPayments()
  headers = { cookie: await cookieHeaderFor('administrator') }
})
beforeEach(async () => {
  await db.run(sql`DELETE FROM webhooks`)
  queued = []
  // Webhooks share the queue of link previews.
  vi.spyOn(env.PREVIEWS, 'sendBatch').mockImplementation(async (messages) => {
    for (const { body } of messages) queued.push((body as { id: string }).id)
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } } as never
  })
  // The worker cannot queue a delayed retry, so that only the five-minute job queues attempts.
  vi.spyOn(env.PREVIEWS, 'send').mockRejectedValue(new Error('The queue is down.'))
})
afterEach(() => void vi.restoreAllMocks())

const sendAsAdmin = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, path, json, { at, headers })

async function addWebhook(...events: WebhookEventType[]) {
  const response = await sendAsAdmin('POST', '/api/admin/webhooks', { url: RECEIVER_URL, events })
  return response.json<Webhook & { secret: string }>()
}
const deliveriesOf = ({ id }: { id: string }) =>
  getJson<WebhookDelivery[]>(`/api/admin/webhooks/${id}/deliveries`, { at: NOON, headers })

type ReceivedRequest = { url: string; id: string; body: string; headers: Headers }
/** A receiver that answers with these statuses in turn, then always with 200. It does not answer for null. */
function receiverOf(statuses: (number | null)[] = [], addresses = ['93.184.215.14']) {
  const requests: ReceivedRequest[] = []
  const client: WebhookClient = {
    resolve: async () => addresses,
    fetch: async (url, init) => {
      const sentHeaders = new Headers(init.headers)
      requests.push({ url, id: sentHeaders.get('webhook-id') ?? '', body: String(init.body), headers: sentHeaders })
      expect(init.redirect).toBe('manual')
      const status = statuses.length > 0 ? statuses.shift() : 200
      if (status === null) throw new TypeError('network')
      return new Response(null, { status, headers: { location: 'https://elsewhere.example/' } })
    },
  }
  return { client, requests }
}

/** Runs the five-minute job, then delivers the queue messages that it sent. */
async function deliverDue(client: WebhookClient, at: number) {
  await enqueueDueDeliveries(db, env.PREVIEWS, at)
  const messages = queued.splice(0).map((id, i) => ({
    id: `${i}`,
    timestamp: new Date(at),
    attempts: 1,
    body: { kind: 'webhook', id },
  }))
  if (messages.length > 0) await webhookHandler(client).consume(createMessageBatch('previews', messages), env, () => at)
}

test('reports a paid order once despite repeated payment events', async () => {
  const webhook = await addWebhook('order.paid')
  const { id, events } = await addStripeOrder()
  const paid = events.succeeded()
  await Promise.all([sendEvent(paid), sendEvent(paid), sendEvent(events.succeeded())])
  await sendEvent(events.withdrawn({ created: NOON / SECOND_MS + 1 }))
  await sendEvent(events.reinstated({ created: NOON / SECOND_MS + 2 }))
  const { client, requests } = receiverOf()
  await deliverDue(client, NOON + MINUTE_MS)
  await deliverDue(client, NOON + HOUR_MS)
  expect(requests.map(({ id: eventId }) => eventId)).toEqual([`evt_order_paid_${id}`])
  expect(JSON.parse(requests[0]!.body)).toEqual({
    type: 'order.paid',
    timestamp: expect.stringMatching(/Z$/),
    data: { orderId: id, totalCents: 2000, currency: 'USD', units: 1 },
  })
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200, error: null }] }])
})

test('reports only chosen events, and none while off', async () => {
  const webhook = await addWebhook('order.paid')
  await addUser({ role: 'supporter', createdAt: NOON, emailVerifiedAt: NOON })
  expect(await deliveriesOf(webhook)).toEqual([])
  const change = { url: RECEIVER_URL, events: ['supporter.joined'], enabled: false }
  await sendAsAdmin('PATCH', `/api/admin/webhooks/${webhook.id}`, change)
  await addUser({ role: 'supporter', createdAt: NOON, emailVerifiedAt: NOON })
  await sendAsAdmin('PATCH', `/api/admin/webhooks/${webhook.id}`, { ...change, enabled: true })
  const { id } = await addUser({
    role: 'supporter',
    createdAt: NOON,
    email: 'secret@fan.example',
    emailVerifiedAt: NOON,
  })
  const deliveries = await deliveriesOf(webhook)
  expect(deliveries.map(({ eventId }) => eventId)).toEqual([`evt_supporter_joined_${id}`])
  expect(deliveries[0]?.body).not.toContain('fan.example')
})

test('reports a supporter when the email is confirmed', async () => {
  const webhook = await addWebhook('supporter.joined')
  const { id } = await addUser({ role: 'supporter', createdAt: NOON, emailVerifiedAt: null })
  expect(await deliveriesOf(webhook)).toEqual([])
  for (const at of [NOON + 1, null, NOON + 2])
    await db.update(users).set({ emailVerifiedAt: at }).where(eq(users.id, id))
  expect((await deliveriesOf(webhook)).map(({ eventId }) => eventId)).toEqual([`evt_supporter_joined_${id}`])
})

test('reports a release once, when it comes out', async () => {
  const webhook = await addWebhook('release.published')
  const releasedAt = NOON + HOUR_MS
  await addRelease({ id: 'coming', slug: 'coming', releasedAt }, [(await addTrack()).id])
  // A release without tracks is not public.
  await addRelease({ id: 'empty', slug: 'empty', releasedAt }, [])
  for (const at of [releasedAt - 1, releasedAt, releasedAt + MINUTE_MS]) {
    await reportReleases(db, at)
    expect(await deliveriesOf(webhook)).toHaveLength(at < releasedAt ? 0 : 1)
  }
  expect(JSON.parse((await deliveriesOf(webhook))[0]!.body).data).toMatchObject({ slug: 'coming' })
  // A release is not reported again after its delivery was deleted.
  await deleteOldDeliveries({ db }, releasedAt + 31 * DAY_MS)
  await reportReleases(db, releasedAt + 31 * DAY_MS)
  expect(await deliveriesOf(webhook)).toEqual([])
})

test('signs by the specification, with both secrets for a day', async () => {
  const webhook = await addWebhook('order.paid')
  const rotated = await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/rotate`)
  const { secret } = await rotated.json<{ secret: string }>()
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  const { client, requests } = receiverOf()
  await deliverDue(client, NOON + SECOND_MS)
  const [request] = requests
  // The library rejects timestamps that differ much from the current time.
  const verify = (key: string) => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] })
    try {
      return new Verifier(key).verify(request!.body, Object.fromEntries(request!.headers))
    } finally {
      vi.useRealTimers()
    }
  }
  expect([verify(webhook.secret), verify(secret)]).toMatchObject([{ type: 'test' }, { type: 'test' }])
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`, undefined, NOON + DAY_MS - SECOND_MS)
  await deliverDue(client, NOON + DAY_MS + MINUTE_MS)
  expect(requests[1]?.headers.get('webhook-signature')?.split(' ')).toHaveLength(1)
  const stored = await db.all(sql`SELECT * FROM webhooks`)
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 30))
})

test('turns off a failing webhook and emails the owner', async () => {
  const { email } = await addUser({ role: 'administrator', email: 'owner@fan.example', emailVerifiedAt: NOON })
  const webhook = await addWebhook('supporter.joined')
  await addUser({ role: 'supporter', createdAt: NOON, emailVerifiedAt: NOON })
  const { client, requests } = receiverOf(Array<number>(20).fill(500))
  let at = NOON
  await deliverDue(client, at)
  for (const delay of RETRY_DELAYS_MS) {
    await deliverDue(client, at + delay - 1)
    at += delay + limits.webhookOverdueMinutes * MINUTE_MS
    await deliverDue(client, at)
  }
  expect(requests).toHaveLength(RETRY_DELAYS_MS.length + 1)
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
  expect(at - NOON).toBeGreaterThan(3 * DAY_MS)
  await deliverDue(client, at + DAY_MS)
  expect(requests).toHaveLength(RETRY_DELAYS_MS.length + 1)
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'failed', nextAttemptAt: null }])
  expect(await getJson('/api/admin/webhooks', { at: NOON, headers })).toMatchObject([{ state: 'failing' }])
  expect(await emailsTo(email!)).toMatchObject([{ kind: 'webhook_disabled' }])
})

test('turns a webhook off when the receiver answers 410', async () => {
  const webhook = await addWebhook('order.paid')
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  await deliverDue(receiverOf([410]).client, NOON + SECOND_MS)
  expect(await getJson('/api/admin/webhooks', { at: NOON, headers })).toMatchObject([{ state: 'gone' }])
  const again = await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  expect(await statusAndCodeOf(again)).toEqual([409, 'conflict'])
})

test('follows no redirect and calls no private address', async () => {
  const webhook = await addWebhook('order.paid')
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  await deliverDue(receiverOf([302]).client, NOON + SECOND_MS)
  const receiver = receiverOf([], ['93.184.215.14', '10.0.0.7'])
  await deliverDue(receiver.client, NOON + HOUR_MS)
  await db.run(sql`UPDATE webhooks SET url = 'https://10.0.0.7/'`)
  await deliverDue(receiver.client, NOON + 2 * HOUR_MS)
  expect(receiver.requests).toEqual([])
  expect((await deliveriesOf(webhook))[0]?.attempts.map(({ error }) => error)).toEqual([
    'Redirects are not followed.',
    'The address does not lead to a public server.',
    'The address does not lead to a public server.',
  ])
})

test('accepts only public https addresses in production', async () => {
  const rules = { isDemo: false, ownHost: 'fan.example' }
  for (const url of [
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://a.internal/',
    'https://fan.example/',
    'https://user:password@hooks.example/',
    'https://hooks.example:8443/',
    'javascript:alert(1)',
    'hooks',
  ])
    expect(() => parseWebhookUrl(url, rules), url).toThrow('public address')
  expect(parseWebhookUrl('https://hooks.example/in?a=1#b', rules)).toBe('https://hooks.example/in?a=1')
  expect(parseWebhookUrl('http://127.0.0.1:8080/', { ...rules, isDemo: true })).toBe('http://127.0.0.1:8080/')
  expect(
    (await sendAsAdmin('POST', '/api/admin/webhooks', { url: 'https://127.0.0.1/', events: ['order.paid'] })).status,
  ).toBe(400)
})

test('retries under the same id after the worker died', async () => {
  const webhook = await addWebhook('order.paid')
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  const hangingClient: WebhookClient = {
    resolve: () => new Promise(() => undefined),
    fetch: () => new Promise(() => undefined),
  }
  await enqueueDueDeliveries(db, env.PREVIEWS, NOON)
  const [id] = queued.splice(0)
  const message = { id: '1', timestamp: new Date(NOON), attempts: 1, body: { kind: 'webhook', id } }
  void webhookHandler(hangingClient).consume(createMessageBatch('previews', [message]), env, () => NOON)
  await vi.waitFor(async () => expect(await db.all(sql`SELECT tries FROM webhook_deliveries`)).toEqual([{ tries: 1 }]))
  const { client, requests } = receiverOf()
  await deliverDue(client, NOON + 30 * SECOND_MS)
  expect(requests).toEqual([])
  await deliverDue(client, NOON + limits.webhookOverdueMinutes * MINUTE_MS)
  await deliverDue(client, NOON + HOUR_MS)
  expect(requests.map((request) => request.id)).toEqual([(await deliveriesOf(webhook))[0]?.eventId])
})

test('replays a delivery under the same id', async () => {
  const webhook = await addWebhook('order.paid')
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  const { client, requests } = receiverOf([200, 500])
  await deliverDue(client, NOON + SECOND_MS)
  const [delivery] = await deliveriesOf(webhook)
  const replay = () =>
    sendAsAdmin('POST', `/api/admin/webhook-deliveries/${delivery!.id}/replay`, undefined, NOON + MINUTE_MS)
  expect((await replay()).status).toBe(202)
  await deliverDue(client, NOON + 2 * MINUTE_MS)
  await deliverDue(client, NOON + HOUR_MS)
  expect(requests.map(({ id, body }) => [id, body])).toEqual(Array(3).fill([delivery!.eventId, delivery!.body]))
  expect((await deliveriesOf(webhook))[0]?.attempts.map(({ status }) => status)).toEqual([200, 500, 200])
})

test('deletes deliveries after 30 days or with their webhook', async () => {
  const webhook = await addWebhook('order.paid')
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  await deleteOldDeliveries({ db }, NOON + 30 * DAY_MS - 1)
  expect(await deliveriesOf(webhook)).toHaveLength(1)
  await deleteOldDeliveries({ db }, NOON + 30 * DAY_MS)
  expect(await deliveriesOf(webhook)).toEqual([])
  await sendAsAdmin('POST', `/api/admin/webhooks/${webhook.id}/test`)
  expect((await sendAsAdmin('DELETE', `/api/admin/webhooks/${webhook.id}`)).status).toBe(204)
  expect(await db.all(sql`SELECT id FROM webhook_deliveries`)).toEqual([])
})
