import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sendBroadcastBatch } from '../broadcasts/send'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { send } from '../testing/client'
import { CONCERT_DRAFT } from '../testing/drafts'
import { db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { addAlert, addEmailAlert, announcementId } from './show-alerts'

const DEPS = { db, secret: env.SIGNING_SECRET, origin: 'https://fan.example' }
let cookie = ''

beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

beforeEach(async () => {
  for (const table of ['show_alerts', 'outbox', 'broadcasts']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const adminRequest = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/concerts${path}`, body, { at, headers: { cookie } })
const addShow = async (city: string) =>
  (await (await adminRequest('POST', '', { ...CONCERT_DRAFT, city })).json<{ id: string }>()).id

/** Adds a confirmed alert for shows in one city, or in all if `city` is null. */
async function addConfirmedAlert(name: string, city: string | null = null) {
  const email = `${name}@mail.example`
  if (city === null) await addAlert(DEPS, { entry: email, network: '192.0.2.0/24', at: NOON })
  else await addEmailAlert(DEPS, { userId: null, network: '192.0.2.0/24', email, city, at: NOON })
  await env.DB.prepare('UPDATE show_alerts SET confirmed_at = ?1 WHERE email_key = ?2').bind(NOON, email).run()
}

/** Sends a show's announcement; returns the names of its recipients. */
async function sendAnnouncement(show: string, at = NOON): Promise<string[]> {
  const recipients: string[] = []
  const provider = async (mail: { to: string }) => {
    recipients.push(mail.to.replace('@mail.example', ''))
    return { kind: 'sent' as const, providerId: 'p' }
  }
  const from = { email: 'a@fan.example', name: 'A' }
  const delivery = { db, secret: env.SIGNING_SECRET, provider, from, now: () => at }
  await sendBroadcastBatch(delivery, announcementId({ id: show }))
  return recipients.toSorted()
}

test.each<[string, string[]]>([
  ['Tampa', ['all', 'tampa', 'tampa-fl']],
  ['Tampa, FL', ['all', 'tampa', 'tampa-fl']],
  ['TAMPA ,  fl', ['all', 'tampa', 'tampa-fl']],
  ['Tampa Bay', ['all', 'tampa-bay']],
  ['Portland, ME', ['all']],
  ['Portland, OR', ['all', 'portland']],
  [', FL', ['all']],
])('announces a show in %s to matching alerts only', async (city, recipients) => {
  await addConfirmedAlert('all')
  await addConfirmedAlert('tampa', 'Tampa')
  await addConfirmedAlert('tampa-fl', 'Tampa,FL')
  await addConfirmedAlert('tampa-bay', 'Tampa Bay')
  await addConfirmedAlert('portland', 'Portland, OR')
  expect(await sendAnnouncement(await addShow(city))).toEqual(recipients)
})

test('an announcement has the door price in the site’s currency', async () => {
  await env.DB.prepare("UPDATE site SET currency = 'EUR'").run()
  const id = announcementId({ id: await addShow('Tampa') })
  await env.DB.prepare("UPDATE site SET currency = 'USD'").run()
  expect(await env.DB.prepare('SELECT text FROM broadcasts WHERE id = ?').bind(id).first('text')).toMatch(/€\d+\.\d\d/)
})

test('announces a restored show once and a removed one never', async () => {
  await addConfirmedAlert('all')
  const show = await addShow('Tampa')
  expect((await adminRequest('DELETE', `/${show}`)).status).toBe(204)
  expect(await sendAnnouncement(show, NOON + HOUR_MS)).toEqual([])
  expect((await adminRequest('POST', `/${show}/restore`)).status).toBe(204)
  expect(await sendAnnouncement(show, NOON + HOUR_MS)).toEqual(['all'])
  await adminRequest('DELETE', `/${show}`)
  await adminRequest('POST', `/${show}/restore`)
  expect(await sendAnnouncement(show, NOON + 2 * HOUR_MS)).toEqual([])
})

test('marks unclaimed emails as failed when the show is removed', async () => {
  const show = await addShow('Tampa')
  const other = await addShow('Ocala')
  const insertEmail = (id: string, showId: string, claimedAt: number | null, inDoubt = 0) =>
    env.DB.prepare(
      `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, claimed_at, in_doubt, created_at)
       VALUES (?1, ?1, 'show_alert', 'x@mail.example', 's', '', '', ?2, ?3, ?4, 0)`,
    ).bind(id, announcementId({ id: showId }), claimedAt, inDoubt)
  await env.DB.batch([
    env.DB.prepare("UPDATE broadcasts SET state = 'sending', started_at = 1"),
    insertEmail('unclaimed', show, null),
    insertEmail('in doubt', show, null, 1),
    insertEmail('claimed', show, NOON),
    insertEmail('other show', other, null),
  ])
  await adminRequest('DELETE', `/${show}`)
  const rows = await env.DB.prepare('SELECT id, state, last_error AS error FROM outbox ORDER BY id').all()
  expect(rows.results).toEqual([
    { id: 'claimed', state: 'waiting', error: null },
    { id: 'in doubt', state: 'failed', error: 'The show was removed from the calendar.' },
    { id: 'other show', state: 'waiting', error: null },
    { id: 'unclaimed', state: 'failed', error: 'The show was removed from the calendar.' },
  ])
  expect(await sendAnnouncement(show, NOON + MINUTE_MS)).toEqual([])
})

test('does not announce a past show on restore', async () => {
  await addConfirmedAlert('all')
  const show = await addShow('Tampa')
  await adminRequest('DELETE', `/${show}`)
  const later = NOON + 1000 * HOUR_MS
  await adminRequest('POST', `/${show}/restore`, undefined, later)
  expect(await sendAnnouncement(show, later)).toEqual([])
})
