import { env } from 'cloudflare:test'
import { sendStretch } from '../broadcasts/send'
import type { Broadcast } from '../contract/broadcasts'
import type { Delivery } from '../mail/deliver'
import type { Mail, Outcome } from '../mail/provider'
import { send } from './client'
import { furnish } from './furnish'
import { cookiesOf } from './roles'

export const NOW = Date.parse('2026-07-01T16:00:00Z')
export const SECRET = 'x'.repeat(40)
export const DRAFT = { subject: 'New drop', markdown: 'It is **here**.', audience: { kind: 'all' } }

let cookie = ''
/** An empty house, and an administrator at its desk. */
export async function openDesk() {
  await furnish(env.DB)
  for (const table of ['broadcasts', 'outbox', 'subscribers', 'suppressions', 'show_alerts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  cookie = await cookiesOf('administrator')
}

export const ask = (method: string, path: string, json?: unknown, at = NOW) =>
  send(method, `/api/admin/broadcast${path}`, json, { at, headers: { cookie } })
export async function draft(more: object = {}): Promise<string> {
  return ((await (await ask('POST', 's', { ...DRAFT, ...more })).json()) as { id: string }).id
}
export const one = async (id: string) => (await ask('GET', `s/${id}`)).json<Broadcast>()

export async function readers(count: number, row: { city?: string; state?: string; prefix?: string } = {}) {
  const { city = null, state = 'confirmed', prefix = 'fan' } = row
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO subscribers (id, email, email_key, state, city, city_key, consent_version, consent_at, confirmed_at, created_at)
     SELECT ?2 || i, ?2 || i || '@mail.example', ?2 || i || '@mail.example', ?3, ?4, lower(?4), 'v', 0, 0, 0 FROM n`,
  )
    .bind(count, prefix, state, city)
    .run()
}

/** A provider that keeps what it took, and answers as told. */
export function postman(answer: (mail: Mail) => Outcome = () => ({ kind: 'sent', providerId: 'p' })) {
  const taken: Mail[] = []
  const provider = async (mail: Mail) => {
    const outcome = answer(mail)
    if (outcome.kind === 'sent') taken.push(mail)
    return outcome
  }
  const to = () => taken.map((mail) => mail.to).toSorted()
  return { provider, taken, to }
}
export const delivery = (provider: Delivery['provider'], { at = NOW, db = env.DB } = {}) => ({
  db,
  provider,
  from: { email: 'hello@fan.example', name: 'Any Artist' },
  secret: SECRET,
  now: () => at,
})

/** Stretch after stretch until nothing is left to do at this instant. */
export async function sendAll(id: string, provider: Delivery['provider'], at = NOW) {
  for (let n = 0; n < 100; n++) {
    const next = await sendStretch(delivery(provider, { at }), id)
    if (!next || next.again > at) return next
  }
  throw new Error('It never ends.')
}
