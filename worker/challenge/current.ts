import type { CurrentChallenge } from '../contract/challenge-now'
import { DAY, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { ROW, type Row, sealOf, unknownChallenge } from './known'
import { FEWEST_FINALISTS, isAtLeast, stateOf, timelineOf } from './states'

const OVER = 'ballots_sha256 IS NOT NULL AND publish_at <= ?1'
/** One that never came to votes is left behind so long after its winner's day, */
const GIVEN_UP: Millis = 30 * DAY
/** and stands behind every other from the day its voting would have ended. */
const STRANDED = `sealed_at IS NULL AND voting_closes_at <= ?1 AND (opens_by_hand
  OR (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) < ${FEWEST_FINALISTS})`

/** ?1 now. The one that is on, the soonest to be decided; else the last that was; else one that came to nothing. */
const CURRENT = `
  SELECT ${ROW}, (SELECT time_zone FROM site) AS timeZone FROM challenges
  WHERE removed_at IS NULL AND ((${OVER}) OR publish_at > ?1 - ${GIVEN_UP})
  ORDER BY (${STRANDED}), (${OVER}), iif(${OVER}, -publish_at, voting_closes_at), id LIMIT 1`

const BY_ID = `SELECT ${ROW}, (SELECT time_zone FROM site) AS timeZone FROM challenges WHERE id = ?1 AND removed_at IS NULL`
/** ?1 now, ?2 the one they stand beside. */
const FINISHED = `
  SELECT id, title, winner_on AS date FROM challenges WHERE ${OVER} AND removed_at IS NULL AND id <> ?2
  ORDER BY publish_at DESC, id DESC LIMIT ${limits.challengesListed}`

type ShownRow = Row & { timeZone: string | null }

/** The row of the challenge that is on, or else of the last one; null where there has been none. */
export const currentRow = (db: D1Database, at: Millis): Promise<ShownRow | null> => db.prepare(CURRENT).bind(at).first()

/** The row of one challenge; null where there is none of that name. */
export const challengeRow = (db: D1Database, id: string): Promise<ShownRow | null> => db.prepare(BY_ID).bind(id).first()

type Finalist = { id: string; name: string; votes: number; hasAudio: number }

/** What everybody may know of the challenge that is on, or else of the last one; null where there has been none. */
export async function currentChallenge(db: D1Database, at: Millis): Promise<CurrentChallenge | null> {
  const row = await currentRow(db, at)
  return row && shown(db, row, at)
}

/** The same of one challenge, which keeps its address when the next one is on. @throws Refused `not_found`. */
export async function oneChallenge(db: D1Database, id: string, at: Millis): Promise<CurrentChallenge> {
  const row = await challengeRow(db, id)
  if (!row) throw unknownChallenge()
  return shown(db, row, at)
}

/** The addresses of the challenges that are over, the latest first. */
export async function challengePaths(db: D1Database, at: Millis): Promise<string[]> {
  const { results } = await db.prepare(FINISHED).bind(at, '').all<{ id: string }>()
  return results.map(({ id }) => `/challenge/${encodeURIComponent(id)}`)
}

/** Who leads is not read before it is published. */
async function shown(db: D1Database, row: ShownRow, at: Millis): Promise<CurrentChallenge> {
  const state = stateOf(row, at)
  const isNamed = at >= row.finalistsAt && isAtLeast(state, 'finalists')
  const { results: finalists } = isNamed
    ? await db
        .prepare(
          `SELECT f.id, f.name, iif(?2, f.votes, 0) AS votes, v.audio_key IS NOT NULL AS hasAudio
           FROM challenge_finalists f LEFT JOIN verse_submissions v ON v.id = f.submission_id
           WHERE f.challenge_id = ?1 ORDER BY f.position`,
        )
        .bind(row.id, Number(state === 'published'))
        .all<Finalist>()
    : { results: [] }
  const { results: others } = await db.prepare(FINISHED).bind(at, row.id).all<CurrentChallenge['others'][number]>()
  const instant = (millis: Millis) => new Date(millis).toISOString()
  return {
    id: row.id,
    title: row.title,
    prize: row.prize,
    rules: row.rules,
    state,
    timeZone: row.timeZone ?? 'UTC',
    timeline: timelineOf(row),
    submissionsOpenAt: instant(row.submissionsOpenAt),
    submissionsCloseAt: instant(row.submissionsCloseAt),
    finalistsAt: instant(row.finalistsAt),
    votingOpensAt: instant(row.votingOpensAt),
    votingClosesAt: instant(row.votingClosesAt),
    publishedAt: instant(row.publishAt),
    finalists: finalists.map(({ id, name, hasAudio }) => ({
      id,
      name,
      audioUrl: hasAudio ? `/api/challenge/finalists/${id}/audio` : null,
    })),
    seal: sealOf(row),
    results: state === 'published' ? resultsOf(row, finalists) : null,
    others,
  }
}

function resultsOf(row: Row, finalists: readonly Finalist[]): CurrentChallenge['results'] {
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
export const percentOf = (votes: number, all: number) => (all === 0 ? 0 : Math.round((votes * 1000) / all) / 10)
