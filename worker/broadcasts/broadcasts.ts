import { eq, type SQL, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { outdatedError } from '../audit/save-versioned'
import type { Audience, Broadcast, BroadcastDetail, BroadcastDraft } from '../contract/broadcasts'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { SUBSCRIPTION_REASON } from '../email/link-tokens'
import { enqueueEmail, failWaitingEmails } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { readSiteName } from '../site/site'
import { countRecipients } from './audience'
import { broadcasts } from './broadcasts.table'
import { markdownToText, renderBroadcastEmail, renderMarkdown, withUnsubscribeUrl } from './emails'

type BroadcastDeps = Pick<Deps, 'db' | 'origin'>
type BroadcastAction = Actor & { id: string }
type BroadcastRow = typeof broadcasts.$inferSelect
type BroadcastState = BroadcastRow['state']

const broadcastNotFoundError = () => new AppError('not_found', 'That broadcast does not exist.')
const conflictError = () => new AppError('conflict', 'That broadcast has changed in the meantime. Please check again.')

/** @throws AppError `not_found`. */
export async function readBroadcast(db: Db, id: string): Promise<BroadcastDetail> {
  const [broadcast] = await withCounts(db, await db.select().from(broadcasts).where(eq(broadcasts.id, id)))
  if (!broadcast) throw broadcastNotFoundError()
  return broadcast
}

/** The broadcasts with their delivery counts and number of recipients. */
export async function withCounts(db: Db, rows: readonly BroadcastRow[]): Promise<BroadcastDetail[]> {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const stateCounts = await db.all<{ id: string; state: keyof Broadcast['counts']; n: number }>(
    sql`SELECT broadcast_id AS id, state, count(*) AS n FROM outbox
      WHERE broadcast_id IN (SELECT value FROM json_each(${ids})) GROUP BY broadcast_id, state`,
  )
  return Promise.all(
    rows.map(async ({ id, subject, markdown, audience: kind, audienceValue: value, state, ...row }) => {
      const counts = { waiting: 0, sent: 0, failed: 0, unknown: 0 }
      for (const count of stateCounts) if (count.id === id) counts[count.state] = count.n
      const emailCount = Object.values(counts).reduce((sum, count) => sum + count, 0)
      const isEnqueued = row.enqueuedAt !== null
      return {
        id,
        subject,
        markdown,
        audience: { kind, value },
        state,
        createdAt: toIso(row.createdAt),
        scheduledAt: toIso(row.scheduledAt),
        startedAt: toIso(row.startedAt),
        finishedAt: toIso(row.finishedAt),
        recipients: isEnqueued ? emailCount : Math.max(emailCount, await countRecipients(db, kind, row.audienceKey)),
        counts,
        version: row.version,
      }
    }),
  )
}

function audienceKeyOf(audience: Audience): string | null {
  if (audience.kind === 'all') return null
  return audience.kind === 'city' ? normalizeKey(audience.value) : audience.value
}

async function renderDraft({ db }: Pick<Deps, 'db'>, { subject, markdown }: BroadcastDraft) {
  const from = await readSiteName(db)
  const reason = SUBSCRIPTION_REASON.newsletter
  return renderBroadcastEmail({ subject, from, reason, text: markdownToText(markdown), html: renderMarkdown(markdown) })
}

/** Test emails and previews link to the unsubscribe page without a token. */
const unsubscribePageUrl = (origin: string) => `${origin}/newsletter/unsubscribe`

/** Renders a draft, and counts its recipients. */
export async function previewBroadcast(deps: BroadcastDeps, draft: BroadcastDraft) {
  const email = withUnsubscribeUrl(await renderDraft(deps, draft), unsubscribePageUrl(deps.origin))
  return { ...email, recipients: await countRecipients(deps.db, draft.audience.kind, audienceKeyOf(draft.audience)) }
}

export async function createBroadcast(
  deps: BroadcastDeps,
  draft: BroadcastDraft,
  { actorId, at }: Omit<BroadcastAction, 'id'>,
): Promise<{ id: string }> {
  const id = newId('bc')
  await deps.db.$client.batch([
    await upsertDraftStatement(deps, draft, { id, actorId, at }),
    recordAudit(deps.db, { actorId, action: 'broadcast.created', subject: `broadcast:${id}`, at }),
  ])
  return { id }
}

/** @throws AppError `not_found`; `conflict` unless the broadcast is a draft of this version. */
export async function updateBroadcast(
  deps: BroadcastDeps,
  draft: BroadcastDraft,
  action: BroadcastAction,
): Promise<void> {
  const { version } = await requireState(deps.db, action.id, ['draft'])
  if (version !== (draft.version ?? version)) throw outdatedError()
  await runAudited(deps.db, action, 'broadcast.changed', [await upsertDraftStatement(deps, draft, action)])
}

async function upsertDraftStatement(
  deps: BroadcastDeps,
  draft: BroadcastDraft,
  { id, actorId, at }: BroadcastAction,
): Promise<D1PreparedStatement> {
  const { subject, markdown, audience, version = null } = draft
  const { text, html } = await renderDraft(deps, draft)
  const value = audience.kind === 'all' ? null : audience.value
  return deps.db.$client
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, created_by, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
       ON CONFLICT (id) DO UPDATE SET subject = ?2, markdown = ?3, text = ?4, html = ?5, audience = ?6, audience_value = ?7,
         audience_key = ?8, origin = ?9, version = version + 1
         WHERE broadcasts.state = 'draft' AND broadcasts.version = coalesce(?12, broadcasts.version) RETURNING id`,
    )
    .bind(
      id,
      subject,
      markdown,
      text,
      html,
      audience.kind,
      value,
      audienceKeyOf(audience),
      deps.origin,
      actorId,
      at,
      version,
    )
}

/** @throws AppError `not_found`; `conflict` unless the broadcast is a draft. */
export async function deleteBroadcast({ db }: Pick<Deps, 'db'>, action: BroadcastAction): Promise<void> {
  await requireState(db, action.id, ['draft'])
  const isDraft = sql`id = ${action.id} AND state = 'draft'`
  await runAudited(db, action, 'broadcast.removed', [
    prepare(db, sql`DELETE FROM broadcasts WHERE ${isDraft} RETURNING id`),
  ])
}

/** Sends one test email to one address. @throws AppError `not_found`. */
export async function sendTestEmail(
  { db, origin }: BroadcastDeps,
  { id, actorId, at, to }: BroadcastAction & { to: string },
): Promise<void> {
  const [broadcast] = await db.select().from(broadcasts).where(eq(broadcasts.id, id))
  if (!broadcast) throw broadcastNotFoundError()
  const email = {
    kind: 'broadcast_test',
    subject: `[Test] ${broadcast.subject}`,
    ...withUnsubscribeUrl(broadcast, unsubscribePageUrl(origin)),
  }
  await db.$client.batch([
    enqueueEmail(db, { to, email, dedupeKey: `broadcast_test:${id}:${to}:${at}`, at }),
    recordAudit(db, { actorId, action: 'broadcast.tested', subject: `broadcast:${id}`, at }),
  ])
}

/**
 * Schedules a draft for the time `when`, or for now if that is null. A scheduled broadcast gets the new time.
 * @throws AppError `not_found`; `conflict` once sending has begun or for another version; `bad_input` for a past time
 * or an audience without recipients.
 */
export async function sendBroadcast(
  { db }: Pick<Deps, 'db'>,
  { when, version, ...action }: BroadcastAction & { when: Millis | null; version?: number | undefined },
): Promise<void> {
  const broadcast = await requireState(db, action.id, ['draft', 'scheduled'])
  if (broadcast.version !== (version ?? broadcast.version)) throw outdatedError()
  if (when !== null && when <= action.at)
    throw new AppError('bad_input', 'That time has passed. Please choose a later one.')
  if ((await countRecipients(db, broadcast.audience, broadcast.audienceKey)) === 0)
    throw new AppError('bad_input', 'This audience has no confirmed subscribers, so no one would get it.')
  await runAudited(db, action, when === null ? 'broadcast.sent' : 'broadcast.scheduled', [
    prepare(
      db,
      sql`UPDATE broadcasts SET state = 'scheduled', scheduled_at = ${when ?? action.at}
        WHERE id = ${action.id} AND state IN ('draft', 'scheduled') AND version = ${broadcast.version} RETURNING id`,
    ),
  ])
}

/** Makes a scheduled broadcast a draft again, or stops one being sent. @throws AppError `not_found`, `conflict`. */
export async function cancelBroadcast({ db }: Pick<Deps, 'db'>, action: BroadcastAction): Promise<void> {
  const { state } = await requireState(db, action.id, ['scheduled', 'sending'])
  if (state === 'scheduled')
    return runAudited(db, action, 'broadcast.unscheduled', [
      updateInState(db, action.id, 'scheduled', sql`state = 'draft', scheduled_at = NULL`),
    ])
  await runAudited(db, action, 'broadcast.cancelled', [
    updateInState(db, action.id, 'sending', sql`state = 'cancelled', finished_at = ${action.at}`),
    failWaitingEmails(db, sql`broadcast_id = ${action.id}`, 'The broadcast was canceled.'),
  ])
}

const updateInState = (db: Db, id: string, state: BroadcastState, changes: SQL) =>
  prepare(db, sql`UPDATE broadcasts SET ${changes} WHERE id = ${id} AND state = ${state} RETURNING id`)

/** Runs the statements with an audit entry. @throws AppError `conflict` if the first one changes no row. */
async function runAudited(
  db: Db,
  { id, actorId, at }: BroadcastAction,
  auditAction: string,
  [change, ...others]: [D1PreparedStatement, ...D1PreparedStatement[]],
): Promise<void> {
  const audit = recordAuditIfChanged(db, { actorId, action: auditAction, subject: `broadcast:${id}`, at })
  const [changed] = await db.$client.batch([change, audit, ...others])
  if (changed?.results.length !== 1) throw conflictError()
}

async function requireState(db: Db, id: string, states: readonly BroadcastState[]): Promise<BroadcastRow> {
  const [broadcast] = await db.select().from(broadcasts).where(eq(broadcasts.id, id))
  if (!broadcast) throw broadcastNotFoundError()
  if (!states.includes(broadcast.state)) throw conflictError()
  return broadcast
}
