import { env } from 'cloudflare:test'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AdminEmail, EmailSuppression } from '../contract/email'
import { openDb } from '../db/client'
import { deliverEmails } from '../email/deliver'
import { enqueueEmail } from '../email/outbox'
import { MINUTE_MS } from '../lib/clock'
import { errorOf, newBrowser, readPages, send, statusAndCodeOf } from '../testing/client'
import { emailsTo, tokenFromEmail } from '../testing/emails'
import { NOON, seedSite } from '../testing/seed'
import { snapshotRows, spyOnD1 } from '../testing/stores'
import { addNamedUser, browserWithSession, cookieHeaderFor, uniqueIp } from '../testing/users'

const RECIPIENT = 'fan@mail.example'
const SECRET = `whsec_${btoa('a secret of the webhook, shared with Resend')}`
const NOT_SIGNED = [400, 'bad_input', 'That request is not signed by the email provider.']
/** Kinds sent to lists, requested in forms, and personal (`verify`, `reset`). */
const KINDS = [
  'broadcast',
  'show_alert',
  'newsletter_confirm',
  'newsletter_welcome',
  'alert_confirm',
  'alert_already',
  'stock_alert',
  'verify',
  'reset',
]

beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'mail_stops', 'subscribers', 'show_alerts', 'attempts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

type EventFields = { type?: string; at?: string; to?: string[]; from?: string; email_id?: string; bounce?: object }
const PERMANENT_BOUNCE = { type: 'Permanent' }
/** The JSON of an event; by default, the email `r1` to RECIPIENT bounced permanently. */
const eventPayload = ({
  type = 'email.bounced',
  to = [RECIPIENT],
  from,
  email_id = 'r1',
  at,
  bounce = PERMANENT_BOUNCE,
}: EventFields = {}) =>
  JSON.stringify({
    type,
    created_at: at ?? '2026-07-01T16:00:00.000Z',
    data: {
      email_id,
      from: from ?? `Any Artist <${env.MAIL_FROM}>`,
      to,
      subject: 's',
      ...(type === 'email.bounced' && { bounce }),
    },
  })

type WebhookPost = {
  payload: string
  secret?: string
  when?: Date
  headers?: Record<string, string>
  bindings?: object
}
/** Posts to the webhook, signed like Svix. The verifying library reads the real clock. */
function postWebhook({ payload, secret = SECRET, when = new Date(), headers, bindings }: WebhookPost) {
  const signature = new Webhook(secret).sign('msg_1', when, payload)
  const svix = {
    'svix-id': 'msg_1',
    'svix-timestamp': String(Math.floor(when.getTime() / 1000)),
    'svix-signature': signature,
  }
  return send('POST', '/api/webhooks/resend', undefined, {
    at: NOON,
    raw: payload,
    headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json', ...svix, ...headers },
    env: { RESEND_WEBHOOK_SECRET: SECRET, ...bindings },
  })
}
const postEvent = (fields: EventFields) => postWebhook({ payload: eventPayload(fields) })
const readSuppressions = async () => (await env.DB.prepare('SELECT * FROM mail_stops').all()).results

/** Sends an email of each kind to an address; returns the kinds that were sent. */
async function sendEachKind(to = RECIPIENT): Promise<string[]> {
  const sentKinds: string[] = []
  const dedupeSuffix = NOON + Math.random()
  const content = { subject: 's', text: 't', html: 'h' }
  for (const kind of KINDS)
    await enqueueEmail(env.DB, {
      to,
      email: { kind, ...content },
      dedupeKey: `${kind}:${dedupeSuffix}`,
      at: NOON,
    }).run()
  const { results } = await env.DB.prepare("SELECT id FROM outbox WHERE state = 'waiting'").all<{ id: string }>()
  const provider = async ({ kind }: { kind: string }) => {
    sentKinds.push(kind)
    return { kind: 'sent' as const, providerId: 'r1' }
  }
  const delivery = {
    db: openDb(env.DB),
    secret: env.SIGNING_SECRET,
    provider,
    from: { email: env.MAIL_FROM, name: 'A' },
    now: () => NOON,
  }
  await deliverEmails(
    delivery,
    results.map(({ id }) => id),
  )
  return sentKinds
}

