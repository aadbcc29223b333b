import { recorded, recordedIfChanged } from '../audit/audit'
import type { Audience, BroadcastDraft } from '../contract/broadcasts'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { broadcastLetter, WAY_OUT } from '../mail/broadcast-letter'
import { GIVEN_UP, posted } from '../mail/outbox'
import { type House, nameOfSite } from '../newsletter/newsletter'
import { WHY } from '../newsletter/way-out'
import { audienceSize } from './audience'
import { rendered } from './markdown'

type Act = { id: string; actorId: number; at: Millis }

const unknownBroadcast = () => new Refused('not_found', 'That broadcast does not exist.')

const keyOf = (audience: Audience) =>
  audience.kind === 'all' ? null : audience.kind === 'city' ? fold(audience.value) : audience.value

/** The draft on the house's paper, with a mark where each reader's way out will stand. */
async function written({ db }: House, { subject, markdown }: BroadcastDraft) {
  const words = { subject, from: await nameOfSite(db.$client), why: WHY.newsletter, text: markdown }
  return broadcastLetter({ ...words, html: rendered(markdown) })
}

/** A draft as its readers would get it, and how many they are. */
export async function preview(house: House, draft: BroadcastDraft) {
  const { html, text } = await written(house, draft)
  const own = (part: string) => part.replaceAll(WAY_OUT, `${house.origin}/newsletter/unsubscribe`)
  const recipients = await audienceSize(house.db.$client, draft.audience.kind, keyOf(draft.audience))
  return { html: own(html), text: own(text), recipients }
}

/** Keeps a new draft. */
export async function createBroadcast(
  house: House,
  draft: BroadcastDraft,
  { actorId, at }: Omit<Act, 'id'>,
): Promise<{ id: string }> {
  const d1 = house.db.$client
  const id = newId('bc')
  await d1.batch([
    put(d1, id, draft, await written(house, draft), { origin: house.origin, actorId, at }),
    recorded(d1, { actorId, action: 'broadcast.created', subject: `broadcast:${id}`, at }),
  ])
  return { id }
}

