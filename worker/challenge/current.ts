import type { CurrentChallenge } from '../contract/challenge-now'
import { DAY, type Millis } from '../lib/clock'
import { ROW, type Row, sealOf } from './known'
import { FEWEST_FINALISTS, isAtLeast, stateOf, timelineOf } from './states'

const OVER = 'ballots_sha256 IS NOT NULL AND publish_at <= ?1'
/** One that never came to votes is left behind so long after its winner's day, */
const GIVEN_UP: Millis = 30 * DAY
/** and stands behind every other from the day its voting would have ended. */
const STRANDED = `sealed_at IS NULL AND voting_closes_at <= ?1
  AND (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) < ${FEWEST_FINALISTS}`

/** ?1 now. The one that is on, the soonest to be decided; else the last that was; else one that came to nothing. */
const CURRENT = `
  SELECT ${ROW}, (SELECT time_zone FROM site) AS timeZone FROM challenges
  WHERE removed_at IS NULL AND ((${OVER}) OR publish_at > ?1 - ${GIVEN_UP})
  ORDER BY (${STRANDED}), (${OVER}), iif(${OVER}, -publish_at, voting_closes_at), id LIMIT 1`

/** The row of the challenge that is on, or else of the last one; null where there has been none. */
export const currentRow = (db: D1Database, at: Millis): Promise<(Row & { timeZone: string | null }) | null> =>
  db.prepare(CURRENT).bind(at).first()

type Finalist = { id: string; name: string; votes: number; hasAudio: number }

/** What everybody may know of it: who leads is not read before it is published. */
export async function currentChallenge(db: D1Database, at: Millis): Promise<CurrentChallenge | null> {
  const row = await currentRow(db, at)
  if (!row) return null
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