test('sends nothing to a bounced address and stores the reason', async () => {
  expect(await sendEachKind()).toEqual(KINDS)
  expect((await postEvent({ bounce: { type: 'Permanent' } })).status).toBe(200)
  expect(await sendEachKind('FAN@mail.example')).toEqual([])
  expect(await sendEachKind('other@mail.example')).toEqual(KINDS)
  const stored = await env.DB.prepare(
    "SELECT DISTINCT state, last_error FROM outbox WHERE recipient LIKE 'FAN@%' AND state <> 'sent'",
  ).all()
  expect(stored.results).toEqual([{ state: 'failed', last_error: 'Not sent: this address bounced before.' }])
})

test('unsubscribes a complainant and sends only personal email', async () => {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at) VALUES ('1', '${RECIPIENT}', '${RECIPIENT}', 'confirmed', 'v', 0, 0)`,
    ),
    env.DB.prepare(
      `INSERT INTO show_alerts (id, entry, entry_key, email_key, confirmed_at, created_at) VALUES ('a', '${RECIPIENT}', '${RECIPIENT}', '${RECIPIENT}', 1, 0)`,
    ),
    env.DB.prepare(
      `INSERT INTO stock_alerts (id, email, email_key, variant_id, confirmed_at, created_at)
       SELECT 's', '${RECIPIENT}', '${RECIPIENT}', id, 1, 0 FROM product_variants LIMIT 1`,
    ),
  ])
  for (let n = 0; n < 3; n++) expect((await postEvent({ type: 'email.complained' })).status).toBe(200)
  expect(await readSuppressions()).toMatchObject([{ reason: 'complained' }])
  expect(JSON.stringify(await readSuppressions())).not.toContain('fan')
  expect(await env.DB.prepare('SELECT state FROM subscribers').first()).toEqual({ state: 'unsubscribed' })
  for (const table of ['show_alerts', 'stock_alerts'])
    expect((await env.DB.prepare(`SELECT 1 FROM ${table}`).all()).results).toEqual([])
  expect(await sendEachKind()).toEqual(['verify', 'reset'])
})

test('a bounce replaces a complaint in any order of events', async () => {
  for (const types of [
    ['email.complained', 'email.bounced'],
    ['email.bounced', 'email.complained', 'email.suppressed'],
  ]) {
    await env.DB.prepare('DELETE FROM mail_stops').run()
    for (const type of types) await postEvent({ type })
    expect(await readSuppressions()).toMatchObject([{ reason: 'bounced' }])
  }
})

test.each<[string, EventFields]>([
  ['a full mailbox', { bounce: { type: 'Transient' } }],
  ['a bounce of unknown cause', { bounce: { type: 'Undetermined' } }],
  ['a bounce that names no type', { bounce: {} }],
  ['an email that the provider could not send', { type: 'email.failed' }],
  ['a delivery', { type: 'email.delivered' }],
  ['another sender of the same account', { from: 'Another Artist <else@other.example>' }],
])('suppresses nothing for %s', async (_, fields) => {
  expect((await postEvent(fields)).status).toBe(200)
  expect(await readSuppressions()).toEqual([])
})

test.each([
  '{}',
  '[]',
  'null',
  '1',
  '{"type":null}',
  eventPayload({ to: 'x' as never }),
  eventPayload({ email_id: null as never }),
  eventPayload({ from: 7 as never }),
])('answers 400 to the signed but malformed event %s', async (payload) => {
  expect(await statusAndCodeOf(await postWebhook({ payload }))).toEqual([400, 'bad_input'])
  expect(await readSuppressions()).toEqual([])
})

test('rejects invalid, old and future signatures', async () => {
  const payload = eventPayload()
  const before = await snapshotRows(env.DB)
  const otherSecret = `whsec_${btoa('the secret of another account')}`
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)
  const requests: WebhookPost[] = [
    { payload, secret: otherSecret },
    { payload, when: minutesFromNow(-6) },
    { payload, when: minutesFromNow(6) },
    { payload, headers: { 'svix-signature': '' } },
    { payload, headers: { 'svix-id': 'msg_2' } },
    { payload, headers: { 'svix-signature': 'v1,AAAA' } },
    { payload, headers: { 'svix-signature': 'nonsense' } },
    { payload, headers: { 'svix-timestamp': 'now' } },
    { payload, bindings: { RESEND_WEBHOOK_SECRET: undefined } },
  ]
  for (const request of requests) expect(await errorOf(await postWebhook(request))).toEqual(NOT_SIGNED)
  const tampered = await postWebhook({
    payload,
    headers: { 'svix-signature': new Webhook(SECRET).sign('msg_1', new Date(), `${payload} `) },
  })
  expect(await errorOf(tampered)).toEqual(NOT_SIGNED)
  expect(await errorOf(await postWebhook({ payload: 'no JSON' }))).toEqual(NOT_SIGNED)
  expect(await snapshotRows(env.DB)).toEqual(before)
})

test('fails during an outage and succeeds on redelivery', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { DB } = spyOnD1(env.DB, {
    before: () => {
      throw new Error('D1 is down')
    },
  })
  expect((await postWebhook({ payload: eventPayload(), bindings: { DB } })).status).toBe(500)
  expect((await postEvent({})).status).toBe(200)
  expect(await readSuppressions()).toHaveLength(1)
})

test('lists bounces and suppressions and lifts a suppression', async () => {
  const cookie = await cookieHeaderFor('administrator')
  const requestAsAdmin = (method: string, path: string) =>
    send(method, `/api/admin/${path}`, undefined, { at: NOON, headers: { cookie } })
  await sendEachKind()
  await env.DB.prepare("UPDATE outbox SET provider_id = 'r2' WHERE kind = 'broadcast'").run()
  await postEvent({ email_id: 'r2' })
  await postEvent({ email_id: 'unknown', to: ['gone@mail.example'], type: 'email.suppressed' })
  const list = await (await requestAsAdmin('GET', 'mail-stops')).json<EmailSuppression[]>()
  const at = new Date(NOON).toISOString()
  expect(list.map(({ id: _, ...row }) => row).toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
    { to: 'f…@mail.example', reason: 'bounced', at },
    { to: null, reason: 'suppressed', at },
  ])
  const mails = await (await requestAsAdmin('GET', 'mail')).json<AdminEmail[]>()
  expect(mails.find(({ kind }) => kind === 'broadcast')).toMatchObject({
    state: 'sent',
    lastError: 'It bounced: there is no such mailbox.',
  })
  const id = list.find(({ reason }) => reason === 'bounced')?.id ?? ''
  expect([
    (await requestAsAdmin('POST', `mail-stops/${id}/lift`)).status,
    (await requestAsAdmin('POST', `mail-stops/${id}/lift`)).status,
  ]).toEqual([204, 404])
  expect(await sendEachKind()).toEqual(KINDS)
  const auditEntry = await env.DB.prepare(
    "SELECT count(*) AS n FROM audit_log WHERE action = 'mail.stop_lifted' AND subject = ?",
  )
    .bind(`mail-stop:${id}`)
    .first()
  expect(auditEntry).toEqual({ n: 1 })
})

test('ignores events older than the consent or a lifted suppression', async () => {
  const to = ['late@mail.example']
  const cookie = await cookieHeaderFor('administrator')
  const [before, after] = ['2026-07-01T15:00:00.000Z', '2026-07-01T15:40:00.000Z']
  await env.DB.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at) VALUES ('1', ?1, ?1, 'confirmed', 'v', ?2, ?2, 0)`,
  )
    .bind(to[0], Date.parse('2026-07-01T15:30:00Z'))
    .run()
  for (const type of ['email.bounced', 'email.complained']) await postEvent({ to, type, at: before })
  expect(await readSuppressions()).toEqual([])
  expect(await env.DB.prepare('SELECT state FROM subscribers').first()).toEqual({ state: 'confirmed' })
  await postEvent({ to, at: after })
  expect(await readSuppressions()).toMatchObject([{ created_at: Date.parse(after) }])
  const path = `/api/admin/mail-stops/${(await readSuppressions())[0]?.hash}/lift`
  expect((await send('POST', path, undefined, { at: NOON, headers: { cookie } })).status).toBe(204)
  await postEvent({ to, at: after })
  expect(await readSuppressions()).toEqual([])
})