function put(
  d1: D1Database,
  id: string,
  { subject, markdown, audience }: BroadcastDraft,
  { text, html }: { text: string; html: string },
  { origin, actorId, at }: { origin: string; actorId: number; at: Millis },
) {
  const value = audience.kind === 'all' ? null : audience.value
  return d1
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, created_by, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
       ON CONFLICT (id) DO UPDATE SET subject = ?2, markdown = ?3, text = ?4, html = ?5, audience = ?6, audience_value = ?7,
         audience_key = ?8, origin = ?9 WHERE broadcasts.state = 'draft' RETURNING id`,
    )
    .bind(id, subject, markdown, text, html, audience.kind, value, keyOf(audience), origin, actorId, at)
}

/** @throws Refused `not_found`; `conflict` for one that is not a draft any more. */
export async function changeBroadcast(house: House, draft: BroadcastDraft, act: Act): Promise<void> {
  const d1 = house.db.$client
  await mustBe(d1, act.id, ['draft'])
  await changed(
    d1,
    act,
    'broadcast.changed',
    put(d1, act.id, draft, await written(house, draft), { origin: house.origin, ...act }),
  )
}

/** Removes a draft. @throws as above. */
export async function removeBroadcast({ db }: House, act: Act): Promise<void> {
  const d1 = db.$client
  await mustBe(d1, act.id, ['draft'])
  await changed(
    d1,
    act,
    'broadcast.removed',
    d1.prepare("DELETE FROM broadcasts WHERE id = ?1 AND state = 'draft' RETURNING id").bind(act.id),
  )
}

/** One copy to one address. @throws Refused `not_found`. */
export async function testBroadcast({ db, origin }: House, act: Act & { to: string }): Promise<void> {
  const d1 = db.$client
  const row = await d1
    .prepare('SELECT subject, text, html FROM broadcasts WHERE id = ?1')
    .bind(act.id)
    .first<{ subject: string; text: string; html: string }>()
  if (!row) throw unknownBroadcast()
  const own = (part: string) => part.replaceAll(WAY_OUT, `${origin}/newsletter/unsubscribe`)
  const letter = { kind: 'broadcast_test', subject: `[Test] ${row.subject}`, text: own(row.text), html: own(row.html) }
  await d1.batch([
    posted(d1, { to: act.to, letter, dedupeKey: `broadcast_test:${act.id}:${act.to}:${act.at}`, at: act.at }),
    recorded(d1, { ...act, action: 'broadcast.tested', subject: `broadcast:${act.id}` }),
  ])
}

/**
 * Sends a draft, now or at `when`. @throws Refused `not_found`; `conflict` for one that was sent or is on its way;
 * `bad_input` for an instant that is over, or an audience without a reader.
 */
export async function sendBroadcast({ db }: House, act: Act & { when: Millis | null }): Promise<void> {
  const d1 = db.$client
  const { audience, key } = await mustBe(d1, act.id, ['draft', 'scheduled'])
  if (act.when !== null && act.when <= act.at)
    throw new Refused('bad_input', 'That moment is over. Please choose one to come.')
  if ((await audienceSize(d1, audience, key)) === 0)
    throw new Refused('bad_input', 'Nobody would get it: this audience has no confirmed reader.')
  const action = act.when === null ? 'broadcast.sent' : 'broadcast.scheduled'
  await changed(
    d1,
    act,
    action,
    d1
      .prepare(
        "UPDATE broadcasts SET state = 'scheduled', scheduled_at = ?2 WHERE id = ?1 AND state IN ('draft', 'scheduled') RETURNING id",
      )
      .bind(act.id, act.when ?? act.at),
  )
}

/** A scheduled one is a draft again; one under way stops where it is. @throws Refused `not_found`, `conflict`. */
export async function cancelBroadcast({ db }: House, act: Act): Promise<void> {
  const d1 = db.$client
  const { state } = await mustBe(d1, act.id, ['scheduled', 'sending'])
  if (state === 'scheduled')
    return changed(
      d1,
      act,
      'broadcast.unscheduled',
      d1
        .prepare(
          "UPDATE broadcasts SET state = 'draft', scheduled_at = NULL WHERE id = ?1 AND state = 'scheduled' RETURNING id",
        )
        .bind(act.id),
    )
  await changed(
    d1,
    act,
    'broadcast.cancelled',
    d1
      .prepare(
        "UPDATE broadcasts SET state = 'cancelled', finished_at = ?2 WHERE id = ?1 AND state = 'sending' RETURNING id",
      )
      .bind(act.id, act.at),
    [
      d1
        .prepare(
          `UPDATE outbox SET state = ${GIVEN_UP}, last_error = 'The broadcast was cancelled.'
           WHERE broadcast_id = ?1 AND state = 'waiting' AND claimed_at IS NULL`,
        )
        .bind(act.id),
    ],
  )
}

/** Performs an act and writes it down; when it returns no row, somebody else was first. */
async function changed(
  d1: D1Database,
  { id, actorId, at }: Act,
  action: string,
  act: D1PreparedStatement,
  after: D1PreparedStatement[] = [],
): Promise<void> {
  const audit = recordedIfChanged(d1, { actorId, action, subject: `broadcast:${id}`, at })
  const results = await d1.batch([act, audit, ...after])
  if (results[0]?.results.length !== 1) throw conflict()
}

const conflict = () => new Refused('conflict', 'That broadcast has moved on meanwhile. Please look again.')

async function mustBe(d1: D1Database, id: string, states: readonly string[]) {
  const row = await d1
    .prepare('SELECT state, audience, audience_key AS key FROM broadcasts WHERE id = ?1')
    .bind(id)
    .first<{ state: string; audience: Audience['kind']; key: string | null }>()
  if (!row) throw unknownBroadcast()
  if (!states.includes(row.state)) throw conflict()
  return row
}
