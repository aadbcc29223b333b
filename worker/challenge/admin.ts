import { changeState, softDelete } from '../admin/crud'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { type AdminChallenge, CHALLENGE_DAYS, type ChallengeDraft } from '../contract/admin-challenge'
import type { ChallengeState, TallySeal } from '../contract/challenge'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { newId } from '../lib/crypto'
import { site } from '../site/site.table'
import { OPEN_NEW_ACCOUNT_FLAG } from './ballot-flags'
import { challenges } from './challenge.table'
import {
  CHALLENGE_COLUMNS,
  type ChallengeRow,
  concurrentChange,
  MIN_FINALISTS,
  PHASE_VERSION_SQL,
  phaseVersion,
  requireChallenge,
  startedDays,
  stateOf,
  TIMESTAMP_OF_DAY,
  TIMESTAMPS,
  type Timestamps,
  timestampsOf,
  toSeal,
} from './challenge-state'
import { countBallots, finalizeStatement } from './finalize'
import { isRekeyed } from './pseudonyms'

type Actor = { actorId: number; at: Millis }
type AdminChallengeRow = ChallengeRow & {
  submissions: number
  votes: number
  excluded: number
  openFlags: number
  openNewAccounts: number
  finalists: string
}

/** All challenges, latest first. Vote counts are null until the votes are final. */
export async function listAdminChallenges(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  at: Millis,
): Promise<AdminChallenge[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT ${CHALLENGE_COLUMNS},
         (SELECT count(*) FROM verse_submissions WHERE challenge_id = challenges.id) AS submissions,
         (SELECT count(*) FROM challenge_ballots WHERE challenge_id = challenges.id) AS votes,
         (SELECT count(*) FROM challenge_ballots
           WHERE challenge_id = challenges.id AND excluded_for IS NOT NULL) AS excluded,
         (SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL) AS openFlags,
         (SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND ${OPEN_NEW_ACCOUNT_FLAG}) AS openNewAccounts,
         (SELECT json_group_array(json_object('id', id, 'name', name, 'submissionId', submission_id,
             'votes', iif(challenges.ballots_sha256 IS NULL, NULL, votes)))
           FROM (SELECT * FROM challenge_finalists WHERE challenge_id = challenges.id ORDER BY position)) AS finalists
       FROM challenges WHERE removed_at IS NULL ORDER BY publish_at DESC, id`,
    )
    .all<AdminChallengeRow>()
  const rekeyed = await Promise.all(results.map((row) => isRekeyed(secret, row)))
  return results.map((row, i) => ({
    id: row.id,
    ...toDraft(row),
    state: stateOf(row, at),
    opensByHand: stateOf(row, at) === 'finalists' && at >= row.votingOpensAt,
    fixed: startedDays(row, at),
    submissions: row.submissions,
    finalists: JSON.parse(row.finalists),
    votes: row.votes,
    excluded: row.excluded,
    openFlags: row.openFlags,
    openNewAccounts: row.openNewAccounts,
    isRekeyed: rekeyed[i] ?? false,
    seal: toSeal(row),
  }))
}

const toDraft = (row: ChallengeRow): ChallengeDraft => ({
  title: row.title,
  prize: row.prize,
  rules: row.rules,
  submissionsFrom: row.submissionsFrom,
  submissionsUntil: row.submissionsUntil,
  finalistsOn: row.finalistsOn,
  votingFrom: row.votingFrom,
  votingUntil: row.votingUntil,
  winnerOn: row.winnerOn,
  closedOn: row.closedOn,
})

const TEXT_FIELDS = ['title', 'prize', 'rules'] as const
const COLUMNS = `title, prize, rules, ${CHALLENGE_DAYS.map(columnName).join(', ')}, ${TIMESTAMPS.map(columnName).join(', ')}`
const draftValues = (draft: ChallengeDraft, instants: Timestamps) => [
  draft.title,
  draft.prize,
  draft.rules,
  ...CHALLENGE_DAYS.map((day) => draft[day]),
  ...TIMESTAMPS.map((instant) => instants[instant]),
]
const placeholders = (count: number, from: number) => Array.from({ length: count }, (_, i) => `?${from + i}`).join(', ')

const getTimeZone = async (db: Db) => (await db.select({ zone: site.timeZone }).from(site).get())?.zone ?? 'UTC'

/** Announces a challenge and returns its id. @throws AppError 'bad_input' if its voting period is over. */
export async function addChallenge(db: Db, draft: ChallengeDraft, { actorId, at }: Actor): Promise<string> {
  const id = newId('challenge')
  const instants = timestampsOf(draft, await getTimeZone(db))
  if (instants.votingClosesAt <= at)
    throw new AppError('bad_input', 'Voting would be over already. Please look at the days.')
  assertVotingAfterSubmissions(instants)
  const values = draftValues(draft, instants)
  await db.$client.batch([
    db.$client
      .prepare(`INSERT INTO challenges (id, ${COLUMNS}) VALUES (?1, ${placeholders(values.length, 2)})`)
      .bind(id, ...values),
    recordAudit(db.$client, { actorId, action: 'challenge.added', subject: `challenge:${id}`, at }),
  ])
  return id
}

/**
 * Updates the days that have not begun. An unchanged day keeps its timestamp, which an administrator may have moved.
 * @throws AppError 'not_found', 'conflict', 'bad_input' for a past day.
 */
export async function updateChallenge(
  db: Db,
  draft: ChallengeDraft,
  { id, actorId, at }: Actor & { id: string },
): Promise<void> {
  const row = await requireChallenge(db, id)
  const zone = await getTimeZone(db)
  const fixed = startedDays(row, at)
  const moved = CHALLENGE_DAYS.filter((day) => draft[day] !== row[day])
  if (moved.some((day) => fixed.includes(day)))
    throw new AppError('conflict', 'A stage that has begun keeps its day. Please look again.')
  if (moved.some((day) => draft[day] < utcToZonedTime(at, zone).date))
    throw new AppError('bad_input', 'A stage cannot be moved to a day that is over.')
  if (at >= row.submissionsOpenAt && (draft.prize !== row.prize || draft.rules !== row.rules))
    throw new AppError('conflict', 'Verses are being taken: the rules and the prize stay as their senders read them.')
  if (row.sealedAt !== null && draft.title !== row.title)
    throw new AppError('conflict', 'The votes are fixed: the title stays as it stands in the result.')
  if (row.sealedAt !== null && draft.winnerOn > row.winnerOn)
    throw new AppError('conflict', 'The votes are fixed: the winner is told on the day that was said, or before.')
  const newTimestamps = timestampsOf(draft, zone)
  const instants = { ...row }
  for (const day of moved) {
    const instant = TIMESTAMP_OF_DAY[day]
    if (instant) instants[instant] = newTimestamps[instant]
  }
  if (moved.length > 0) assertVotingAfterSubmissions(instants)
  const values = draftValues(draft, instants)
  const set = COLUMNS.split(', ').map((column, i) => `${column} = ?${i + 3}`)
  const [changed] = await db.$client.batch([
    db.$client
      .prepare(
        // A later first day of voting opens voting automatically again.
        `UPDATE challenges SET ${set.join(', ')}, opens_by_hand = opens_by_hand AND ?${set.length + 3}
         WHERE id = ?1 AND ${PHASE_VERSION_SQL} = ?2 RETURNING id`,
      )
      .bind(id, phaseVersion(row), ...values, Number(instants.votingOpensAt <= at)),
    recordAuditIfChanged(db.$client, {
      actorId,
      action: 'challenge.changed',
      subject: `challenge:${id}`,
      detail: Object.fromEntries(
        [...TEXT_FIELDS.filter((word) => draft[word] !== row[word]), ...moved].map((what) => [what, draft[what]]),
      ),
      at,
    }),
  ])
  if (!changed?.results.length) throw concurrentChange()
}

/** Both days may be the same date. */
function assertVotingAfterSubmissions({ submissionsCloseAt, votingOpensAt }: Timestamps): void {
  if (votingOpensAt < submissionsCloseAt)
    throw new AppError('bad_input', 'Voting begins after the last day of submissions.')
}

/** Removes a challenge without votes or submissions. @throws AppError 'not_found', 'conflict'. */
export async function removeChallenge(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const [removed] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE challenges SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL AND sealed_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM challenge_ballots WHERE challenge_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM verse_submissions WHERE challenge_id = ?1) RETURNING id`,
      )
      .bind(id, at),
    recordAuditIfChanged(db.$client, { actorId, action: 'challenge.removed', subject: `challenge:${id}`, at }),
  ])
  if (removed?.results.length === 1) return
  await requireChallenge(db, id)
  throw new AppError('conflict', 'People have taken part in this challenge: its record stays.')
}