test.each<[string, EventFields]>([
  ['It bounced: the mailbox did not accept it this time.', { bounce: { type: 'Transient' } }],
  ['The provider accepted it but could not send it.', { type: 'email.failed' }],
])('stores the error: %s', async (message, fields) => {
  const cookie = await cookieHeaderFor('administrator')
  await sendEachKind()
  await env.DB.prepare("UPDATE outbox SET provider_id = 'r2' WHERE kind = 'broadcast'").run()
  await postEvent({ ...fields, email_id: 'r2' })
  const response = await send('GET', `/api/admin/mail?q=${encodeURIComponent(message)}`, undefined, {
    at: NOON,
    headers: { cookie },
  })
  expect(await response.json<AdminEmail[]>()).toMatchObject([{ kind: 'broadcast', lastError: message }])
})

test('pages through suppressed addresses', async () => {
  const cookie = await cookieHeaderFor('administrator')
  await env.DB.prepare(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO mail_stops (hash, reason, created_at) SELECT 'h' || i, 'bounced', i / 2 FROM n",
  ).run()
  const asAdmin = { at: NOON, headers: { cookie } }
  const pages = await readPages<EmailSuppression>('/api/admin/mail-stops', asAdmin)
  const ids = pages.flat().map(({ id }) => id)
  expect([pages.length, ids.length, new Set(ids).size]).toEqual([2, 60, 60])
  expect((await send('GET', '/api/admin/mail-stops?cursor=nonsense', undefined, asAdmin)).status).toBe(400)
})

