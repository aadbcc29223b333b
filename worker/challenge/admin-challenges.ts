import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { changeState, softDelete } from '../audit/crud'
import { isVersion, nextVersion, outdatedError, saveVersioned } from '../audit/save-versioned'
import {
  type AdminChallenge,
  CHALLENGE_DAYS,
  type ChallengeDay,
  type ChallengeDraft,
  toChallengeDraft,
} from '../contract/admin-challenge'
import type { ChallengeState, TallySeal } from '../contract/challenge'
import { artistTimeZone } from '../db/artist-calendar'
import { type Db, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { newId } from '../lib/crypto'
import { requireUploads } from '../uploads/uploads'
import { OPEN_NEW_ACCOUNT_FLAG } from './ballot-flags'
import { challenges } from './challenge.table'
import {
  challengeColumns,
  concurrentChangeError,
  isUnchanged,
  MIN_FINALISTS,
  type PhaseTimestamps,
  requireChallenge,
  startedDaysOf,
  stateOf,
  TIMESTAMP_OF_DAY,
  type TimestampName,
  timestampsOf,
  toSeal,
} from './challenge-state'
import { countBallots, finalizeStatement } from './finalize'
import { isRekeyed } from './pseudonyms'

/** All challenges, latest first. Finalists' votes are null until they are counted. */
export async function listAdminChallenges(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  at: Millis,
): Promise<AdminChallenge[]> {
  const rows = await db
    .select({
      ...challengeColumns,
      submissions: sql<number>`(SELECT count(*) FROM verse_submissions WHERE challenge_id = challenges.id)`,
      votes: sql<number>`(SELECT count(*) FROM challenge_ballots WHERE challenge_id = challenges.id)`,
      excluded: sql<number>`(SELECT count(*) FROM challenge_ballots
        WHERE challenge_id = challenges.id AND excluded_for IS NOT NULL)`,
      openFlags: sql<number>`(SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL)`,
      openNewAccounts: sql<number>`(SELECT count(*) FROM ballot_flags
        WHERE challenge_id = challenges.id AND ${sql.raw(OPEN_NEW_ACCOUNT_FLAG)})`,
      finalists: sql<string>`(SELECT json_group_array(json_object('id', id, 'name', name, 'submissionId', submission_id,
          'votes', iif(challenges.ballots_sha256 IS NULL, NULL, votes)))
        FROM (SELECT * FROM challenge_finalists WHERE challenge_id = challenges.id ORDER BY position))`,
    })
    .from(challenges)
    .where(isNull(challenges.removedAt))
    .orderBy(desc(challenges.publishAt), challenges.id)
  return Promise.all(
    rows.map(async (row) => {
      const state = stateOf(row, at)
      const { id, submissions, votes, excluded, openFlags, openNewAccounts } = row
      return {
        id,
        ...toChallengeDraft({ ...row, beat: row.beatKey }),
        version: row.version,
        state,
        opensByHand: state === 'finalists' && at >= row.votingOpensAt,
        fixed: startedDaysOf(row, at),
        submissions,
        finalists: JSON.parse(row.finalists),
        votes,
        excluded,
        openFlags,
        openNewAccounts,
        isRekeyed: await isRekeyed(secret, row),
        seal: toSeal(row),
      }
    }),
  )
}

/** Adds a challenge and returns its id. @throws AppError `bad_input` for days that cannot work or a missing beat. */
export async function addChallenge(
  db: Db,
  { beat, version: _, ...draft }: ChallengeDraft,
  { actorId, at }: Actor,
): Promise<string> {
  const id = newId('challenge')
  const timestamps = timestampsOf(draft, await artistTimeZone(db))
  if (timestamps.votingClosesAt <= at)
    throw new AppError('bad_input', 'Voting would already be over. Please check the dates.')
  assertVotingAfterSubmissions(timestamps)
  if (beat !== null) await requireUploads(db, 'audio', [beat])
  await db.$client.batch([
    prepare(db, db.insert(challenges).values({ id, ...draft, beatKey: beat, ...timestamps })),
    recordAudit(db, { actorId, action: 'challenge.added', subject: `challenge:${id}`, at }),
  ])
  return id
}

/**
 * Updates a challenge; days that have begun cannot change. The timestamp of an unchanged day is not recomputed,
 * because an administrator may have moved it.
 * @throws AppError `not_found`, `conflict`; `bad_input` for a past day, voting that opens too early or a missing beat.
 */
export async function updateChallenge(
  db: Db,
  { beat, version, ...draft }: ChallengeDraft,
  { id, actorId, at }: Actor & { id: string },
): Promise<void> {
  const row = await requireChallenge(db, id)
  if (version !== undefined && version !== row.version) throw outdatedError()
  const zone = await artistTimeZone(db)
  const startedDays = startedDaysOf(row, at)
  const movedDays = CHALLENGE_DAYS.filter((day) => draft[day] !== row[day])
  if (movedDays.some((day) => startedDays.includes(day)))
    throw new AppError('conflict', 'A stage that has begun cannot get another day. Please check again.')
  if (movedDays.some((day) => draft[day] < utcToZonedTime(at, zone).date))
    throw new AppError('bad_input', 'A stage cannot move to a day in the past.')
  if (at >= row.submissionsOpenAt && (draft.prize !== row.prize || draft.rules !== row.rules))
    throw new AppError('conflict', 'Submissions have opened, so the rules and the prize can no longer change.')
  const isBeatChanged = beat !== row.beatKey
  if (isBeatChanged && row.beatKey !== null && at >= row.submissionsOpenAt)
    throw new AppError('conflict', 'People record their verses over this beat, so it can no longer change.')
  if (row.sealedAt !== null && draft.title !== row.title)
    throw new AppError('conflict', 'The votes are final, so the title can no longer change.')
  if (row.sealedAt !== null && draft.winnerOn > row.winnerOn)
    throw new AppError('conflict', 'The votes are final, so the winner cannot be announced later than planned.')
  const draftTimestamps = timestampsOf(draft, zone)
  const movedTimestamps: Partial<PhaseTimestamps> = {}
  for (const day of movedDays) {
    const name = TIMESTAMP_OF_DAY[day]
    if (name) movedTimestamps[name] = draftTimestamps[name]
  }
  const timestamps = { ...row, ...movedTimestamps }
  if (movedDays.length > 0) assertVotingAfterSubmissions(timestamps)
  const changedTexts = (['title', 'prize', 'rules'] as const).filter((field) => draft[field] !== row[field])
  if (isBeatChanged && beat !== null) await requireUploads(db, 'audio', [beat])
  const update = db
    .update(challenges)
    .set({
      ...draft,
      beatKey: beat,
      version: nextVersion(challenges.version),
      ...movedTimestamps,
      // A later first day of voting opens voting automatically again.
      opensByHand: sql`opens_by_hand AND ${Number(timestamps.votingOpensAt <= at)}`,
    })
    .where(and(eq(challenges.id, id), isVersion(challenges.version, row.version), isUnchanged(row)))
  const detail = {
    ...Object.fromEntries([...changedTexts, ...movedDays].map((field) => [field, draft[field]])),
    ...(isBeatChanged && { beat }),
  }
  const audit = { actorId, action: 'challenge.changed', subject: `challenge:${id}`, detail, at }
  await saveVersioned(db, update, audit, { findError: concurrentChangeError })
}

/** Compares timestamps, because both days may be equal once an admin has ended submissions early. */
function assertVotingAfterSubmissions({ submissionsCloseAt, votingOpensAt }: PhaseTimestamps): void {
  if (votingOpensAt < submissionsCloseAt)
    throw new AppError('bad_input', 'Voting must begin after the last day of submissions.')
}

/** Removes a challenge without votes, submissions or a final result. @throws AppError `not_found`, `conflict`. */
export async function removeChallenge(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const [removed] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE challenges SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL AND sealed_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM challenge_ballots WHERE challenge_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE challenge_id = ?1) RETURNING id`,
      )
      .bind(id, at),
    recordAuditIfChanged(db, { actorId, action: 'challenge.removed', subject: `challenge:${id}`, at }),
  ])
  if (removed?.results.length === 1) return
  await requireChallenge(db, id)
  throw new AppError('conflict', 'This challenge has verses, votes or a final result, so it cannot be removed.')
}

/** @throws AppError `not_found`. */
export const restoreChallenge = (db: Db, id: string, actor: Actor): Promise<void> =>
  changeState(db, { noun: 'challenge', table: challenges }, softDelete(challenges.removedAt).restore, id, actor)

/**
 * Per state: the next one, and the timestamps and displayed days that are set to now when an administrator ends it
 * early. None moves to a later time, except the start of voting if voting waited for the administrator.
 */
const TRANSITIONS: Record<
  Exclude<ChallengeState, 'published'>,
  { next: ChallengeState; timestamps: TimestampName[]; days: ChallengeDay[] }
> = {
  announced: { next: 'submissions', timestamps: ['submissionsOpenAt'], days: ['submissionsFrom'] },
  submissions: { next: 'finalists', timestamps: ['submissionsCloseAt'], days: ['submissionsUntil'] },
  finalists: { next: 'voting', timestamps: ['finalistsAt', 'votingOpensAt'], days: ['finalistsOn', 'votingFrom'] },
  voting: { next: 'closed', timestamps: ['votingClosesAt'], days: ['votingUntil'] },
  closed: { next: 'published', timestamps: ['publishAt'], days: ['winnerOn'] },
}

/**
 * Moves a challenge from `from` to the next state now. Concurrent calls advance it one state. @throws AppError
 * `not_found`, `conflict` if it is not in `from` or not ready.
 */
export async function advanceState(
  db: Db,
  { id, from, actorId, at }: Actor & { id: string; from: ChallengeState },
): Promise<ChallengeState> {
  const row = await requireChallenge(db, id)
  if (stateOf(row, at) !== from) throw concurrentChangeError()
  if (from === 'published') throw new AppError('conflict', 'The result is public. There is no later stage.')
  if (from === 'finalists' && row.finalistCount < MIN_FINALISTS)
    throw new AppError('conflict', `Voting needs at least ${MIN_FINALISTS} finalists. Please name them first.`)
  if (from === 'finalists' && at >= row.votingClosesAt)
    throw new AppError('conflict', 'The voting days have passed. Please choose new ones first.')
  if (from === 'closed' && row.ballotsSha256 === null)
    throw new AppError('conflict', 'The votes have not been counted yet. Please finalize them first.')
  const { next, timestamps, days } = TRANSITIONS[from]
  const today = utcToZonedTime(at, await artistTimeZone(db)).date
  const toEntry = (name: TimestampName | ChallengeDay, value: Millis | string) => {
    const earlier = sql`min(${challenges[name]}, ${value})`
    // Voting that waited for an administrator begins now, not on its past day.
    return [name, name.startsWith('voting') ? sql`iif(opens_by_hand, ${value}, ${earlier})` : earlier]
  }
  const update = db
    .update(challenges)
    .set({
      ...Object.fromEntries([
        ...timestamps.map((name) => toEntry(name, at)),
        ...days.map((day) => toEntry(day, today)),
      ]),
      opensByHand: false,
    })
    .where(and(eq(challenges.id, id), isUnchanged(row)))
    .returning({ id: challenges.id })
  const [updated] = await db.$client.batch([
    prepare(db, update),
    recordAuditIfChanged(db, {
      actorId,
      action: 'challenge.moved_on',
      subject: `challenge:${id}`,
      detail: { from, to: next },
      at,
    }),
  ])
  if (!updated?.results.length) throw concurrentChangeError()
  return next
}

/**
 * Finalizes the votes of a closed challenge and counts them; idempotent. @throws AppError `not_found`, `conflict`
 * before voting has closed.
 */
export async function finalizeManually(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<TallySeal> {
  const state = stateOf(await requireChallenge(db, id), at)
  if (state !== 'closed' && state !== 'published')
    throw new AppError('conflict', 'Voting has not closed yet, so the votes cannot be finalized.')
  await db.$client.batch([
    finalizeStatement(db, id, at),
    recordAuditIfChanged(db, { actorId, action: 'challenge.sealed', subject: `challenge:${id}`, at }),
  ])
  await countBallots(db, id)
  const seal = toSeal(await requireChallenge(db, id))
  if (!seal) throw concurrentChangeError()
  return seal
}
