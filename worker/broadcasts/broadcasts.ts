import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import type { Audience, BroadcastDraft } from '../contract/broadcasts'
import { enqueueEmail, FAILED_STATE } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { type NewsletterDeps, readSiteName } from '../newsletter/newsletter'
import { UNSUBSCRIBE_REASON } from '../newsletter/unsubscribe-links'
import { countRecipients } from './audience'
import { renderBroadcastEmail, UNSUBSCRIBE_PLACEHOLDER } from './emails'
import { renderMarkdown } from './markdown'

type BroadcastAction = { id: string; actorId: number; at: Millis }

const broadcastNotFound = () => new AppError('not_found', 'That broadcast does not exist.')

const audienceKey = (audience: Audience) =>
  audience.kind === 'all' ? null : audience.kind === 'city' ? normalizeKey(audience.value) : audience.value

/** The draft on the house's paper, with a mark where each reader's way out will stand. */
async function renderDraft({ db }: NewsletterDeps, { subject, markdown }: BroadcastDraft) {
  const content = { subject, from: await readSiteName(db.$client), why: UNSUBSCRIBE_REASON.newsletter, text: markdown }
  return renderBroadcastEmail({ ...content, html: renderMarkdown(markdown) })
}

/** A draft as its readers would get it, and how many they are. */
export async function previewBroadcast(deps: NewsletterDeps, draft: BroadcastDraft) {
  const { html, text } = await renderDraft(deps, draft)
  const personalize = (part: string) =>
    part.replaceAll(UNSUBSCRIBE_PLACEHOLDER, `${deps.origin}/newsletter/unsubscribe`)
  const recipients = await countRecipients(deps.db.$client, draft.audience.kind, audienceKey(draft.audience))
  return { html: personalize(html), text: personalize(text), recipients }
}

/** Keeps a new draft. */
export async function createBroadcast(
  deps: NewsletterDeps,
  draft: BroadcastDraft,
  { actorId, at }: Omit<BroadcastAction, 'id'>,
): Promise<{ id: string }> {
  const d1 = deps.db.$client
  const id = newId('bc')
  await d1.batch([
    upsertDraft(d1, id, draft, await renderDraft(deps, draft), { origin: deps.origin, actorId, at }),
    recordAudit(d1, { actorId, action: 'broadcast.created', subject: `broadcast:${id}`, at }),
  ])
  return { id }
}

function upsertDraft(
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
    .bind(id, subject, markdown, text, html, audience.kind, value, audienceKey(audience), origin, actorId, at)
}

/** @throws AppError `not_found`; `conflict` for one that is not a draft any more. */
export async function updateBroadcast(
  deps: NewsletterDeps,
  draft: BroadcastDraft,
  act: BroadcastAction,
): Promise<void> {
  const d1 = deps.db.$client
  await requireState(d1, act.id, ['draft'])
  await runAudited(
    d1,
    act,
    'broadcast.changed',
    upsertDraft(d1, act.id, draft, await renderDraft(deps, draft), { origin: deps.origin, ...act }),
  )
}

/** Removes a draft. @throws as above. */
export async function deleteBroadcast({ db }: NewsletterDeps, act: BroadcastAction): Promise<void> {
  const d1 = db.$client
  await requireState(d1, act.id, ['draft'])
  await runAudited(
    d1,
    act,
    'broadcast.removed',
    d1.prepare("DELETE FROM broadcasts WHERE id = ?1 AND state = 'draft' RETURNING id").bind(act.id),
  )
}

/** One copy to one address. @throws AppError `not_found`. */
export async function sendTestEmail(
  { db, origin }: NewsletterDeps,
  act: BroadcastAction & { to: string },
): Promise<void> {
  const d1 = db.$client
  const row = await d1
    .prepare('SELECT subject, text, html FROM broadcasts WHERE id = ?1')
    .bind(act.id)
    .first<{ subject: string; text: string; html: string }>()
  if (!row) throw broadcastNotFound()
  const personalize = (part: string) => part.replaceAll(UNSUBSCRIBE_PLACEHOLDER, `${origin}/newsletter/unsubscribe`)
  const email = {
    kind: 'broadcast_test',
    subject: `[Test] ${row.subject}`,
    text: personalize(row.text),
    html: personalize(row.html),
  }
  await d1.batch([
    enqueueEmail(d1, {
      to: act.to,
      email,
      dedupeKey: `broadcast_test:${act.id}:${act.to}:${act.at}`,
      at: act.at,
    }),
    recordAudit(d1, { ...act, action: 'broadcast.tested', subject: `broadcast:${act.id}` }),
  ])
}

/**
 * Sends a draft, now or at `when`. @throws AppError `not_found`; `conflict` for one that was sent or is on its way;
 * `bad_input` for an instant that is over, or an audience without a reader.
 */
export async function sendBroadcast(
  { db }: NewsletterDeps,
  act: BroadcastAction & { when: Millis | null },
): Promise<void> {
  const d1 = db.$client
  const { audience, key } = await requireState(d1, act.id, ['draft', 'scheduled'])
  if (act.when !== null && act.when <= act.at)
    throw new AppError('bad_input', 'That moment is over. Please choose one to come.')
  if ((await countRecipients(d1, audience, key)) === 0)
    throw new AppError('bad_input', 'Nobody would get it: this audience has no confirmed reader.')
  const action = act.when === null ? 'broadcast.sent' : 'broadcast.scheduled'
  await runAudited(
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

/** A scheduled one is a draft again; one under way stops where it is. @throws AppError `not_found`, `conflict`. */
export async function cancelBroadcast({ db }: NewsletterDeps, act: BroadcastAction): Promise<void> {
  const d1 = db.$client
  const { state } = await requireState(d1, act.id, ['scheduled', 'sending'])
  if (state === 'scheduled')
    return runAudited(
      d1,
      act,
      'broadcast.unscheduled',
      d1
        .prepare(
          "UPDATE broadcasts SET state = 'draft', scheduled_at = NULL WHERE id = ?1 AND state = 'scheduled' RETURNING id",
        )
        .bind(act.id),
    )
  await runAudited(
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
          `UPDATE outbox SET state = ${FAILED_STATE}, last_error = 'The broadcast was cancelled.'
           WHERE broadcast_id = ?1 AND state = 'waiting' AND claimed_at IS NULL`,
        )
        .bind(act.id),
    ],
  )
}

/** Performs an act and writes it down; when it returns no row, somebody else was first. */
async function runAudited(
  d1: D1Database,
  { id, actorId, at }: BroadcastAction,
  action: string,
  act: D1PreparedStatement,
  after: D1PreparedStatement[] = [],
): Promise<void> {
  const audit = recordAuditIfChanged(d1, { actorId, action, subject: `broadcast:${id}`, at })
  const results = await d1.batch([act, audit, ...after])
  if (results[0]?.results.length !== 1) throw conflictError()
}

const conflictError = () => new AppError('conflict', 'That broadcast has moved on meanwhile. Please look again.')

async function requireState(d1: D1Database, id: string, states: readonly string[]) {
  const row = await d1
    .prepare('SELECT state, audience, audience_key AS key FROM broadcasts WHERE id = ?1')
    .bind(id)
    .first<{ state: string; audience: Audience['kind']; key: string | null }>()
  if (!row) throw broadcastNotFound()
  if (!states.includes(row.state)) throw conflictError()
  return row
}
