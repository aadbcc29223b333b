import type { PublicChallenge } from '../contract/challenge'
import { DAY_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { CHALLENGE_COLUMNS, type ChallengeRow, challengeNotFound, toSeal } from './find'
import { isAtLeast, MIN_FINALISTS, stateOf, timelineOf } from './states'

const IS_PUBLISHED = 'ballots_sha256 IS NOT NULL AND publish_at <= ?1'
/** One that never came to votes is left behind so long after its winner's day, */
const ABANDONED_AFTER_MS: Millis = 30 * DAY_MS
/** and stands behind every other from the day its voting would have ended. */
const NEVER_OPENED = `sealed_at IS NULL AND voting_closes_at <= ?1 AND (opens_by_hand
  OR (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) < ${MIN_FINALISTS})`

/** ?1 now. The one that is on, the soonest to be decided; else the last that was; else one that came to nothing. */
const CURRENT_SQL = `
  SELECT ${CHALLENGE_COLUMNS}, (SELECT time_zone FROM site) AS timeZone FROM challenges
  WHERE removed_at IS NULL AND ((${IS_PUBLISHED}) OR publish_at > ?1 - ${ABANDONED_AFTER_MS})
  ORDER BY (${NEVER_OPENED}), (${IS_PUBLISHED}), iif(${IS_PUBLISHED}, -publish_at, voting_closes_at), id LIMIT 1`

const BY_ID_SQL = `SELECT ${CHALLENGE_COLUMNS}, (SELECT time_zone FROM site) AS timeZone FROM challenges WHERE id = ?1 AND removed_at IS NULL`
/** ?1 now, ?2 the one they stand beside. */
const FINISHED_SQL = `
  SELECT id, title, winner_on AS date FROM challenges WHERE ${IS_PUBLISHED} AND removed_at IS NULL AND id <> ?2
  ORDER BY publish_at DESC, id DESC LIMIT ${limits.maxChallengesListed}`

type PublicChallengeRow = ChallengeRow & { timeZone: string | null }

/** The row of the challenge that is on, or else of the last one; null where there has been none. */
export const findCurrentRow = (db: D1Database, at: Millis): Promise<PublicChallengeRow | null> =>
  db.prepare(CURRENT_SQL).bind(at).first()

/** The row of one challenge; null where there is none of that name. */
export const findChallengeRow = (db: D1Database, id: string): Promise<PublicChallengeRow | null> =>
  db.prepare(BY_ID_SQL).bind(id).first()

type Finalist = { id: string; name: string; votes: number; hasAudio: number }

/** What everybody may know of the challenge that is on, or else of the last one; null where there has been none. */
export async function getCurrentChallenge(db: D1Database, at: Millis): Promise<PublicChallenge | null> {
  const row = await findCurrentRow(db, at)
  return row && toCurrentChallenge(db, row, at)
}

/** The same of one challenge, which keeps its address when the next one is on. @throws AppError `not_found`. */
export async function getChallenge(db: D1Database, id: string, at: Millis): Promise<PublicChallenge> {
  const row = await findChallengeRow(db, id)
  if (!row) throw challengeNotFound()
  return toCurrentChallenge(db, row, at)
}

/** The addresses of the challenges that are over, the latest first. */
export async function listChallengePaths(db: D1Database, at: Millis): Promise<string[]> {
  const { results } = await db.prepare(FINISHED_SQL).bind(at, '').all<{ id: string }>()
  return results.map(({ id }) => `/challenge/${encodeURIComponent(id)}`)
}

/** Who leads is not read before it is published. */
async function toCurrentChallenge(db: D1Database, row: PublicChallengeRow, at: Millis): Promise<PublicChallenge> {
  const state = stateOf(row, at)
  const showsFinalists = at >= row.finalistsAt && isAtLeast(state, 'finalists')
  const { results: finalists } = showsFinalists
    ? await db
        .prepare(
          `SELECT f.id, f.name, iif(?2, f.votes, 0) AS votes, v.audio_key IS NOT NULL AS hasAudio
           FROM challenge_finalists f LEFT JOIN verse_submissions v ON v.id = f.submission_id
           WHERE f.challenge_id = ?1 ORDER BY f.position`,
        )
        .bind(row.id, Number(state === 'published'))
        .all<Finalist>()
    : { results: [] }
  const { results: others } = await db.prepare(FINISHED_SQL).bind(at, row.id).all<PublicChallenge['others'][number]>()
  const toIso = (millis: Millis) => new Date(millis).toISOString()
  return {
    id: row.id,
    title: row.title,
    prize: row.prize,
    rules: row.rules,
    state,
    timeZone: row.timeZone ?? 'UTC',
    timeline: timelineOf(row),
    submissionsOpenAt: toIso(row.submissionsOpenAt),
    submissionsCloseAt: toIso(row.submissionsCloseAt),
    finalistsAt: toIso(row.finalistsAt),
    votingOpensAt: toIso(row.votingOpensAt),
    votingClosesAt: toIso(row.votingClosesAt),
    publishedAt: toIso(row.publishAt),
    finalists: finalists.map(({ id, name, hasAudio }) => ({
      id,
      name,
      audioUrl: hasAudio ? `/api/challenge/finalists/${id}/audio` : null,
    })),
    seal: toSeal(row),
    results: state === 'published' ? toResults(row, finalists) : null,
    others,
  }
}

function toResults(row: ChallengeRow, finalists: readonly Finalist[]): PublicChallenge['results'] {
  const counted = finalists.reduce((sum, { votes }) => sum + votes, 0)
  return {
    // Sorting keeps the artist's order among equals.
    finalists: finalists
      .toSorted((a, b) => b.votes - a.votes)
      .map(({ id, name, votes }) => ({ id, name, votes, percent: percentOf(votes, counted) })),
    counted,
    excluded: row.excludedCount ?? 0,
    tallyUrl: tallyUrl(row.id),
  }
}

export const tallyUrl = (id: string) => `/api/challenges/${id}/tally.csv`

/** Per cent with one decimal; 0 of nothing. */
export const percentOf = (votes: number, total: number) => (total === 0 ? 0 : Math.round((votes * 1000) / total) / 10)
