import { eq } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { outdatedError, saveVersioned } from '../audit/save-versioned'
import type { OfficialPollDraft } from '../contract/admin-polls'
import { dayInZone } from '../db/artist-calendar'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { site } from '../site/site.table'
import { INSERT_OPTIONS, pollNotFoundError } from './polls'
import { polls } from './polls.table'

/** The parameter of INSERT_OPTIONS. */
const optionsJson = (draft: OfficialPollDraft) => JSON.stringify(draft.options.map((title) => [newId('option'), title]))

/** Adds an official poll (one by the artist), which earns no points. Returns its id. @throws AppError `bad_input`. */
export async function addOfficialPoll(db: Db, draft: OfficialPollDraft, { actorId, at }: Actor): Promise<string> {
  const d1 = db.$client
  const id = newId('poll')
  const endsAt = await pollEnd(db, draft, at)
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO polls (id, title, description, created_by, official, created_at, ends_at)
         VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6)`,
      )
      .bind(id, draft.title, draft.description, actorId, at, endsAt),
    recordAuditIfChanged(db, { actorId, action: 'poll.added', subject: `poll:${id}`, at }),
    d1.prepare(INSERT_OPTIONS).bind(id, optionsJson(draft)),
  ])
  return id
}

const HAS_NO_VOTES = 'NOT EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?1)'
/** SQL condition: title and options are unchanged, as they must be once votes were cast. */
const QUESTION_UNCHANGED = `title = ?2 AND (SELECT json_group_array(title) FROM
  (SELECT title FROM poll_options WHERE poll_id = ?1 ORDER BY position)) = ?3`
/** ?1 poll, ?2 title, ?3 options as JSON, ?4 now, ?7 the version that the edit is based on, or null. */
const IS_EDITABLE = `id = ?1 AND official = 1 AND ends_at > ?4 AND version = coalesce(?7, version)
  AND (${HAS_NO_VOTES} OR ${QUESTION_UNCHANGED})`

/**
 * Updates an open official poll. Title and options cannot change once votes were cast.
 * @throws AppError `not_found`; `bad_input` for a past day; `conflict`, also for an outdated version.
 */
export async function updateOfficialPoll(
  db: Db,
  draft: OfficialPollDraft,
  { pollId, actorId, at }: Actor & { pollId: string },
): Promise<void> {
  const d1 = db.$client
  const endsAt = await pollEnd(db, draft, at)
  const params = [pollId, draft.title, JSON.stringify(draft.options), at]
  const update = d1
    .prepare(`UPDATE polls SET title = ?2, description = ?5, ends_at = ?6, version = version + 1 WHERE ${IS_EDITABLE}`)
    .bind(...params, draft.description, endsAt, draft.version ?? null)
  const audit = { actorId, action: 'poll.changed', subject: `poll:${pollId}`, at }
  const optionStatements = [
    d1.prepare(`DELETE FROM poll_options WHERE poll_id = ?1 AND ${HAS_NO_VOTES}`).bind(pollId),
    d1.prepare(INSERT_OPTIONS).bind(pollId, optionsJson(draft)),
  ]
  await saveVersioned(db, update, audit, {
    statements: optionStatements,
    findError: () => rejectedChangeError(db, pollId, draft, at),
  })
}

/** The error that says why the poll was not updated. */
async function rejectedChangeError(
  db: Db,
  pollId: string,
  { version }: OfficialPollDraft,
  at: Millis,
): Promise<AppError> {
  const [poll] = await db
    .select({ official: polls.official, endsAt: polls.endsAt, version: polls.version })
    .from(polls)
    .where(eq(polls.id, pollId))
  if (!poll) return pollNotFoundError()
  if (version !== undefined && version !== poll.version) return outdatedError()
  if (!poll.official)
    return new AppError('conflict', 'A supporter made this poll, so you can close or hide it, but not edit it.')
  if (poll.endsAt <= at) return new AppError('conflict', 'This poll is over and can’t change.')
  return new AppError('conflict', 'People have voted, so the title and the options can’t change.')
}

/** End of the draft's last day in the artist's time zone. @throws AppError `bad_input` if it has passed. */
async function pollEnd(db: Db, { lastDay }: OfficialPollDraft, at: Millis): Promise<Millis> {
  const zone = (await db.select({ zone: site.timeZone }).from(site).get())?.zone ?? 'UTC'
  const { endsAt } = dayInZone(zone, zonedTimeToUtc(lastDay, '12:00', zone))
  if (endsAt <= at) throw new AppError('bad_input', 'The last day has already passed.')
  return endsAt
}

type Moderation = Actor & { pollId: string }

/** Ends a poll now. @throws AppError `not_found`. */
export const closePoll = (db: Db, moderation: Moderation): Promise<void> =>
  moderatePoll(db, 'poll.closed', 'UPDATE polls SET ends_at = ?2 WHERE id = ?1 AND ends_at > ?2', moderation)

/** Hides a poll from the site. @throws AppError `not_found`. */
export const hidePoll = (db: Db, moderation: Moderation): Promise<void> =>
  moderatePoll(db, 'poll.hidden', 'UPDATE polls SET hidden_at = ?2 WHERE id = ?1 AND hidden_at IS NULL', moderation)

/** Shows a hidden poll again. `?2 > 0` is always true: D1 rejects unused values. @throws AppError `not_found`. */
export const showPoll = (db: Db, moderation: Moderation): Promise<void> =>
  moderatePoll(
    db,
    'poll.shown',
    'UPDATE polls SET hidden_at = NULL WHERE id = ?1 AND hidden_at IS NOT NULL AND ?2 > 0',
    moderation,
  )

/** Runs `change`, with ?1 the poll's id and ?2 now. Repeating it changes nothing and writes no second audit entry. */
async function moderatePoll(
  db: Db,
  action: string,
  change: string,
  { pollId, actorId, at }: Moderation,
): Promise<void> {
  const d1 = db.$client
  const [, , poll] = await d1.batch([
    d1.prepare(change).bind(pollId, at),
    recordAuditIfChanged(db, { actorId, action, subject: `poll:${pollId}`, at }),
    d1.prepare('SELECT id FROM polls WHERE id = ?1').bind(pollId),
  ])
  if (poll?.results.length !== 1) throw pollNotFoundError()
}