/** @throws AppError `not_found`. */
export const restoreChallenge = (db: Db, id: string, actor: Actor): Promise<void> =>
  changeState(db, { noun: 'challenge', table: challenges }, softDelete(challenges.removedAt).restore, id, actor)

function columnName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Timestamps and displayed days that move to now when an administrator ends a state early. They never move back. */
const TRANSITIONS: Record<
  Exclude<ChallengeState, 'published'>,
  { next: ChallengeState; instants: string[]; days: string[] }
> = {
  announced: { next: 'submissions', instants: ['submissions_open_at'], days: ['submissions_from'] },
  submissions: { next: 'finalists', instants: ['submissions_close_at'], days: ['submissions_until'] },
  finalists: { next: 'voting', instants: ['finalists_at', 'voting_opens_at'], days: ['finalists_on', 'voting_from'] },
  voting: { next: 'closed', instants: ['voting_closes_at'], days: ['voting_until'] },
  closed: { next: 'published', instants: ['publish_at'], days: ['winner_on'] },
}

/**
 * Moves a challenge from `from` to the next state now. Concurrent calls advance it one state. @throws AppError
 * 'not_found', 'conflict' if it is not in `from` or not ready.
 */
export async function advancePhase(
  db: Db,
  { id, from, actorId, at }: Actor & { id: string; from: ChallengeState },
): Promise<ChallengeState> {
  const row = await requireChallenge(db, id)
  if (stateOf(row, at) !== from) throw concurrentChange()
  if (from === 'published') throw new AppError('conflict', 'The result is public: nothing comes after it.')
  if (from === 'finalists' && row.named < MIN_FINALISTS)
    throw new AppError('conflict', `Voting needs at least ${MIN_FINALISTS} finalists. Please name them first.`)
  if (from === 'finalists' && at >= row.votingClosesAt)
    throw new AppError('conflict', 'The days for voting are over. Please choose new ones first.')
  if (from === 'closed' && row.ballotsSha256 === null)
    throw new AppError('conflict', 'The votes have not been counted yet. Please fix them first.')
  const { next, instants, days } = TRANSITIONS[from]
  const today = utcToZonedTime(at, await getTimeZone(db)).date
  // A vote held open for the administrator begins now, not on the past day.
  const nextValue = (column: string, value: string) =>
    column.startsWith('voting_') ? `iif(opens_by_hand, ${value}, min(${column}, ${value}))` : `min(${column}, ${value})`
  const set = [
    ...instants.map((column) => `${column} = ${nextValue(column, '?3')}`),
    ...days.map((column) => `${column} = ${nextValue(column, '?4')}`),
    'opens_by_hand = 0',
  ]
  const [updated] = await db.$client.batch([
    db.$client
      .prepare(`UPDATE challenges SET ${set.join(', ')} WHERE id = ?1 AND ${PHASE_VERSION_SQL} = ?2 RETURNING id`)
      .bind(id, phaseVersion(row), at, today),
    recordAuditIfChanged(db.$client, {
      actorId,
      action: 'challenge.moved_on',
      subject: `challenge:${id}`,
      detail: { from, to: next },
      at,
    }),
  ])
  if (!updated?.results.length) throw concurrentChange()
  return next
}

/**
 * Finalizes the votes of a closed challenge and counts them; idempotent. @throws AppError 'not_found', 'conflict'
 * before voting has closed.
 */
export async function finalizeManually(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<TallySeal> {
  const state = stateOf(await requireChallenge(db, id), at)
  if (state !== 'closed' && state !== 'published')
    throw new AppError('conflict', 'Voting has not closed yet: the votes cannot be fixed.')
  await db.$client.batch([
    finalizeStatement(db, id, at),
    recordAuditIfChanged(db.$client, { actorId, action: 'challenge.sealed', subject: `challenge:${id}`, at }),
  ])
  await countBallots(db, id)
  const seal = toSeal(await requireChallenge(db, id))
  if (!seal) throw concurrentChange()
  return seal
}
