import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import type { AdminEmail, DemoEmail } from '../contract/email'
import { send } from '../testing/client'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { enqueueEmail } from './outbox'

let cookie = ''
beforeEach(async () => {
  await seedSite(env.DB)
  for (const table of ['outbox', 'broadcasts', 'subscribers']) await env.DB.prepare(`DELETE FROM ${table}`).run()
  cookie = await cookieHeaderFor('administrator')
})

const queue = { sendBatch: async () => undefined, send: async () => undefined } as never
const request = (method: string, path: string) =>
  send(method, `/api/admin/mail${path}`, undefined, {
    at: NOON,
    headers: { cookie },
    env: { MAIL: queue, BROADCASTS: queue },
  })

async function addEmail(id: string, row: Record<string, string | number | null> = {}) {
  await enqueueEmail(env.DB, {
    to: `${id}@mail.example`,
    email: { kind: 'verify', subject: `About ${id}`, text: 't', html: '<html><head></head>h</html>' },
    dedupeKey: id,
    at: NOON,
  }).run()
  const columns = { id, ...row }
  await env.DB.prepare(`UPDATE outbox SET ${Object.keys(columns).map((name) => `${name} = ?`)} WHERE dedupe_key = ?`)
    .bind(...Object.values(columns), id)
    .run()
}
const stateOf = async (id: string) =>
  (await env.DB.prepare('SELECT state FROM outbox WHERE id = ?').bind(id).first<{ state: string }>())?.state

test('lists emails page by page with masked addresses', async () => {
  for (let n = 0; n < 60; n++) await addEmail(`m${n}`, { created_at: NOON + n })
  await addEmail('lost', { state: 'unknown', last_error: 'No answer.', created_at: NOON + 99 })
  const firstResponse = await request('GET', '')
  const firstPage = await firstResponse.json<AdminEmail[]>()
  expect(firstPage[0]).toMatchObject({
    id: 'lost',
    to: 'l…@mail.example',
    state: 'unknown',
    lastError: 'No answer.',
    dueAt: null,
  })
  expect(JSON.stringify(firstPage)).not.toContain('lost@')
  const next = /<([^>]+)>; rel="next"/.exec(firstResponse.headers.get('link') ?? '')?.[1] ?? ''
  const secondPage = await (await request('GET', next.replace('/api/admin/mail', ''))).json<AdminEmail[]>()
  expect([
    firstPage.length,
    secondPage.length,
    new Set([...firstPage, ...secondPage].map(({ id }) => id)).size,
  ]).toEqual([50, 11, 61])
  for (const q of ['UNKNOWN', 'Lost@mail.example', 'about lost', 'no answer'])
    expect(
      (await (await request('GET', `?q=${encodeURIComponent(q)}`)).json<AdminEmail[]>()).map(({ id }) => id),
    ).toEqual(['lost'])
  expect(await (await request('GET', '/counts')).json()).toEqual({ waiting: 60, sent: 0, failed: 0, unknown: 1 })
  expect((await request('GET', '?cursor=nonsense')).status).toBe(400)
})

test('resends failed and unknown emails only, with audit entries', async () => {
  for (const state of ['waiting', 'sent', 'failed', 'unknown']) await addEmail(state, { state, attempts: 12 })
  const statuses: number[] = []
  for (const id of ['waiting', 'sent', 'failed', 'unknown', 'none'])
    statuses.push((await request('POST', `/${id}/resend`)).status)
  expect(statuses).toEqual([409, 409, 204, 204, 404])
  expect([await stateOf('sent'), await stateOf('failed'), await stateOf('unknown')]).toEqual([
    'sent',
    'waiting',
    'waiting',
  ])
  expect(await (await request('POST', '/failed/reveal')).json()).toEqual({ to: 'failed@mail.example' })
  const entries = await env.DB.prepare('SELECT action, subject, detail FROM audit_log ORDER BY id DESC LIMIT 3').all()
  expect(entries.results.map((row) => Object.values(row))).toEqual([
    ['mail.revealed', 'mail:failed', '{}'],
    ['mail.resent', 'mail:unknown', '{"was":"unknown"}'],
    ['mail.resent', 'mail:failed', '{"was":"failed"}'],
  ])
})

