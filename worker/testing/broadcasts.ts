import { env } from 'cloudflare:test'
import { sendBroadcastBatch } from '../broadcasts/send'
import type { Broadcast } from '../contract/broadcasts'
import { openDb } from '../db/client'
import type { DeliveryDeps } from '../email/deliver'
import type { OutgoingEmail, SendResult } from '../email/providers'
import { send } from './client'
import { NOON, seedSite } from './seed'
import { cookieHeaderFor } from './users'

export const BROADCAST_SECRET = 'x'.repeat(40)
export const BROADCAST_DRAFT = { subject: 'New drop', markdown: 'It is **here**.', audience: { kind: 'all' } }

let cookie = ''
export async function setUpBroadcasts() {
  await seedSite(env.DB)
  for (const table of ['broadcasts', 'outbox', 'subscribers', 'suppressions', 'show_alerts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  cookie = await cookieHeaderFor('administrator')
}

export const adminRequest = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, `/api/admin/${path}`, json, { at, headers: { cookie } })
export async function createDraft(changes: object = {}): Promise<string> {
  return (
    (await (await adminRequest('POST', 'broadcasts', { ...BROADCAST_DRAFT, ...changes })).json()) as { id: string }
  ).id
}
export const getBroadcast = async (id: string) => (await adminRequest('GET', `broadcasts/${id}`)).json<Broadcast>()

/** Adds subscribers with the addresses `<prefix>1@mail.example` to `<prefix><count>@mail.example`. */
export async function addSubscribers(count: number, options: { city?: string; state?: string; prefix?: string } = {}) {
  const { city = null, state = 'confirmed', prefix = 'fan' } = options
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO subscribers (id, email, email_key, state, city, city_key, consent_version, consent_at, confirmed_at, created_at)
     SELECT ?2 || i, ?2 || i || '@mail.example', ?2 || i || '@mail.example', ?3, ?4, lower(?4), 'v', 0, 0, 0 FROM n`,
  )
    .bind(count, prefix, state, city)
    .run()
}

/** A provider that records in `sent` the emails it accepts; `resultOf` decides the result of each. */
export function fakeEmailProvider(
  resultOf: (mail: OutgoingEmail) => SendResult = () => ({ kind: 'sent', providerId: 'p' }),
) {
  const sent: OutgoingEmail[] = []
  const provider = async (mail: OutgoingEmail) => {
    const result = resultOf(mail)
    if (result.kind === 'sent') sent.push(mail)
    return result
  }
  const recipients = () => sent.map(({ to }) => to).toSorted()
  return { provider, sent, recipients }
}
export const deliveryDeps = (provider: DeliveryDeps['provider'], { at = NOON, db = env.DB } = {}) => ({
  db: openDb(db),
  provider,
  from: { email: 'hello@fan.example', name: 'Any Artist' },
  secret: BROADCAST_SECRET,
  now: () => at,
})

/** Sends batches until none is due at `at`. Returns when the next one is due, null if the broadcast is finished. */
export async function sendAll(id: string, provider: DeliveryDeps['provider'], at = NOON) {
  for (let batch = 0; batch < 100; batch++) {
    const next = await sendBroadcastBatch(deliveryDeps(provider, { at }), id)
    if (!next || next.resumeAt > at) return next
  }
  throw new Error('The broadcast is not finished after 100 batches.')
}
