import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sendBroadcastBatch } from '../broadcasts/send'
import { HOUR_MS, MINUTE_MS } from '../lib/clock'
import { send } from '../testing/client'
import { CONCERT } from '../testing/drafts'
import { db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { addAlert, addCityAlert, announcementId } from './show-alerts'

const HOUSE = { db, secret: env.SIGNING_SECRET, origin: 'https://fan.example' }
let cookie = ''

beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

beforeEach(async () => {
  for (const table of ['show_alerts', 'outbox', 'broadcasts']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const desk = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/concerts${path}`, body, { at, headers: { cookie } })
const added = async (city: string) => (await (await desk('POST', '', { ...CONCERT, city })).json<{ id: string }>()).id

/** Somebody who is told of shows: of all, or of those in a city. */
async function listener(name: string, city: string | null = null) {
  const email = `${name}@mail.example`
  if (city === null) await addAlert(HOUSE, { entry: email, at: NOON })
  else await addCityAlert(HOUSE, { userId: null, email, city, at: NOON })
  await env.DB.prepare('UPDATE show_alerts SET confirmed_at = ?1 WHERE email_key = ?2').bind(NOON, email).run()
}

/** Whom the announcement of a show reaches when it is sent. */
async function told(show: string, at = NOON): Promise<string[]> {
  const to: string[] = []
  const provider = async (mail: { to: string }) => {
    to.push(mail.to.replace('@mail.example', ''))
    return { kind: 'sent' as const, providerId: 'p' }
  }
  const from = { email: 'a@fan.example', name: 'A' }
  const delivery = { db, secret: env.SIGNING_SECRET, provider, from, now: () => at }
  await sendBroadcastBatch(delivery, announcementId({ id: show }))
  return to.toSorted()
}

test.each<[string, string[]]>([
  ['Tampa', ['all', 'tampa', 'tampa-fl']],
  ['Tampa, FL', ['all', 'tampa', 'tampa-fl']],
  ['TAMPA ,  fl', ['all', 'tampa', 'tampa-fl']],
  ['Tampa Bay', ['all', 'tampa-bay']],
  ['Portland, ME', ['all']],
  ['Portland, OR', ['all', 'portland']],
  [', FL', ['all']],
])('a show in %s is told to who asked for that city, with or without its state, and to no other', async (city, who) => {
  await listener('all')
  await listener('tampa', 'Tampa')
  await listener('tampa-fl', 'Tampa,FL')
  await listener('tampa-bay', 'Tampa Bay')
  await listener('portland', 'Portland, OR')
  expect(await told(await added(city))).toEqual(who)
})

test('a show that is removed is told to nobody, and one put back before anybody was told is told once', async () => {
  await listener('all')
  const show = await added('Tampa')
  expect((await desk('DELETE', `/${show}`)).status).toBe(204)
  expect(await told(show, NOON + HOUR_MS)).toEqual([])
  expect((await desk('POST', `/${show}/restore`)).status).toBe(204)
  expect(await told(show, NOON + HOUR_MS)).toEqual(['all'])
  await desk('DELETE', `/${show}`)
  await desk('POST', `/${show}/restore`)
  expect(await told(show, NOON + 2 * HOUR_MS)).toEqual([])
})

test('a show that is removed half-way is told to nobody whose mail no sender has in hand', async () => {
  const show = await added('Tampa')
  const other = await added('Ocala')
  const copy = (id: string, of: string, claimedAt: number | null) =>
    env.DB.prepare(
      `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, claimed_at, created_at)
       VALUES (?1, ?1, 'show_alert', 'x@mail.example', 's', '', '', ?2, ?3, 0)`,
    ).bind(id, announcementId({ id: of }), claimedAt)
  await env.DB.batch([
    env.DB.prepare("UPDATE broadcasts SET state = 'sending', started_at = 1"),
    copy('waits', show, null),
    copy('in hand', show, NOON),
    copy('of another show', other, null),
  ])
  await desk('DELETE', `/${show}`)
  const rows = await env.DB.prepare('SELECT id, state, last_error AS why FROM outbox ORDER BY id').all()
  expect(rows.results).toEqual([
    { id: 'in hand', state: 'waiting', why: null },
    { id: 'of another show', state: 'waiting', why: null },
    { id: 'waits', state: 'failed', why: 'The show was taken off the calendar.' },
  ])
  expect(await told(show, NOON + MINUTE_MS)).toEqual([])
})

test('a show that is over when it is put back is told to nobody', async () => {
  await listener('all')
  const show = await added('Tampa')
  await desk('DELETE', `/${show}`)
  const later = NOON + 1000 * HOUR_MS
  await desk('POST', `/${show}/restore`, undefined, later)
  expect(await told(show, later)).toEqual([])
})