test('resends failed emails except unsubscribed or canceled ones', async () => {
  await env.DB.prepare(
    `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, origin, state, created_at)
     VALUES ('b', 's', '', 't', 'h', 'all', 'o', 'done', 0), ('stopped', 's', '', 't', 'h', 'all', 'o', 'cancelled', 0)`,
  ).run()
  await env.DB.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at) VALUES
     ('1', 'stays@mail.example', 'stays@mail.example', 'confirmed', 'v', 0, 0),
     ('2', 'left@mail.example', 'left@mail.example', 'unsubscribed', 'v', 0, 0),
     ('3', 'halted@mail.example', 'halted@mail.example', 'confirmed', 'v', 0, 0)`,
  ).run()
  await addEmail('plain', { state: 'failed' })
  await addEmail('unclear', { state: 'unknown' })
  await addEmail('stays', { state: 'failed', broadcast_id: 'b' })
  await addEmail('left', { state: 'failed', broadcast_id: 'b' })
  await addEmail('halted', { state: 'failed', broadcast_id: 'stopped' })
  expect(await (await request('POST', '/resend-failed')).json()).toEqual({ mails: 2 })
  const states = await Promise.all(['plain', 'unclear', 'stays', 'left', 'halted'].map(stateOf))
  expect(states).toEqual(['waiting', 'unknown', 'waiting', 'failed', 'failed'])
  expect((await request('POST', '/left/resend')).status).toBe(409)
  expect(await env.DB.prepare("SELECT state FROM broadcasts WHERE id = 'b'").first()).toEqual({ state: 'sending' })
})

test('resends list email only to recipients still on that list', async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM show_alerts'),
    env.DB.prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_key, origin, state, created_at)
       VALUES ('news', 's', '', 't', 'h', 'all', NULL, 'o', 'done', 0), ('show', 's', '', 't', 'h', 'alerts', 'tampa', 'o', 'done', 0)`,
    ),
    ...['news-on-newsletter', 'show-on-newsletter', 'welcome-on-newsletter'].map((name) =>
      env.DB.prepare(
        "INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at) VALUES (?1, ?1 || '@mail.example', ?1 || '@mail.example', 'confirmed', 'v', 0, 0)",
      ).bind(name),
    ),
    ...['news-on-alerts', 'show-on-alerts', 'welcome-on-alerts'].map((name) =>
      env.DB.prepare(
        "INSERT INTO show_alerts (id, entry, entry_key, email_key, confirmed_at, created_at) VALUES (?1, ?1 || '@mail.example', ?1, ?1 || '@mail.example', 1, 0)",
      ).bind(name),
    ),
  ])
  for (const list of ['on-newsletter', 'on-alerts']) {
    await addEmail(`news-${list}`, { state: 'failed', broadcast_id: 'news' })
    await addEmail(`show-${list}`, { state: 'failed', broadcast_id: 'show', kind: 'show_alert' })
    await addEmail(`welcome-${list}`, { state: 'failed', kind: 'newsletter_welcome' })
  }
  expect(await (await request('POST', '/resend-failed')).json()).toEqual({ mails: 3 })
  const { results } = await env.DB.prepare("SELECT id FROM outbox WHERE state = 'waiting' ORDER BY id").all()
  expect(results.map(({ id }) => id)).toEqual(['news-on-newsletter', 'show-on-alerts', 'welcome-on-newsletter'])
})

test('shows emails in a sandboxed frame, in the demo only', async () => {
  await addEmail('m1')
  const demo = { env: { SITE_MODE: 'demo' } }
  const [latest] = await (await send('GET', '/api/demo/outbox', undefined, demo)).json<DemoEmail[]>()
  expect(latest).toMatchObject({ id: 'm1', to: 'm1@mail.example', state: 'waiting', kind: 'verify' })
  const page = await send('GET', '/api/demo/mail/m1', undefined, demo)
  expect(await page.text()).toContain('<base target="_top">')
  const csp = page.headers.get('content-security-policy') ?? ''
  expect([
    page.headers.get('x-frame-options'),
    /default-src 'none'/.test(csp),
    /script-src|allow-scripts/.test(csp),
  ]).toEqual(['SAMEORIGIN', true, false])
  expect(csp).toContain("frame-ancestors 'self'; base-uri 'none'; sandbox")
  for (const path of ['/api/demo/outbox', '/api/demo/mail/m1']) expect((await send('GET', path)).status).toBe(404)
  expect((await send('GET', '/api/demo/mail/none', undefined, demo)).status).toBe(404)
})