const subscribe = (browser: ReturnType<typeof newBrowser>) =>
  browser.send('POST', '/api/newsletter/subscribe', { email: RECIPIENT })

test('lifts a complaint only for the account’s own confirmed address', async () => {
  await addNamedUser('judy', { email: RECIPIENT, emailKey: RECIPIENT, emailVerifiedAt: 1 })
  await postEvent({ type: 'email.complained' })
  expect((await subscribe(newBrowser({ address: uniqueIp(), at: NOON }))).status).toBe(200)
  expect(await readSuppressions()).toHaveLength(1)
  await subscribe(await browserWithSession('judy', { at: NOON }))
  expect(await readSuppressions()).toEqual([])
  await postEvent({ type: 'email.bounced' })
  await subscribe(await browserWithSession('judy', { at: NOON }))
  expect(await readSuppressions()).toHaveLength(1)
})

test('lifts suppressions on confirmation', async () => {
  const browser = newBrowser({ address: uniqueIp(), at: NOON })
  await subscribe(browser)
  const token = await tokenFromEmail('newsletter_confirm', RECIPIENT)
  await postEvent({ type: 'email.bounced' })
  expect((await browser.send('POST', '/api/newsletter/confirm', { token })).status).toBe(200)
  expect(await readSuppressions()).toEqual([])
  expect((await emailsTo(RECIPIENT)).map(({ kind }) => kind)).toContain('newsletter_welcome')
})
